"""SDF documents whose links all request their inertials."""

import math
from collections.abc import Iterable, Iterator, Sequence

LINKS_PER_MODEL = 10


_Shapes = Sequence[tuple[str, str]]
_LINKS: Sequence[tuple[str, _Shapes]] = (
    ("base", [("box", "0 0 0.1 0 0 0"), ("cylinder", "0.2 0 0.3 0 0.4 0")]),
    ("arm", [("capsule", "0.5 0 0.4 0 1.2 0.1")]),
    ("head", [("sphere", "1.0 0 0.6 0 0 0")]),
)


def primitives_model(number: int) -> str:
    """A model of three links with four primitive shapes, whose sizes depend on its number."""
    links = (_link(name, number + place, shapes) for place, (name, shapes) in enumerate(_LINKS))
    return _document(_model(f"robot_{number}", links))


def mesh_model(file_name: str) -> str:
    """A model of one link whose collision is a mesh file beside it."""
    geometry = f"<mesh><uri>{file_name}</uri></mesh>"
    link = f"""\
    <link name="body">
      <inertial auto="true">
        <density>2700</density>
      </inertial>
      <collision name="surface">
        <geometry>{geometry}</geometry>
      </collision>
    </link>
"""
    return _document(_model("part", [link]))


def world(links: int) -> Iterator[str]:
    """A world of models of ten links each, about 500 bytes a link, piece by piece."""
    shapes = ("box", "cylinder", "sphere", "capsule", "ellipsoid")
    yield _OPENING + '<world name="yard">\n'
    for start in range(0, links, LINKS_PER_MODEL):
        numbers = range(start, min(start + LINKS_PER_MODEL, links))
        yield _model(
            f"machine_{start}",
            (_link(f"link_{number}", number, [(shapes[number % 5], _pose(number))]) for number in numbers),
        )
    yield "</world>\n" + _CLOSING


_OPENING = '<?xml version="1.0"?>\n<sdf version="1.11">\n'
_CLOSING = "</sdf>\n"


def _document(content: str) -> str:
    return _OPENING + content + _CLOSING


def _model(name: str, links: Iterable[str]) -> str:
    return f'  <model name="{name}">\n{"".join(links)}  </model>\n'


def _link(name: str, number: int, shapes: _Shapes) -> str:
    collisions = "".join(
        f"""\
      <collision name="collision_{index}">
        <pose>{pose}</pose>
        <geometry>{_geometry(shape, number)}</geometry>
      </collision>
"""
        for index, (shape, pose) in enumerate(shapes)
    )
    return f"""\
    <link name="{name}">
      <pose>{_pose(number + 7)}</pose>
      <inertial auto="true">
        <density>{_size(number, 2) * 1e4:.1f}</density>
      </inertial>
{collisions}\
      <visual name="visual">
        <geometry>{_geometry(shapes[0][0], number)}</geometry>
      </visual>
    </link>
"""


def _geometry(shape: str, number: int) -> str:
    sizes = "".join(f"<{name}>{text}</{name}>" for name, text in _dimensions(shape, number).items())
    return f"<{shape}>{sizes}</{shape}>"


def _dimensions(shape: str, number: int) -> dict[str, str]:
    a, b, c = (f"{_size(number, axis):.4f}" for axis in range(3))
    if shape in ("box", "ellipsoid"):
        return {"size" if shape == "box" else "radii": f"{a} {b} {c}"}
    return {"radius": a} if shape == "sphere" else {"radius": a, "length": b}


def _size(number: int, axis: int) -> float:
    """A length between 0.1 and 0.5 (m); sines of whole numbers come close to every value and repeat none."""
    return 0.3 + 0.2 * math.sin(1.7 * number + axis)


def _pose(number: int) -> str:
    values = (math.sin(0.3 * number + axis) for axis in range(6))
    return " ".join(f"{value:.4f}" for value in values)
