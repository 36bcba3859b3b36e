"""What the oracle tests share: writing documents, and reading them with sdfinertia and with Drake."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from builders.rigid_bodies import Body as Reading
from builders.rigid_bodies import body_of

from sdfinertia.documents.filling import fill

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOLERANCE = 1e-9


def reading_from_drake(spatial_inertia: object) -> Reading:
    """What a drake SpatialInertia, which is about the link origin, is about the centre of mass."""
    com = spatial_inertia.get_com()
    central = spatial_inertia.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
    return Reading(spatial_inertia.get_mass(), com, central)


def read_by_drake(path: Path) -> dict[str, Reading]:
    """Every link of an SDF file by its scoped name, as Drake's parser reads it."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import BodyIndex

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    bodies = [plant.get_body(BodyIndex(i)) for i in range(1, plant.num_bodies())]  # 0 is the world
    return {str(body.scoped_name()): reading_from_drake(body.default_spatial_inertia()) for body in bodies}


def read_by_sdfinertia(path: Path) -> dict[str, Reading]:
    """Every filled link of an SDF file by its scoped name."""
    result = fill(path)
    assert not result.errors, result.errors[0]
    readings = {}
    for link in result.links:
        readings[link.name] = body_of(link.inertia)
    assert readings, "no link was filled"
    return readings


def assert_agree(ours: Reading, theirs: Reading) -> None:
    """Holds two readings to TOLERANCE, of the mass, of the body's length, and of its largest moment."""
    moment = max(np.trace(ours.tensor), np.trace(theirs.tensor)) / 2
    length = max(math.sqrt(moment / ours.mass), float(np.linalg.norm(ours.com)))
    assert theirs.mass == pytest.approx(ours.mass, rel=TOLERANCE, abs=0)
    np.testing.assert_allclose(theirs.com, ours.com, rtol=0, atol=TOLERANCE * length)
    np.testing.assert_allclose(theirs.tensor, ours.tensor, rtol=0, atol=TOLERANCE * moment)


def filled(path: Path) -> Path:
    """The file that filling gives, beside the first."""
    target = path.with_name("filled.sdf")
    fill(path).write(target)
    assert 'auto="' not in target.read_text(encoding="utf-8")
    return target


def assert_drake_agrees(path: Path) -> None:
    """Holds ours, Drake's reading of the `auto` file, and Drake's reading of the filled file together."""
    ours, auto, explicit = read_by_sdfinertia(path), read_by_drake(path), read_by_drake(filled(path))
    assert ours.keys() <= auto.keys()
    for name, reading in ours.items():
        assert_agree(reading, auto[name])
        assert_agree(reading, explicit[name])


class Readers(NamedTuple):
    """The functions of this file, for tests, which cannot import it."""

    ours: Callable[[Path], dict[str, Reading]]
    drake: Callable[[Path], dict[str, Reading]]
    reading: Callable[..., Reading]
    from_drake: Callable[[object], Reading]
    filled: Callable[[Path], Path]
    assert_agree: Callable[[Reading, Reading], None]
    assert_drake_agrees: Callable[[Path], None]


@pytest.fixture
def readers() -> Readers:
    return Readers(
        read_by_sdfinertia, read_by_drake, Reading, reading_from_drake, filled, assert_agree, assert_drake_agrees
    )


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes an SDF document, with `{folder}` in it put right, and files beside it; gives the document's path."""

    def write_files(document: str, **files: str) -> Path:
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_text(text, encoding="utf-8")
        path = tmp_path / "model.sdf"
        path.write_text(document.replace("{folder}", tmp_path.as_posix()), encoding="utf-8")
        return path

    return write_files
