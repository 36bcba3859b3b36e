"""Two descriptions of one robot: which links correspond, how they differ, and the mistake that would explain it."""
