"""What the rules of `check` look at: the facts of a link, each found out when a rule first asks for it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cached_property
from glob import escape
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.provenance import Provenance, find_provenance
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.model import Link
from sdfinertia.selection import is_auto
from sdfinertia.surroundings import Surroundings

if TYPE_CHECKING:
    from sdfinertia.computation import Computation
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.link_bounds import Bounds
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.verification import Verification

_T = TypeVar("_T")


class LinkFacts:
    """The facts of a link.

    Args:
        options: those of the run.
        surroundings: where files are found.

    Attributes:
        skipped: whether a rule could not judge this link, because a file it needs is not there.
    """

    def __init__(self, link: Link, options: Options, surroundings: Surroundings) -> None:
        self.link = link
        self.options = options
        self.surroundings = surroundings
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
        from sdfinertia.verification import verify

        return self._attempt(lambda: verify(self.link, provenance, self.options, self.surroundings))

    @cached_property
    def computation(self) -> Computation | SdfInertiaError:
        """The link computed from its geometry, with the mass that is written, or why it cannot be."""
        from sdfinertia.computation import compute

        found = find_provenance(self.inertial) if self.inertial is not None else None
        options = found[2].completing(self.options) if found is not None else self.options
        given = found is None or found[2].mass_given
        return self._attempt(lambda: compute(self.link, options, self.surroundings, mass_given=given))

    @cached_property
    def geometry(self) -> Computation | None:
        """The link computed, for rules about numbers of others: what is not found is skipped and counted."""
        if not self.link.has_collisions or isinstance(self.computation, SdfInertiaError):
            self.skipped = self.skipped or self.link.has_collisions
            return None
        return self.computation

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box round its collisions and visuals; what is not found is skipped and counted."""
        from sdfinertia.link_bounds import link_bounds

        box = self._attempt(lambda: link_bounds(self.link, self.surroundings))
        if isinstance(box, SdfInertiaError):
            self.skipped = True
            return None
        return box

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        """Name of collision and diagnosis of each mesh; those that cannot be read are skipped and counted."""
        from sdfinertia.link_meshes import diagnosed_meshes

        found = self._attempt(lambda: diagnosed_meshes(self.link, self.surroundings))
        if isinstance(found, SdfInertiaError):
            self.skipped = True
            return []
        return found

    @cached_property
    def step(self) -> float:
        """The step of the simulation (s): the world's `max_step_size`, else the option."""
        from sdfinertia.sdf.values import read_number

        for world in self.link.model.root.element.children_named("world"):
            physics = world.child("physics")
            size = physics.child("max_step_size") if physics is not None else None
            if size is not None and world.start < self.link.element.start < world.end:
                step = self._attempt(lambda size=size: read_number(size))  # type: ignore[misc]
                if isinstance(step, float) and step > 0.0:
                    return step
        return self.options.step

    def is_selected_by_name(self, code: str) -> bool:
        """Whether a rule was asked for by its own code, and not only by default."""
        return any(code.startswith(prefix) for prefix in self.options.select)

    def fill_command(self, *arguments: str) -> str:
        """The command that fills this link."""
        path, name = self.link.element.document.path, escape(self.link.scoped_name)
        return " ".join(["sdfinertia fill", *arguments, "--link", shlex.quote(name), shlex.quote(path)])

    def _attempt(self, find: Callable[[], _T]) -> _T | SdfInertiaError:
        try:
            return find()
        except SdfInertiaError as error:
            return error
        finally:
            self.surroundings.forget_contents()
