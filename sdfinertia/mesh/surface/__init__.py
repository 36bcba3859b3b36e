"""Triangles to closed, outward surfaces: repairs, bodies, windings."""
