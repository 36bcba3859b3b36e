"""Surfaces to the moments of their volume, one module a method."""
