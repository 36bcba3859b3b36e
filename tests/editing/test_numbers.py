"""The numbers of a link that a page offers, and the meshes that it is sent: what is known, or why nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import SOUND, collision, one_link

from sdfinertia.documents.scene import ScaledMesh
from sdfinertia.editing.draft import open_draft
from sdfinertia.editing.session import editable_numbers, mesh_content
from sdfinertia.errors import MeshError
from sdfinertia.links.context import Context
from sdfinertia.mesh import MeshSource
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

BOX = collision()


def numbers_of(inside: str) -> dict[str, Any]:
    draft = open_draft(one_link(inside))
    (link,) = draft.document.links()
    return editable_numbers(draft, link.key)


def test_what_is_known_of_a_link_is_offered() -> None:
    numbers = numbers_of(SOUND + BOX)
    assert (numbers["mass"], numbers["tensor"]) == (12.0, [13.0, 10.0, 5.0, 0.0, 0.0, 0.0])
    assert numbers["shapes"] == [{"name": "c", "kind": "box", "dimensions": [1.0, 2.0, 3.0]}]
    assert numbers["box"] == pytest.approx([1.0, 2.0, 3.0])
    assert not numbers.keys() & {"problem", "unphysical", "outline"}


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("", "no numbers to change, and no shapes to compute them from"),
        (BOX.replace("1 2 3", "1 2"), "size"),
        (SOUND.replace("<mass>12", "<mass>heavy"), "no numbers to change"),
    ],
)
def test_where_no_number_is_known_it_is_said_why(inside: str, problem: str) -> None:
    numbers = numbers_of(inside)
    assert problem in numbers["problem"]
    assert "mass" not in numbers


@pytest.mark.parametrize(("mass", "has_outline"), [("12", True), ("0", False), ("-1", False)])
def test_numbers_that_no_body_has_are_drawn_where_there_is_mass(mass: str, has_outline: bool) -> None:
    numbers = numbers_of(SOUND.replace("<mass>12", f"<mass>{mass}").replace("<ixx>13", "<ixx>130"))
    assert numbers["unphysical"]
    assert ("outline" in numbers, "box" in numbers) == (has_outline, False)


def mesh(path: Path, size: str) -> ScaledMesh:
    path.write_text(f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    return ScaledMesh(MeshSource(str(path)), (1.0, 1.0, 1.0))


def test_a_mesh_that_no_page_can_draw_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MeshError, match="too large to draw, or have no size"):
        mesh_content(mesh(tmp_path / "a.obj", "1e200"), Context(Options()), 1)
