"""The physics, in numbers alone; knows no file format."""
