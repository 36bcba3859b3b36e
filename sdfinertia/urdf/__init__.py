"""URDF: robots read from their text as urdfdom reads them, and inertials written into it."""
