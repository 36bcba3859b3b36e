"""Applies all writes and remedies of the command to copies of robots, and counts the links that become worse."""
