"""Showing: the mass properties of links and mesh files, as values."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.documents import OpenDocument, Source, described, matches, open_document, path_of, require_options
from sdfinertia.documents.meshes import bodies_in_memory
from sdfinertia.errors import (
    FrameError,
    InertiaError,
    ResultList,
    SdfInertiaError,
    TextError,
    ValueTextError,
    printable,
)
from sdfinertia.inertia import SpatialInertia, welded
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.links import Study
from sdfinertia.links.context import Context
from sdfinertia.links.groups import studied
from sdfinertia.markup import Document, Element
from sdfinertia.mesh import MeshSource
from sdfinertia.mesh.readers import EXTENSIONS
from sdfinertia.options import Options
from sdfinertia.robot import known
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import number

if TYPE_CHECKING:
    from sdfinertia.calculators import MeshInMemory

# The kind of a body; for lumped links, of a group or of one link.
Origin = Literal["written", "computed", "inferred", "compiled", "collision", "lumped", "single"]


class ShownBody(NamedTuple):
    """A body whose mass properties are shown.

    Attributes:
        name: scoped name of a link, `link / collision`, or path of a mesh file.
        origin: its kind.
        inertia: in the frame of the link or mesh, or None where it is not known.
        volume: of its solids (m³), or None.
        computed: as `fill` would compute it, where that was requested.
        problem: why something is not known.
    """

    name: str
    origin: Origin
    inertia: SpatialInertia | None
    volume: float | None = None
    computed: SpatialInertia | None = None
    problem: str = ""

    def __repr__(self) -> str:
        mass = f"{number(self.inertia.mass)} kg" if self.inertia is not None else self.problem
        return printable(f"ShownBody({self.name}, {self.origin}: {mass})")


def show(
    source: Source,
    options: Options = Options(),
    *,
    computed: bool = False,
    lumped: bool = False,
    filename: str = "<bytes>",
) -> ResultList[ShownBody]:
    """The mass properties of the links of a file and of their collisions, or of a mesh file.

        >>> for body in sdfinertia.show("fixtures/arm/model.sdf"):
        ...     if body.origin == "written":
        ...         print(body.name, body.inertia.mass)
        bench_arm::base 6.4

    Args:
        source: path of an SDF, URDF, MJCF or mesh file, or its content as bytes.
        options: which links, and how they are computed.
        computed: also the inertia that `fill` would write, beside the written one.
        lumped: links of URDF that fixed joints connect as one, as in Gazebo.
        filename: the place that content given as bytes has; its suffix tells a mesh.

    Raises:
        SdfInertiaError: the file cannot be read, or a mesh is not a solid. Problems of single links are in
            their `problem`.
    """
    require_options(options)
    path = path_of(source, filename)
    if not is_mesh(path):
        document = open_document(source, replace(options, all=True), filename=filename)
        document.require_match(options)
        return ResultList(lumped_links(document) if lumped else shown_links(document, computed))
    context = Context(options)
    if isinstance(source, bytes):
        context.meshes.hold(path, source)
    return ResultList([shown_mesh(path, options, context)])


def inertials(
    source: Source | MeshInMemory, options: Options = Options(), *, filename: str = "<bytes>"
) -> dict[str, SpatialInertia]:
    """The inertials written in a file, by the scoped names of their links, each in the frame of its link.

    Of a `trimesh.Scene` the bodies of its nodes, by their names, where the scene has them; of a `trimesh.Trimesh` or a
    pair of arrays the one body. These are computed, at the density of the options.

    Of links that share a name, as two worlds may have them, the second is `model::link#2`.

    Of a file nothing is computed: links without one, and those that ask for theirs to be computed, are left out;
    absent values of an `<inertial>` have the defaults of the format.

        >>> arm = sdfinertia.inertials("fixtures/arm/model.sdf")
        >>> arm["bench_arm::base"].mass
        6.4

    Args:
        source: path of an SDF, URDF or MJCF file, its content as bytes, or a mesh in memory.
        options: `link` narrows the selection; of meshes, how they are taken.
        filename: the place that content given as bytes has.

    Raises:
        SdfInertiaError: the file cannot be read, an inertial is malformed, or a mesh is not a solid.
    """
    if not isinstance(source, (str, os.PathLike, bytes)):
        require_options(options)
        return bodies_in_memory(source, options)
    document = open_document(source, options, filename=filename)
    found: dict[str, SpatialInertia] = {}
    for link in document.links():
        if not (matches(link, options) and link.has_inertial) or link.request.asks is True:
            continue
        asks = link.request.asks
        written = asks if isinstance(asks, SdfInertiaError) else document.study(link).written
        if isinstance(written, SdfInertiaError):
            raise written.within(location=link.location(), link=link.scoped_name)
        found.update({link.key.label: written.inertia} if written is not None else {})
    document.require_match(options)
    return found


def total_mass(source: Source, options: Options = Options(), *, filename: str = "<bytes>") -> float:
    """The mass of all links of a robot, or of a world (kg).

        >>> round(sdfinertia.total_mass("fixtures/arm/model.sdf"), 3)
        14.765

    Args:
        source: path of an SDF, URDF or MJCF file, or its content as bytes.
        options: how links that ask for it are computed.
        filename: the place that content given as bytes has.

    Raises:
        SdfInertiaError: the file, a model that it includes, or an inertial cannot be read, or no link has a mass.
    """
    return _total(source, options, filename).mass


def center_of_mass(source: Source, options: Options = Options(), *, filename: str = "<bytes>") -> Vector3:
    """The centre of mass of all links of a robot, with all joints at zero, in its frame; of a world in that (m).

    Args:
        source: path of an SDF, URDF or MJCF file, or its content as bytes.
        options: how links that ask for it are computed.
        filename: the place that content given as bytes has.

    Raises:
        SdfInertiaError: as `total_mass`, or the place of a link cannot be resolved.
    """
    return _total(source, options, filename).p_BoBcm_B


def _total(source: Source, options: Options, filename: str) -> SpatialInertia:
    document = open_document(source, options, filename=filename)
    bodies: list[SpatialInertia] = []
    for assembly in document.robot.assemblies(document.context):
        for placed in assembly.links:
            body = document.study(placed.link).added
            if isinstance(body, SdfInertiaError):
                raise body.within(location=placed.link.location(), link=placed.name)
            pose = placed.pose if assembly.is_world else placed.pose_in_model
            if isinstance(pose, SdfInertiaError):
                raise pose
            bodies += [body.transformed(pose)] if body is not None and body.mass > 0.0 else []
        if assembly.broken:
            raise assembly.broken[0].error.within(file=assembly.file)
    if not bodies:
        raise InertiaError("no link has a mass", file=document.robot.path)
    return welded(bodies)


def is_mesh(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in EXTENSIONS


def shown_links(document: OpenDocument, with_computed: bool = False) -> list[ShownBody]:
    links = document.selected(document.options)
    return [body for link in links for body in shown_bodies(document.study(link), with_computed)]


def lumped_links(document: OpenDocument) -> list[ShownBody]:
    """As Gazebo simulates them: what fixed joints join is one, in the frame of the first."""
    bodies: list[ShownBody] = []
    for lump in document.robot.lumps():
        first, *others = (member.link for member in lump.members)
        if not matches(first, document.options):
            continue
        group = studied(lump, document.study(first).studies)
        problems = [f"{study.link.scoped_name}: {error.problem}" for study, error in group.unknown]
        names = " + ".join((first.scoped_name, *(link.name for link in others)))
        problem = "; ".join(problems) or ("no link in it has mass" if group.body is None else "")
        bodies.append(ShownBody(names, "lumped" if others else "single", group.body, problem=problem))
    return bodies


def shown_mesh(path: str, options: Options, context: Context) -> ShownBody:
    solid = context.meshes.solid(MeshSource(path), options.mesh_treatment())
    inertia = solid.spatial_inertia(options.density or DEFAULT_DENSITY)
    return ShownBody(path, "computed", inertia, solid.moments.volume)


def shown_bodies(study: Study, with_computed: bool) -> list[ShownBody]:
    link, name = study.link, study.link.scoped_name
    is_written = link.has_inertial and not link.asks_to_be_filled()
    written = study.written if is_written else None
    found = study.computed if study.has_solids else None
    nothing = "" if is_written or study.has_solids else "it has no collision to compute an inertia from"
    problem = next((each.problem for each in (written, found) if isinstance(each, SdfInertiaError)), nothing)
    computation = known(found)
    computed = computation.inertia if computation is not None else None
    parts = computation.parts if computation is not None else ()
    origin: Origin = "written" if is_written else "computed"
    shown = study.body if is_written else computed
    if link.is_inferred or study.is_changed:
        origin = "inferred" if link.is_inferred else "compiled"
        shown = known(study.simulated)
        problem = study.simulated.problem if isinstance(study.simulated, SdfInertiaError) else problem
    volume = computation.volume if computation is not None else None
    body = ShownBody(name, origin, shown, volume, computed if with_computed else None, problem)
    return [body, *(ShownBody(f"{name} / {part.name}", "collision", part.inertia, part.volume) for part in parts)]


# The text of one <inertial>, read as in a file of its format ---------------------------------------------------------

# A file of each format with a link of that one element; of a version that has all of its forms.
_FILES = {
    "SDF": '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>',
    "URDF": '<robot name="m" version="1.2"><link name="l">{}</link></robot>',
    "MJCF": '<mujoco><worldbody><body name="l">{}</body></worldbody></mujoco>',
}


def body_of(text: str, title: str) -> SpatialInertia:
    """The body that an `<inertial>` of a format describes, in the frame of its link."""
    if not isinstance(text, str):
        raise TextError(f"expected the text of an <inertial>, not a {type(text).__name__}")
    try:
        _require_inertial(Document(text.encode("utf-8", "surrogatepass"), "<inertial>").roots)
        document = Document(_FILES[title].format(text).encode("utf-8", "surrogatepass"), "<inertial>")
        [link] = [link for model in described(document).models() for link in model.all_links()]
        if link.asks_to_be_filled():
            raise ValueTextError('the <inertial> has auto="true": its numbers are computed by `fill`')
        # First: errors of reading name the element itself.
        written = link.written_inertia()
        assert written is not None, "it was required"
        problem = next(link.model.format.malformations(link), None)
        if problem is not None:
            # Some messages go on from the name of the link.
            subject = "it " if problem.message.startswith(("has ", "gives ")) else ""
            raise ValueTextError(subject + problem.message, remedy=problem.remedy)
        return written.inertia
    except SdfInertiaError as error:
        # Without the location, which is in the made-up file around the text.
        raise type(error)(error.problem, remedy=error.remedy) from None


def _require_inertial(roots: Sequence[Element]) -> None:
    """Refuses what is not one inertial, or depends on the rest of its file."""
    names = [root.name for root in roots]
    if names != ["inertial"]:
        found = f"<{names[0][:40]}>" if len(names) == 1 else f"{len(names)} elements"
        remedy = "`sdfinertia.inertials` reads the links of a file"
        raise TextError(f"expected the text of an <inertial>, and found {found}", remedy=remedy)
    pose = roots[0].child("pose")
    frame = (pose.attribute("relative_to") or pose.attribute("frame")) if pose is not None else None
    if frame:
        raise FrameError(f"the <pose> is relative to {frame!r}, which is not known here", remedy="read the whole file")
    for name in ("euler", "axisangle"):
        if roots[0].attribute(name) is not None:
            problem = f"{name} depends on the <compiler> of its file, which is not known"
            raise ValueTextError(problem, remedy="write quat")
