"""The study of a link: its inputs, its inertia, and how that compares with the written one."""
