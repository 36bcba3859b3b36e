"""What a page is told of a scene: numbers that it can draw, and nothing of what it cannot."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from sdfinertia.documents import open_document
from sdfinertia.documents.scene import Triangles, scenes_of
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import IDENTITY
from sdfinertia.options import Options
from sdfinertia.report.quantities import equivalents_of
from sdfinertia.report.scene_data import link_data, scene_data, surface_bytes

POLYLINE = (
    "<collision name='c'><geometry><polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height>"
    "</polyline></geometry></collision>"
)


def test_only_what_a_body_can_have_has_equivalent_solids() -> None:
    assert equivalents_of(SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0))) is None
    drawn = equivalents_of(SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0)))
    assert drawn.box == pytest.approx((1.0, 2.0, 3.0))
    assert drawn.axes.rotation == pytest.approx(IDENTITY.rotation)


def test_a_page_that_has_the_surfaces_is_told_their_names_alone() -> None:
    text = f"<sdf version='1.11'><model name='m'><link name='l'>{POLYLINE}</link></model></sdf>"
    scenes = scenes_of(open_document(text.encode(), Options()))
    (told,) = link_data(0, scenes[0].links[0])["shapes"]
    assert (told["name"], told.keys() & {"surface", "mesh", "dimensions"}) == ("c", set())
    (scene,) = scene_data(scenes)["scenes"]
    assert scene["links"][0]["shapes"][0]["surface"] == 0


def test_a_surface_is_sent_in_numbers_of_four_bytes() -> None:
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float64)
    faces = np.array([(0, 1, 2), (0, 1, 3), (1, 2, 3)])
    sent = surface_bytes(Triangles(vertices, faces, True))
    assert struct.unpack("<3I", sent[:12]) == (4, 3, 1)
    assert np.frombuffer(sent[12 : 12 + 4 * 12], "<f4").reshape(-1, 3).tolist() == vertices.tolist()
    assert np.frombuffer(sent[12 + 4 * 12 :], "<u4").reshape(-1, 3).tolist() == faces.tolist()
