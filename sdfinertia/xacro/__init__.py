"""xacro, expanded by the package `xacro` in its own process; every element knows its place in the source."""
