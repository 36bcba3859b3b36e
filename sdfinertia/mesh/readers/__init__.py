"""Mesh files to triangles, one reader a format."""
