"""One module for each mesh format: bytes to triangles."""
