"""The shapes that descriptions of robots name, as values, with inertia, extent and surface."""
