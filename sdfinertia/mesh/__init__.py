"""Mesh files to triangles, and triangles to closed solids: knows nothing of SDF."""
