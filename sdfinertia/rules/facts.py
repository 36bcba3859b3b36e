"""What the rules of `check` look at: the study of a link, where what cannot be found is passed over or counted."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cached_property
from glob import escape
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError, ValueTextError
from sdfinertia.links.provenance import Provenance
from sdfinertia.links.study import Study
from sdfinertia.options import Options
from sdfinertia.robot.values import COLLISION

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.result import Status
    from sdfinertia.links.surroundings import Surroundings
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.values import Written
    from sdfinertia.shapes.reach import Bounds

_T = TypeVar("_T")


class LinkFacts:
    """The facts of a link.

    Args:
        study: of the link.
        options: those of the run.

    Attributes:
        skipped: whether a rule could not judge this link, because a file it needs is not there.
    """

    def __init__(self, study: Study, options: Options) -> None:
        self.study = study
        self.options = options
        self.skipped = False

    @property
    def link(self) -> Link:
        """The link, as the file describes it."""
        return self.study.link

    @property
    def surroundings(self) -> Surroundings:
        """Where files are found."""
        return self.study.surroundings

    # The block -------------------------------------------------------------------------------------------------------

    @property
    def is_auto(self) -> bool:
        """Whether it asks to be computed, and says so well."""
        return self.asks is True

    @cached_property
    def asks(self) -> bool | None:
        """Whether it asks to be computed; None where what says so is malformed."""
        try:
            return self.study.is_auto
        except SdfInertiaError:
            return None

    @cached_property
    def provenance(self) -> Provenance | None:
        """What the block says of itself, if it was filled and asks for nothing now."""
        return self.study.provenance if not self.is_auto else None

    @cached_property
    def written(self) -> Written | None:
        """The numbers that are written, where they count and can be read."""
        if self.is_auto:
            return None
        try:
            return self.study.written
        except SdfInertiaError:
            return None

    @cached_property
    def explicit(self) -> SpatialInertia | None:
        """The inertia that is written, where it counts and can be read."""
        return self.written.inertia if self.written is not None else None

    @cached_property
    def principal_moments(self) -> Vector3 | None:
        """Its principal moments in ascending order (kg·m²)."""
        return self.explicit.principal_moments() if self.explicit is not None else None

    @property
    def is_static(self) -> bool:
        """Whether the link never moves; what says so and is malformed counts as not."""
        try:
            return self.link.is_static
        except SdfInertiaError:
            return False

    # What it is computed from -----------------------------------------------------------------------------------------

    @cached_property
    def verification(self) -> Status | SdfInertiaError | None:
        """What came of verifying the block, or why it cannot be verified; None for one that was never filled."""
        return self._attempt(lambda: self.study.status) if self.provenance is not None else None

    @property
    def computation(self) -> Computed | SdfInertiaError:
        """The link computed from its geometry, with the mass that is written, or why it cannot be."""
        return self._attempt(lambda: self.study.computed)

    @cached_property
    def obstacle(self) -> SdfInertiaError | None:
        """Why the link cannot be filled, or None where it can be."""
        if self.link.naming_defect is not None:
            return ValueTextError(self.link.naming_defect.message)
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            return computation
        text = self._attempt(computation.text)
        return text if isinstance(text, SdfInertiaError) else None

    @cached_property
    def geometry(self) -> Computed | None:
        """The link computed, for rules about numbers of others: what is not found is skipped and counted."""
        if not self.link.has_solids(COLLISION):
            return None
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            self._skip(computation)
            return None
        return computation

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box round its collisions and visuals; what is not found is skipped and counted."""
        box = self._attempt(lambda: self.study.bounds)
        if isinstance(box, SdfInertiaError):
            self._skip(box)
            return None
        return box

    @cached_property
    def has_volume(self) -> bool:
        """Whether a collision has a shape that encloses volume, so that there is something to compute from."""
        from sdfinertia.shapes.shape import NoVolume

        try:
            collisions = self.link.solids(COLLISION)
        except SdfInertiaError:
            return False
        for collision in collisions:
            try:
                if not isinstance(collision.shape(), NoVolume):
                    return True
            except SdfInertiaError:
                continue
        return False

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        """The meshes among its collisions, by their names; those that cannot be read are skipped and counted."""
        found = self._attempt(lambda: self.study.meshes)
        if isinstance(found, SdfInertiaError):
            self._skip(found)
            return []
        judged: list[tuple[str, MeshDiagnosis]] = []
        for collision, diagnosis in found:
            if isinstance(diagnosis, SdfInertiaError):
                self._skip(diagnosis)
            else:
                judged.append((collision, diagnosis))
        return judged

    def collision_location(self, collision: str) -> Location | None:
        """Where the collision of a name stands."""
        return next((solid.location() for solid in self.link.solids(COLLISION) if solid.name == collision), None)

    def own_location(self, error: SdfInertiaError) -> Location | None:
        """The place that an error names, where it is in the link's own file."""
        return error.location if error.location is not None and error.location.file == self.link.file else None

    def _skip(self, error: SdfInertiaError) -> None:
        """Counts a link that cannot be judged, if it is its author's and what it needs is not found.

        Of links that are to be computed the same is a finding, and what has no volume is no file that is not there.
        """
        is_hand_written = not self.is_auto and self.provenance is None
        if is_hand_written and isinstance(error, ResourceError | FrameError):
            self.skipped = True

    @cached_property
    def step(self) -> float | None:
        """The step of the simulation (s): the world's, else the option; None where the format has no worlds."""
        return self.link.simulation_step(self.options.step)

    def is_selected_by_name(self, code: str) -> bool:
        """Whether a rule was asked for by its own code, and not only by default."""
        return any(prefix == "ALL" or code.startswith(prefix) for prefix in self.options.select)

    def fill_command(self, *arguments: str) -> str:
        """The command that fills this link."""
        return self.command("fill", *arguments)

    def command(self, *words: str) -> str:
        """A command about this link alone."""
        path, name = self.link.file, escape(self.link.own_name)
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
