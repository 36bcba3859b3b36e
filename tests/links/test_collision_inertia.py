"""What each kind of collision adds to its link, and what is told of it."""

from pathlib import Path

import pytest
from builders.documents import AUTO, mesh, one_link, solid
from builders.meshes import OBJ_OPEN, box, joined, obj

from sdfinertia.documents.filling import fill
from sdfinertia.links.inputs import Body
from sdfinertia.options import Options

SQUARE = "".join(f"<point>{x} {y}</point>" for x, y in ((0, 0), (2, 0), (2, 2), (0, 2)))


def part_of(directory: Path, geometry: str, options: Options | None = None) -> Body:
    """What a collision of 10 kg/m³ at (1, 0, 0), a quarter turn about z, adds."""
    lines = obj(joined(box((1, 2, 3)), box((4, 1, 1), (10, 0, 0)))).splitlines(keepends=True)
    (directory / "two.obj").write_text("".join([*lines[:16], "o near\n", *lines[16:28], "o far\n", *lines[28:]]))
    (directory / "open.obj").write_text(OBJ_OPEN)
    content = one_link(AUTO, solid(geometry, "1 0 0 0 0 1.5707963267948966", more="<density>10</density>"))
    (link,) = fill(content, options or Options(), filename=str(directory / "m.sdf")).links
    assert link.error is None, link.error
    (part,) = link.collisions
    return part


NEAR = "<submesh><name>near</name></submesh>"
CENTRED = "<submesh><name>near</name><center>true</center></submesh>"


@pytest.mark.parametrize(
    ("geometry", "shape", "volume", "centre", "extent", "faces"),
    [
        ("<box><size>1 2 3</size></box>", "box", 6, (1, 0, 0), 3, 0),
        ("<sphere><radius>2</radius></sphere>", "sphere", 33.510321638, (1, 0, 0), 4, 0),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "ellipsoid", 25.1327412287, (1, 0, 0), 6, 0),
        ("<cylinder><radius>1</radius><length>5</length></cylinder>", "cylinder", 15.7079632679, (1, 0, 0), 5, 0),
        ("<capsule><radius>1</radius><length>5</length></capsule>", "capsule", 19.8967534727, (1, 0, 0), 7, 0),
        ("<cylinder><radius>4</radius><length>5</length></cylinder>", "cylinder", 251.327412287, (1, 0, 0), 8, 0),
        ("<cone><radius>3</radius><length>4</length></cone>", "cone", 37.6991118431, (1, 0, -1), 6, 0),
        (f"<polyline>{SQUARE}<height>1</height></polyline>", "polyline", 4, (0, 1, 0.5), 2, 0),
        ("<cone><radius>1</radius><length>4</length></cone>", "cone", 4.1887902048, (1, 0, -1), 4, 0),
        (f"<polyline>{SQUARE}<height>3</height></polyline>", "polyline", 12, (0, 1, 1.5), 3, 0),
        (mesh("two.obj"), "mesh", 10, (1 - 0.6 - 0.2, 0.3 + 4.8, 0.9 + 0.2), 14, 24),
        (mesh("two.obj", NEAR), "mesh", 6, (0, 0.5, 1.5), 3, 12),
        (mesh("two.obj", CENTRED), "mesh", 6, (1, 0, 0), 3, 12),
        (mesh("two.obj", f"{NEAR}<scale>1 2 0.5</scale>"), "mesh", 6, (-1, 0.5, 0.75), 4, 12),
    ],
)
def test_a_collision_adds_its_volume_where_it_is(tmp_path, geometry, shape, volume, centre, extent, faces):
    part = part_of(tmp_path, geometry)
    assert (part.name, part.shape, part.method, part.faces) == ("c", shape, "exact", faces)
    assert (part.density, part.density_source, part.uncertainty) == (10.0, "collision", 0.0)
    assert part.inertia.mass == pytest.approx(10 * volume, rel=1e-10)
    assert part.inertia.p_BoBcm_B == pytest.approx(centre, abs=1e-12)
    assert part.extent == pytest.approx(extent, rel=1e-12)


def test_how_a_mesh_was_taken_is_told_and_polylines_of_different_heights_are_refused(tmp_path: Path) -> None:
    hull = part_of(tmp_path, mesh("open.obj"), Options(open_mesh="convex_hull"))
    assert (hull.method, hull.faces) == ("convex_hull", 10)
    assert hull.inertia.mass == pytest.approx(60)
    assert hull.notes
    two = f"<polyline>{SQUARE}<height>3</height></polyline><polyline>{SQUARE}<height>2</height></polyline>"
    with pytest.raises(AssertionError, match="differ in height"):
        part_of(tmp_path, two)
