"""How large the page of a large model is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders.meshes import ball

from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import scenes_of
from sdfinertia.options import Options
from sdfinertia.report.html_report import html_report

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = "<mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia>"
FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])


def robot(directory: Path, links: int) -> Path:
    """A model whose links have a collision and a visual of 5,000 triangles each, no two the same."""
    vertices, faces = (np.asarray(each) for each in ball(51, 50, 0.3))
    assert 4900 <= len(faces) <= 5100
    texts = []
    for k in range(links):
        facets = np.zeros(len(faces), FACET)
        facets["corners"] = (vertices * (1.0, 1.0 + 0.3 * np.sin(k), 1.0 + k / 500.0))[faces]
        (directory / f"{k}.stl").write_bytes(bytes(80) + np.uint32(len(faces)).tobytes() + facets.tobytes())
        mesh = f"<geometry><mesh><uri>{k}.stl</uri></mesh></geometry>"
        texts.append(
            f"<link name='link_{k}'><pose>{k % 20} {k // 20} 0 0 0 0</pose><inertial>{WRITTEN}</inertial>"
            f"<visual name='v'>{mesh}</visual><collision name='c'>{mesh}</collision></link>"
        )
    path = directory / "model.sdf"
    path.write_text(f"<sdf version='1.11'><model name='m'>{''.join(texts)}</model></sdf>")
    return path


@pytest.mark.slow
def test_the_page_of_a_hundred_links_of_many_triangles_stays_below_three_megabytes(tmp_path: Path) -> None:
    document = open_document(robot(tmp_path, 100), Options())
    assert len(html_report("t", scenes_of(document, with_computed=True)).encode()) <= 3_000_000
