"""Every kind of primitive, whatever the table holds: its entry is whole, and what it says agrees with itself."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import sdfinertia.report
from sdfinertia.documents.scene import DRAWN_BY_THE_PAGE
from sdfinertia.inertia import solids
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.markup import Document
from sdfinertia.mesh.tessellation import SURFACES
from sdfinertia.mesh.topology import edges_of
from sdfinertia.sdf.values import read_shape
from sdfinertia.shapes import PRIMITIVES, Dimensions, Primitive, PrimitiveKind, largest_dimension, placed_bounds

KINDS = pytest.mark.parametrize("kind", PRIMITIVES.values(), ids=PRIMITIVES.keys())
# A sphere of 128 by 64 sides has 0.1004 % less volume than the ball; all others lose less.
DEFICIT = 1.01e-3


def sizes(kind: PrimitiveKind, unit: float = 1.0) -> Dimensions:
    """Dimensions of which no two are equal."""
    count = sum(numbers for _, numbers in kind.dimensions)
    return tuple(unit * (0.3 + 0.2 * number) for number in range(count))


def test_every_solid_with_a_formula_is_in_the_table() -> None:
    formulas = {
        name
        for name, value in vars(solids).items()
        # `make mutate` keeps changed copies of a function beside it.
        if inspect.isfunction(value)
        and "__mutmut_" not in name
        and list(inspect.signature(value).parameters)[-1:] == ["density"]
        and len(inspect.signature(value).parameters) > 1
    }
    assert formulas - {"shell"} == PRIMITIVES.keys() == SURFACES.keys()


def test_an_entry_of_which_something_is_missing_is_refused_and_a_kind_without_one_is_no_other() -> None:
    whole = PRIMITIVES["box"]
    for missing in PrimitiveKind._fields:
        with pytest.raises(TypeError, match=missing):
            PrimitiveKind(**{name: value for name, value in whole._asdict().items() if name != missing})
    with pytest.raises(KeyError, match="prism"):
        Primitive("prism", (1.0, 2.0)).extent((1.0, 0.0, 0.0))


@KINDS
def test_a_kind_is_read_by_the_names_of_its_dimensions_and_its_surface_the_same_each_time(kind: PrimitiveKind) -> None:
    numbers = iter(sizes(kind))
    inside = "".join(
        f"<{name}>{' '.join(repr(next(numbers)) for _ in range(count))}</{name}>" for name, count in kind.dimensions
    )
    text = f"<sdf><collision name='c'><geometry><{kind.name}>{inside}</{kind.name}></geometry></collision></sdf>"
    assert read_shape(Document(text.encode(), "m.sdf").roots[0].children[0]) == Primitive(kind.name, sizes(kind))
    (once, faces), (again, faces_again) = SURFACES[kind.name](sizes(kind)), SURFACES[kind.name](sizes(kind))
    assert once.tobytes() == again.tobytes()
    assert faces.tobytes() == faces_again.tobytes()


@KINDS
def test_the_surface_encloses_the_solid_that_the_inertia_is_of(kind: PrimitiveKind) -> None:
    solid, hull = (
        Primitive(kind.name, sizes(kind)).inertia(1.0),
        moments(*SURFACES[kind.name](sizes(kind))).spatial_inertia(1.0),
    )
    assert 0.0 <= 1.0 - hull.mass / solid.mass < DEFICIT + 1e-12
    assert hull.p_BoBcm_B == pytest.approx(solid.p_BoBcm_B, abs=1e-12)
    assert hull.I_BBcm_B[:3] == pytest.approx(solid.I_BBcm_B[:3], rel=2e-3)
    assert hull.I_BBcm_B[3:] == pytest.approx(solid.I_BBcm_B[3:], rel=2e-3, abs=1e-15)


@KINDS
@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1.0, 1e6])
def test_surfaces_are_closed_and_keep_their_shape_at_any_size(kind: PrimitiveKind, unit: float) -> None:
    vertices, faces = SURFACES[kind.name](sizes(kind, unit))
    edges = edges_of(faces)
    assert len(edges.open) == 0
    assert edges.is_manifold
    volume = Primitive(kind.name, sizes(kind, unit)).inertia(1.0).mass
    assert -1e-12 <= 1.0 - moments(vertices, faces).volume / volume < DEFICIT


@KINDS
def test_a_solid_reaches_as_far_as_its_surface(kind: PrimitiveKind) -> None:
    rng = np.random.default_rng(7)
    directions = np.concatenate((np.eye(3), -np.eye(3), rng.normal(size=(100, 3))))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    along = SURFACES[kind.name](sizes(kind))[0] @ directions.T
    reaches = np.array([kind.extent(sizes(kind), tuple(direction)) for direction in directions.tolist()])
    short = reaches - np.stack((-along.min(axis=0), along.max(axis=0)), axis=1)
    # Corners lie on the solid; between those of a curve it goes out by 1 - cos(π / 128) of its radius, 0.03 %, and
    # between those of a ball, which is curved both ways, by twice that.
    assert short.min() >= -1e-15
    assert short.max() <= 6.1e-4 * max(sizes(kind))


@pytest.mark.parametrize(
    ("name", "dimensions", "largest"),
    [
        *[("box", (1, 3, 2), 3), ("sphere", (2,), 4), ("ellipsoid", (1, 2, 3), 6), ("cylinder", (8, 1), 16)],
        *[("cylinder", (1, 5), 5), ("capsule", (1, 15), 17), ("capsule", (8, 1), 17)],
        *[("cone", (8, 1), 16), ("cone", (1, 5), 5)],
    ],
)
def test_the_largest_dimension_is_that_of_the_solid_in_its_own_frame(name, dimensions, largest):
    assert largest_dimension(Primitive(name, dimensions)) == largest


def test_a_placed_solid_has_the_box_of_its_pose() -> None:
    # A cone on its side, its apex towards +x, its rim at x = 10 - 2.
    X_AG = RigidTransform(rotation_from_rpy(0.0, np.pi / 2, 0.0), (10.0, 20.0, 30.0))
    box = placed_bounds(Primitive("cone", (1.0, 4.0)).extent, X_AG)
    assert box.lower == pytest.approx((8.0, 19.0, 29.0), rel=1e-15)
    assert box.upper == pytest.approx((12.0, 21.0, 31.0), rel=1e-15)


def test_the_page_of_a_report_draws_the_kinds_that_it_is_trusted_with() -> None:
    page = (Path(sdfinertia.report.__path__[0]) / "page" / "drawing.js").read_text(encoding="utf-8")
    cases = set(re.findall(r'case "(\w+)": return (?:new|upright)', page))
    assert cases == DRAWN_BY_THE_PAGE
    assert cases <= PRIMITIVES.keys()
