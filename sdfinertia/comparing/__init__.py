"""Two descriptions of one robot: which links correspond, how they differ, and what mistake would explain it."""
