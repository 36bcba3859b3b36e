"""Runs over many files: which files, with which configuration, in what order, by which processes."""
