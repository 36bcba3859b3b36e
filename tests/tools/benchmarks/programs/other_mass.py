"""Mass properties of a mesh file by another library: `other_mass.py judged|unprocessed|libigl FILE`.

`judged` does by trimesh what sdfinertia always does: it merges, checks that the mesh is closed and of one winding, and
counts its bodies. The others integrate what they read.
"""

import sys

how, path = sys.argv[1:]
if how == "libigl":
    import igl

    print(igl.moments(*igl.read_triangle_mesh(path)))
else:
    import trimesh

    mesh = trimesh.load(path, force="mesh", process=how == "judged")
    if how == "judged":
        print(mesh.is_watertight, mesh.is_winding_consistent, mesh.body_count)
    print(mesh.mass_properties)
