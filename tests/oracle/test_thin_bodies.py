"""Thin bodies in any direction, filled: Drake reads them, and reads the same."""

from __future__ import annotations

import random
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders.rigid_bodies import body_of

from sdfinertia.documents.filling import fill
from sdfinertia.markup import Document
from sdfinertia.sdf import Robot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.oracle

KINDS = {
    f"{kind} of 1:{1 / thin:g}": (1.0, thin, thin) if kind == "rod" else (1.0, 0.7, thin)
    for kind in ("rod", "plate")
    for thin in (1e-4, 1e-5, 1e-6)
}
DIRECTIONS = 73  # of each of six kinds: 438 bodies


def filled_bodies(path: Path, size: tuple[float, float, float]) -> None:
    """A file of links, each a box of that size in a direction of its own, filled."""
    rng = random.Random(4)
    links = ""
    for number in range(DIRECTIONS):
        rpy = f"{rng.uniform(-pi, pi)!r} {rng.uniform(-pi / 2, pi / 2)!r} {rng.uniform(-pi, pi)!r}"
        links += (
            f"<link name='l{number}'><inertial auto='true'/><collision name='c'>"
            f"<pose>1 2 3 {rpy}</pose><geometry><box><size>{' '.join(map(repr, size))}</size></box></geometry>"
            "</collision></link>"
        )
    text = f"<sdf version='1.11'><model name='m'>{links}</model></sdf>"
    path.write_text(text, encoding="utf-8")
    result = fill(path)
    assert not result.errors
    result.write(path)


@pytest.mark.parametrize("size", KINDS.values(), ids=KINDS.keys())
def test_drake_reads_thin_bodies(tmp_path: Path, readers: Any, size: tuple[float, float, float]) -> None:
    pytest.importorskip("pydrake", reason="Drake is not installed: pip install drake")
    path = tmp_path / "model.sdf"
    filled_bodies(path, size)
    read = readers.drake(path)
    (model,) = Robot(Document(path.read_bytes(), str(path))).models()
    links = list(model.all_links())
    assert len(links) == DIRECTIONS
    for link in links:
        written = link.written_inertia()
        body = written.inertia
        theirs = read[f"m::{link.name}"]
        assert theirs.mass == pytest.approx(body.mass, rel=1e-12)
        # Drake keeps the tensor about the origin of the link, here 3.7 m away, and so to 14 times fewer digits.
        np.testing.assert_allclose(theirs.com, body.p_BoBcm_B, rtol=0, atol=1e-12)
        np.testing.assert_allclose(theirs.tensor, body_of(body).tensor, rtol=0, atol=1e-11 * body.mass)
