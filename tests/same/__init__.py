"""Runs two commits on the same files and tells every byte in which what they say and write differs: `make same`."""
