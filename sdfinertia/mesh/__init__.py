"""Mesh files and their triangles: read, diagnosed, repaired, integrated, cached."""
