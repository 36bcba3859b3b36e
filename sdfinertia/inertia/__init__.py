"""Mass properties as numbers: knows nothing of SDF, meshes or files."""
