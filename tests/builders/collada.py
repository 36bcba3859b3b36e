"""A COLLADA document of a tetrahedron, with replaceable parts."""

# A tetrahedron of volume 1/6 with its right angle at the origin.
POINTS = "0 0 0 1 0 0 0 1 0 0 0 1"
FACES = "0 2 1 0 1 3 0 3 2 1 2 3"
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
TRIANGLES = f'<triangles count="4">{INPUT}<p>{FACES}</p></triangles>'
ACCESSOR = '<accessor source="#a" count="4" stride="3"/>'
NODE = '<node id="n" name="body"><instance_geometry url="#g"/></node>'


def source(points: str = POINTS, accessor: str = ACCESSOR, count: int | None = None) -> str:
    count = len(points.split()) if count is None else count
    array = f'<float_array id="a" count="{count}">{points}</float_array>'
    return f'<source id="s">{array}<technique_common>{accessor}</technique_common></source>'


def geometry(primitives: str = TRIANGLES, identity: str = "g", positions: str = "") -> str:
    vertices = '<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>'
    return (
        f'<geometry id="{identity}" name="tetra"><mesh>{positions or source()}{vertices}{primitives}</mesh></geometry>'
    )


def document(
    nodes: str = NODE,
    geometries: str = "",
    libraries: str = "",
    asset: str = "",
    scene: str = '<scene><instance_visual_scene url="#scene"/></scene>',
) -> bytes:
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema">'
        f"<asset>{asset}</asset><library_geometries>{geometries or geometry()}</library_geometries>{libraries}"
        f'<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>'
        f"{scene}</COLLADA>"
    ).encode()
