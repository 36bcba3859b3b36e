"""What a picture of a model shows: its links with their shapes and inertias, each where the model has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.links.collision_inertia import CollisionInertia
    from sdfinertia.links.result import LinkStatus


class Standing(str, Enum):
    """How the inertia stands of a link that no run has looked at; the values are the words of the page."""

    # An explicit inertial.
    WRITTEN = "written"
    # For a look only.
    COMPUTED = "computed"
    # No inertial.
    NOTHING = "none"
    # An inertial that cannot be read or computed.
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value


class Triangles(NamedTuple):
    """A surface for the eye: `vertices` (n, 3) in m, `faces` (m, 3)."""

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]


class SceneShape(NamedTuple):
    """The shape of a collision.

    Attributes:
        name: of the collision.
        X_LG: pose of the geometry in the link frame.
        kind: "mesh" for what is given as triangles, else that of a solid in closed form.
        dimensions: of such a solid, as `sdfinertia.shapes.shape.Primitive` has them (m).
        triangles: in the frame of the geometry; None for a solid in closed form.
    """

    name: str
    X_LG: RigidTransform
    kind: str
    dimensions: tuple[float, ...] = ()
    triangles: Triangles | None = None


@dataclass(frozen=True, slots=True)
class SceneLink:
    """A link of a scene.

    Attributes:
        name: its scoped name.
        X_ML: its pose in the frame of the root model.
        shapes: of its collisions.
        inertia: in the link frame; None where there is none or it is not known.
        before: what stood in its place before the run, if it is another one.
        status: what became of it in a run, or how it stands.
        parts: what a computed inertia is the sum of.
        notes: what is to be said of it.
    """

    name: str
    X_ML: RigidTransform = IDENTITY
    shapes: tuple[SceneShape, ...] = ()
    inertia: SpatialInertia | None = None
    before: SpatialInertia | None = None
    status: LinkStatus | Standing = Standing.NOTHING
    parts: tuple[CollisionInertia, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A root model, or a mesh file.

    Attributes:
        model: its name.
        file: the file it stands in.
        links: its own, and those of nested and included models.
        notes: what is to be said of it.
    """

    model: str
    file: str
    links: tuple[SceneLink, ...]
    notes: tuple[str, ...] = ()
