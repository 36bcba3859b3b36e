"""Triangles to closed surfaces: welding, topology, repairs, bodies and how they nest."""
