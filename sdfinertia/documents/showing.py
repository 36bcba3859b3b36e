"""Showing: the mass properties of links and mesh files, as values. Knows no terminal, and changes nothing."""

from __future__ import annotations

import os
from typing import NamedTuple

from sdfinertia.documents.filling import read_root
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.computation import Computation, compute
from sdfinertia.links.provenance import find_provenance
from sdfinertia.links.selection import is_auto, matches
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import MeshSource
from sdfinertia.mesh.treatment import MeshTreatment
from sdfinertia.options import Options
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.model import DEFAULT_DENSITY, Link


class ShownBody(NamedTuple):
    """A body whose mass properties are shown.

    Attributes:
        name: scoped name of a link, `link / collision`, or path of a mesh file.
        origin: "written", "computed", or "collision" for a part of a link.
        inertia: in the frame of the link or mesh, or None where it is not known.
        volume: of its solids (m³), or None.
        computed: what `fill` would give, where that was asked for beside what is written.
        problem: why something is not known.
    """

    name: str
    origin: str
    inertia: SpatialInertia | None
    volume: float | None = None
    computed: SpatialInertia | None = None
    problem: str = ""


def shown_links(
    source: str | os.PathLike[str] | bytes,
    options: Options,
    surroundings: Surroundings,
    *,
    with_computed: bool = False,
    filename: str = "<bytes>",
) -> list[ShownBody]:
    """The links of an SDF file and their collisions.

    Args:
        source: path of an SDF file, or its content.
        with_computed: also what `fill` would write.
        filename: the place that content given as bytes has.

    Raises:
        SdfInertiaError: the file cannot be read.
    """
    root = read_root(source, filename)
    links = [link for model in root.models() for link in model.all_links() if matches(link, options)]
    return [body for link in links for body in _bodies_of(link, options, surroundings, with_computed)]


def shown_mesh(path: str, options: Options, surroundings: Surroundings) -> ShownBody:
    """The solid in a mesh file, at the density of the options.

    Raises:
        SdfInertiaError: it cannot be read, or is no solid.
    """
    treatment = MeshTreatment(
        open_mesh=options.open_mesh,
        voxel_size=options.voxel_size,
        thickness=options.thickness,
        overlaps=options.overlaps,
    )
    solid = surroundings.meshes.solid(MeshSource(path), treatment)
    inertia = solid.spatial_inertia(options.density or DEFAULT_DENSITY)
    return ShownBody(path, "computed", inertia, solid.moments.volume)


def _bodies_of(link: Link, options: Options, surroundings: Surroundings, with_computed: bool) -> list[ShownBody]:
    name, problem = link.scoped_name, ""
    is_written = link.inertial is not None and not is_auto(link.inertial)
    written: SpatialInertia | None = None
    computation: Computation | None = None
    try:
        if link.inertial is not None and is_written:
            written = read_inertial(link.inertial)
    except SdfInertiaError as error:
        problem = error.problem
    try:
        if not link.has_collisions:
            problem = problem or ("" if is_written else "it has no collision to compute an inertia from")
        else:
            found = find_provenance(link.inertial) if link.inertial is not None else None
            chosen = found[2].completing(options) if found is not None else options
            given = found is None or found[2].mass_given
            computation = compute(link, chosen, surroundings, mass_given=given)
    except SdfInertiaError as error:
        problem = problem or error.problem
    computed = computation.inertia.inertia if computation is not None else None
    parts = computation.inertia.collisions if computation is not None else ()
    volume = _total([part.inertia.mass / part.density for part in parts]) if parts else None
    shown, origin = (written, "written") if is_written else (computed, "computed")
    body = ShownBody(name, origin, shown, volume, computed if with_computed else None, problem)
    collisions = [
        ShownBody(f"{name} / {part.name}", "collision", part.inertia, part.inertia.mass / part.density)
        for part in parts
    ]
    return [body, *collisions]


def _total(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total
