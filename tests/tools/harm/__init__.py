"""Applies all that the command writes and advises to copies of robots, and counts the links that come out worse."""
