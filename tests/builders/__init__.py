"""Builders of test inputs: meshes, mesh files, and documents."""
