"""Links that are right, of real models: what they say is near what their collisions give."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recall.faults import Body
from recall.injected import InjectedLink, Numbers
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.study import Study
from sdfinertia.options import Options
from sdfinertia.robot.solid_kinds import COLLISION
from sdfinertia.shapes import MeshShape

FIXTURES = Path(__file__).parents[3] / "fixtures"
# Either way, of any moment: parts are hollow and drawn simply. Nobody can say of a link beyond it that it is right.
NEAR = 3.0


class CleanLink(NamedTuple):
    """A link that is right."""

    name: str
    link: Any
    context: Any
    body: Body


def root() -> Path:
    """The directory of real models that SDFINERTIA_REAL names, or the fixtures."""
    given = os.environ.get("SDFINERTIA_REAL")
    return Path(given) if given and Path(given).is_dir() else FIXTURES


def documents(root: Path) -> Iterator[tuple[str, OpenDocument]]:
    """The files below the root that can be read, each with its name there."""
    for path in sorted(path for suffix in ("sdf", "world") for path in root.rglob(f"*.{suffix}")):
        try:
            document = open_document(path, Options())
            list(document.links())
        except SdfInertiaError:
            continue
        yield path.relative_to(root).as_posix(), document


def clean_links(root: Path, most: int) -> list[CleanLink]:
    """Links that are right, each kind once, in an order that their names give; at most so many."""
    found: dict[object, CleanLink] = {}
    for path, document in documents(root):
        for link in _clean_links(path, document):
            right = link.body.numbers
            found.setdefault((right, link.body.sizes), link)
    return sorted(found.values(), key=lambda link: _choice(link.name))[:most]


def _clean_links(path: str, document: OpenDocument) -> Iterator[CleanLink]:
    poses = _poses(document)
    numbers = {link.key: _numbers(document, link) for link in document.links()}
    for link in document.links():
        right = numbers[link.key]
        if right is None:
            continue
        injected: Any = InjectedLink(link, right, document.context)
        study = Study(injected, Options(), document.context)
        try:
            bounds, geometry = study.bounds, study.computed.inertia
            has_mesh = any(isinstance(solid.shape(), MeshShape) for solid in link.solids(COLLISION))
        except SdfInertiaError:
            continue
        finally:
            document.context.forget_contents()
        if bounds is None or not is_near(right, geometry) or bounds.distance_outside(right.centre) > 0.0:
            continue
        others = tuple(
            other for key, other in numbers.items() if key != link.key and other is not None and other != right
        )
        name = f"{path} {link.scoped_name}"
        body = Body(right, bounds.sizes, poses.get(link.key), others, has_mesh, _choice(name))
        yield CleanLink(name, link, document.context, body)


def is_near(right: Numbers, geometry: SpatialInertia) -> bool:
    """Whether no moment about any axis is off by more than a factor from that of the geometry at the same mass."""
    tensor, reference = _matrix(right.tensor), _matrix(geometry.scaled_to_mass(right.mass).I_BBcm_B)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(reference))
    except np.linalg.LinAlgError:
        return False
    factors = np.linalg.eigvalsh(inverse @ tensor @ inverse.T)
    return bool(factors[0] > 1.0 / NEAR and factors[-1] < NEAR)


def _matrix(tensor: InertiaTensor) -> Any:
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _numbers(document: OpenDocument, link: Any) -> Numbers | None:
    """What others wrote of a link that moves, where a body can have it."""
    study = document.study(link)
    try:
        if study.is_auto or study.provenance is not None or link.is_static or not link.has_tensor:
            return None
        written = study.written
    except SdfInertiaError:
        return None
    if written is None or not written.inertia.is_physically_valid(rtol=1e-4):
        return None
    return Numbers(written.inertia.mass, written.inertia.p_BoBcm_B, written.inertia.I_BBcm_B)


def _poses(document: OpenDocument) -> dict[object, Any]:
    found: dict[object, Any] = {}
    try:
        for assembly in document.robot.assemblies(document.context):
            for placed in assembly.links:
                pose = placed.pose_in_model
                if placed.is_own and not isinstance(pose, SdfInertiaError):
                    found[placed.link.key] = pose
    except SdfInertiaError:
        pass
    return found


def _choice(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
