"""Edits that put numbers into an `<inertial>`, and what a reader finds once they are made."""
