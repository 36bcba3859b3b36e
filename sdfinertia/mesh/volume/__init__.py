"""Surfaces to the moments of the volume they stand for, one module a method."""
