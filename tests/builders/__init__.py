"""What tests build their inputs from: meshes, the files that hold them, and documents."""
