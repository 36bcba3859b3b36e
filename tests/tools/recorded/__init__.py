"""A record of what the program does, and what differs from it."""
