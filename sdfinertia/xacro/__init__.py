"""xacro expanded by the package `xacro` in a process of its own, every element with the place that it comes from."""
