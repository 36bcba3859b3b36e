"""What the rules of `check` look at: the facts of a link, each found out when a rule first asks for it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cached_property
from glob import escape
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError
from sdfinertia.links.provenance import Provenance, find_provenance
from sdfinertia.links.selection import is_auto
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.options import Options
from sdfinertia.rules.joints import JointTable
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_boolean

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.computation import Computation
    from sdfinertia.links.verification import Verification
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.shapes.reach import Bounds

_T = TypeVar("_T")


class LinkFacts:
    """The facts of a link.

    Args:
        options: those of the run.
        surroundings: where files are found.
        joints: those of the document.

    Attributes:
        skipped: whether a rule could not judge this link, because a file it needs is not there.
    """

    def __init__(self, link: Link, options: Options, surroundings: Surroundings, joints: JointTable) -> None:
        self.link = link
        self.options = options
        self.surroundings = surroundings
        self.joints = joints
        self.skipped = False

    # The block -------------------------------------------------------------------------------------------------------

    @property
    def inertial(self) -> Element | None:
        """The first `<inertial>`."""
        return self.link.inertial

    @cached_property
    def is_auto(self) -> bool:
        """Whether it asks to be computed; an attribute that is no boolean asks for nothing."""
        try:
            return self.inertial is not None and is_auto(self.inertial)
        except SdfInertiaError:
            return False

    @cached_property
    def provenance(self) -> Provenance | None:
        """What the block says of itself, if it was filled and asks for nothing now."""
        found = find_provenance(self.inertial) if self.inertial is not None and not self.is_auto else None
        return found[2] if found is not None else None

    @cached_property
    def explicit(self) -> SpatialInertia | None:
        """The inertia that is written, where it counts and can be read."""
        if self.inertial is None or self.is_auto:
            return None
        try:
            return read_inertial(self.inertial)
        except SdfInertiaError:
            return None

    @property
    def is_static(self) -> bool:
        """Whether the link never moves; a malformed `<static>` counts as not."""
        try:
            return self.link.model.is_static
        except SdfInertiaError:
            return False

    # What it is computed from -----------------------------------------------------------------------------------------

    @cached_property
    def verification(self) -> Verification | SdfInertiaError | None:
        """What came of verifying the block, or why it cannot be verified; None for one that was never filled."""
        provenance = self.provenance
        if provenance is None:
            return None
        from sdfinertia.links.verification import verify

        return self._attempt(lambda: verify(self.link, provenance, self.options, self.surroundings))

    @cached_property
    def computation(self) -> Computation | SdfInertiaError:
        """The link computed from its geometry, with the mass that is written, or why it cannot be."""
        from sdfinertia.links.computation import compute

        found = find_provenance(self.inertial) if self.inertial is not None else None
        options = found[2].completing(self.options) if found is not None else self.options
        given = found is None or found[2].mass_given
        return self._attempt(lambda: compute(self.link, options, self.surroundings, mass_given=given))

    @cached_property
    def geometry(self) -> Computation | None:
        """The link computed, for rules about numbers of others: what is not found is skipped and counted."""
        if not self.link.has_collisions:
            return None
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            self._skip(computation)
            return None
        return computation

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box round its collisions and visuals; what is not found is skipped and counted."""
        from sdfinertia.links.bounds import link_bounds

        box = self._attempt(lambda: link_bounds(self.link, self.surroundings))
        if isinstance(box, SdfInertiaError):
            self._skip(box)
            return None
        return box

    @cached_property
    def has_volume(self) -> bool:
        """Whether a collision has a shape that encloses volume, so that there is something to compute from."""
        from sdfinertia.sdf.geometry import read_shape
        from sdfinertia.shapes.shape import NoVolume

        for collision in self.link.element.children_named("collision"):
            try:
                if not isinstance(read_shape(collision), NoVolume):
                    return True
            except SdfInertiaError:
                continue
        return False

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        """Name of collision and diagnosis of each mesh; those that cannot be read are skipped and counted."""
        from sdfinertia.links.meshes import diagnosed_meshes

        found = self._attempt(lambda: diagnosed_meshes(self.link, self.surroundings))
        if isinstance(found, SdfInertiaError):
            self._skip(found)
            return []
        for error in found.errors:
            self._skip(error)
        return found.found

    def _skip(self, error: SdfInertiaError) -> None:
        """Counts a link that cannot be judged, if it is its author's and what it needs is not found.

        Of links that are to be computed the same is a finding, and what has no volume is no file that is not there.
        """
        is_hand_written = not self.is_auto and self.provenance is None
        if is_hand_written and isinstance(error, ResourceError | FrameError):
            self.skipped = True

    @cached_property
    def step(self) -> float:
        """The step of the simulation (s): the world's `max_step_size`, else the option."""
        from sdfinertia.sdf.values import read_number

        for world in self.link.model.root.element.children_named("world"):
            if not world.start < self.link.element.start < world.end:
                continue
            profiles = world.children_named("physics")
            physics = next(filter(_is_default, profiles), profiles[0] if profiles else None)
            size = physics.child("max_step_size") if physics is not None else None
            if size is not None:
                step = self._attempt(lambda size=size: read_number(size))  # type: ignore[misc]
                if isinstance(step, float) and step > 0.0:
                    return step
        return self.options.step

    def is_selected_by_name(self, code: str) -> bool:
        """Whether a rule was asked for by its own code, and not only by default."""
        return any(prefix == "ALL" or code.startswith(prefix) for prefix in self.options.select)

    def fill_command(self, *arguments: str) -> str:
        """The command that fills this link."""
        return self.command("fill", *arguments)

    def command(self, *words: str) -> str:
        """A command about this link alone."""
        path, name = self.link.element.document.path, escape(self.link.scoped_name)
        # A path that begins with a dash would be taken for an option.
        ending = ["--", path] if path.startswith("-") and path != "-" else [path]
        return shlex.join(["sdfinertia", *words, "--link", name, *ending])

    def _attempt(self, find: Callable[[], _T]) -> _T | SdfInertiaError:
        try:
            return find()
        except SdfInertiaError as error:
            return error
        finally:
            self.surroundings.forget_contents()


def _is_default(physics: Element) -> bool:
    """Whether a `<physics>` is the one that holds at first."""
    try:
        return read_boolean(
            physics.attribute("default") or "", "the attribute default of <physics>", physics, default=False
        )
    except SdfInertiaError:
        return False
