"""Mass properties of a mesh file by trimesh, as its documentation shows: `trimesh_mass.py judged|unprocessed FILE`.

`judged` does what sdfinertia always does: it merges, checks that the mesh is closed and of one winding, and counts its
bodies.
"""

import sys

import trimesh

how, path = sys.argv[1:]
if how == "judged":
    mesh = trimesh.load(path, force="mesh")
    print(mesh.is_watertight, mesh.is_winding_consistent, mesh.body_count)
else:
    mesh = trimesh.load(path, force="mesh", process=False)
print(mesh.mass_properties)
