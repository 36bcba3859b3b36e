"""Agreement with Drake on primitives and frames: its SDFormat parser honours `auto` too, since version 1.47."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from random_models import PART, Documents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("pydrake", reason="Drake is not installed: pip install -e .[oracle]")

pytestmark = pytest.mark.oracle

BOX = "<box><size>1 2 3</size></box>"
SPHERE = "<sphere><radius>0.3</radius></sphere>"
CYLINDER = "<cylinder><radius>0.2</radius><length>0.7</length></cylinder>"
CAPSULE = "<capsule><radius>0.2</radius><length>0.7</length></capsule>"
ELLIPSOID = "<ellipsoid><radii>0.1 0.2 0.35</radii></ellipsoid>"
CONE = "<cone><radius>0.2</radius><length>0.7</length></cone>"
AUTO = '<inertial auto="true"/>'


def sdf(inner: str, version: str = "1.11") -> str:
    return f'<?xml version="1.0"?>\n<sdf version="{version}">\n{inner}\n</sdf>\n'


def collision(shape: str, pose: str = "", density: str = "", name: str = "c") -> str:
    return f'<collision name="{name}">{pose}{density}<geometry>{shape}</geometry></collision>'


def one_link(*collisions: str, inertial: str = AUTO, version: str = "1.11") -> str:
    return sdf(f'<model name="m"><link name="l">{inertial}{"".join(collisions)}</link></model>', version)


def link(name: str, *, pose: str = "", at: str = "") -> str:
    """A link with one box, whose collision pose is `at`."""
    return f'<link name="{name}">{pose}{AUTO}{collision(BOX, at)}</link>'


TILTED = "<pose>0.4 -0.2 0.7 0.3 -0.5 1.1</pose>"
SUM = (
    collision(BOX, TILTED, name="a"),
    collision(SPHERE, "<pose>1 0 0 0 0 0</pose>", name="b"),
    collision(CYLINDER, "<pose>-1 0.5 0 1.2 0 0.3</pose>", name="c"),
    collision(CAPSULE, "<pose>0 2 -0.3 0 0.7 0</pose>", name="d"),
    collision(ELLIPSOID, "<pose>0 0 3 -0.4 0.2 2.8</pose>", name="e"),
)
WEIGHTED = (
    collision(BOX, TILTED, "<density>10</density>", name="a"),
    collision(CYLINDER, "<pose>2 0 0 1 0 0</pose>", "<density>7800</density>", name="b"),
    collision(SPHERE, "<pose>0 0 2 0 0 0</pose>", name="c"),
)
PRIMITIVES = {
    "box": one_link(collision(BOX)),
    "sphere": one_link(collision(SPHERE)),
    "cylinder": one_link(collision(CYLINDER)),
    "capsule": one_link(collision(CAPSULE)),
    "ellipsoid": one_link(collision(ELLIPSOID)),
    "cone, whose centre of mass is below its frame": one_link(collision(CONE)),
    "small part": one_link(collision("<box><size>1e-3 2E-3 .5e-3</size></box>", "<pose>\n 1e-3 0\n 0 0 0 1 </pose>")),
    "offset of a hundred sizes": one_link(collision(SPHERE, "<pose>30 -20 10 0 0 0</pose>")),
    "rotated and offset box": one_link(collision(BOX, TILTED)),
    "rotated and offset cone": one_link(collision(CONE, TILTED)),
    "pose in degrees": one_link(collision(BOX, '<pose degrees="true">1 2 3 30 -40 170</pose>')),
    "pose in gimbal lock": one_link(collision(BOX, '<pose degrees="true">1 2 3 30 90 20</pose>')),
    "quaternion": one_link(collision(BOX, '<pose rotation_format="quat_xyzw">1 0 0 0.1 0.2 0.3 0.9273618495</pose>')),
    "quaternion not normalised": one_link(collision(BOX, '<pose rotation_format="quat_xyzw">1 0 0 1 2 3 9</pose>')),
    "sum of five rotated solids": one_link(*SUM),
    "densities on collisions": one_link(*WEIGHTED),
    "density on the link": one_link(*SUM, inertial='<inertial auto="true"><density>2700</density></inertial>'),
    "auto written as 1": one_link(collision(BOX), inertial='<inertial auto="1"></inertial>'),
    "version 1.4": one_link(*WEIGHTED, version="1.4"),
    "version 1.6": one_link(*SUM, version="1.6"),
    "version 1.9": one_link(*SUM, version="1.9"),
    "version 1.12": one_link(*SUM, version="1.12"),
    "static model": sdf(f'<model name="m"><static>true</static>{link("l", at=TILTED)}</model>'),
    "model posed in a world": sdf(
        f'<world name="w"><model name="m"><pose>9 8 7 1 1 1</pose>{link("l", at=TILTED)}</model></world>'
    ),
}

INCLUDED = sdf(
    '<model name="part"><pose>9 9 9 1 2 3</pose><link name="base"><pose>1 0 0 0 0 0.4</pose></link>'
    '<frame name="mount" attached_to="base"><pose>0 0 2 0.3 0 0</pose></frame></model>'
)
INCLUDES = {
    "included model merged": sdf(
        '<model name="m"><include merge="true"><uri>file://{folder}/part.sdf</uri><pose>0 1 0 0 0.6 0</pose></include>'
        + link("l", at='<pose relative_to="mount">0 1 0 0.3 0 0</pose>')
        + "</model>"
    )
}


@pytest.mark.parametrize("document", PRIMITIVES.values(), ids=PRIMITIVES.keys())
def test_drake_reads_the_same_inertia_from_primitives(write: Callable[..., Path], readers: Any, document: str) -> None:
    readers.assert_drake_agrees(write(document))


@pytest.mark.parametrize("document", INCLUDES.values(), ids=INCLUDES.keys())
def test_drake_reads_the_same_inertia_through_included_frames(write, readers, document):
    readers.assert_drake_agrees(write(document, part_sdf=INCLUDED))


@pytest.mark.parametrize("seed", range(100))
def test_drake_reads_the_same_inertia_from_random_documents(tmp_path: Path, readers: Any, seed: int) -> None:
    """Without polylines, which Drake does not read, meshes, which it takes about their origin, and long quaternions."""
    part, path = tmp_path / "part.sdf", tmp_path / "model.sdf"
    part.write_text(PART, encoding="utf-8")
    documents = Documents(part=part, polylines=False, unit_quaternions=True)
    path.write_text(documents.document(seed), encoding="utf-8")
    try:
        readers.drake(path)
    except RuntimeError as error:
        # It gives a nested model's placement frame twice to some documents that libsdformat reads (5 of 300).
        if "already contains a frame named" not in str(error):
            raise
        pytest.skip("Drake does not read this document")
    readers.assert_drake_agrees(path)
