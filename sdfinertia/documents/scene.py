"""What a picture of a model shows: its links with their shapes and inertias, each where the model has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.links.collision_inertia import CollisionInertia

# Statuses of links that no run has looked at; those of others are in `sdfinertia.links.result`.
WRITTEN, COMPUTED, NOTHING, UNKNOWN = "written", "computed", "none", "unknown"
# What is drawn beside what is written, as the page calls it.
PROPOSED, OF_GEOMETRY = "proposed", "computed"


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


@dataclass(frozen=True)
class SceneLink:
    """A link of a scene.

    Attributes:
        name: its scoped name.
        X_ML: its pose in the frame of the root model.
        shapes: of its collisions.
        inertia: in the link frame; None where there is none or it is not known.
        before: what stood in its place before the run, if it is another one.
        status: what became of it, or WRITTEN (an explicit inertial), COMPUTED (for a look only), NOTHING (no inertial),
            UNKNOWN (an inertial that cannot be read or computed).
        parts: what a computed inertia is the sum of.
        notes: what is to be said of it.
        besides: other inertias to be drawn with it, each with what it is: PROPOSED or OF_GEOMETRY.
    """

    name: str
    X_ML: RigidTransform = IDENTITY
    shapes: tuple[SceneShape, ...] = ()
    inertia: SpatialInertia | None = None
    before: SpatialInertia | None = None
    status: str = NOTHING
    parts: tuple[CollisionInertia, ...] = ()
    notes: tuple[str, ...] = ()
    besides: tuple[tuple[str, SpatialInertia], ...] = ()


@dataclass(frozen=True)
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
