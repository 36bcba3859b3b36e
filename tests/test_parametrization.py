"""The notations of an inertia: signs, inverses, and values computed in exact arithmetic."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box
from sdfinertia.parametrization import (
    SCALAR_NAMES,
    drake_from_pi_cm,
    inertia_matrix_from_vector,
    inertia_vector_from_matrix,
    parallel_axis,
    pi_cm_from_drake,
    pi_cm_from_pi_o,
    pi_cm_from_scalars,
    pi_cm_from_spatial_inertia,
    pi_cm_from_urdf,
    pi_o_from_pi_cm,
    pi_o_from_theta,
    scalars_from_pi_cm,
    spatial_inertia_from_pi_cm,
    theta_from_pi_o,
    urdf_from_pi_cm,
)

Array = npt.NDArray[np.float64]
EPSILON = float(np.finfo(np.float64).eps)


def random_bodies(count: int, *, thinnest: float, seed: int = 5) -> Array:
    """pi_cm of bodies of 1 cm to 10 m and 10 g to 1 t, turned at random, up to their size away from the origin."""
    random = np.random.default_rng(seed)
    size, mass = 10.0 ** random.uniform(-2, 1, count), 10.0 ** random.uniform(-2, 3, count)
    dimensions = size[:, None] * thinnest ** random.uniform(0, 1, (count, 3))
    axes = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    second = mass[:, None, None] * (axes * dimensions[:, None, :] ** 2) @ axes.swapaxes(1, 2)
    tensors = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    first = mass[:, None] * size[:, None] * random.uniform(-1, 1, (count, 3))
    return np.column_stack([mass, first, inertia_vector_from_matrix(tensors)])


def flat_bodies(thinness: float, *, axes: int) -> Array:
    """pi_cm of a hundred plates (one thin axis) or rods (two), turned at random."""
    random = np.random.default_rng(axes)
    dimensions = np.ones((100, 3))
    dimensions[:, :axes] = thinness
    turned = np.linalg.qr(random.normal(size=(100, 3, 3)))[0]
    second = (turned * dimensions[:, None, :] ** 2) @ turned.swapaxes(1, 2)
    tensors = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    return np.column_stack([np.ones(100), random.uniform(-1, 1, (100, 3)), inertia_vector_from_matrix(tensors)])


def relative_difference(one: Array, other: Array) -> Array:
    """Difference of rows of pi, each quantity relative to its size: the mass, the tensor, and for moments their mean.

    Entries of one quantity share a scale, because turning the frame mixes them.
    """
    mass, trace = np.abs(other[..., 0]), other[..., 4:7].sum(axis=-1)
    scales = np.stack([mass, *3 * [np.sqrt(mass * trace)], *6 * [trace]], axis=-1)
    return np.max(np.abs(one - other) / scales, axis=-1)


def condition_number(pi_o: Array) -> Array:
    """That of the pseudo-inertia matrix, after mass and length are measured in units that fit the body."""
    mass, half_trace = pi_o[:, 0], pi_o[:, 4:7].sum(axis=-1) / 2
    length = np.sqrt(half_trace / mass)
    J = np.empty((len(pi_o), 4, 4))
    second = half_trace[:, None, None] * np.eye(3) - inertia_matrix_from_vector(pi_o[:, 4:])
    J[:, :3, :3] = second / half_trace[:, None, None]
    J[:, 3, :3] = J[:, :3, 3] = pi_o[:, 1:4] / (mass * length)[:, None]
    J[:, 3, 3] = 1.0
    return np.linalg.cond(J)


# Inverses -------------------------------------------------------------------------------------------------------------


def test_notations_round_trip_on_ten_thousand_bodies() -> None:
    pi_cm = random_bodies(10_000, thinnest=0.3)
    pi_o = pi_o_from_pi_cm(pi_cm)
    theta = theta_from_pi_o(pi_o)
    assert relative_difference(pi_cm_from_pi_o(pi_o), pi_cm).max() < 1e-12
    assert relative_difference(pi_o_from_theta(theta), pi_o).max() < 1e-12
    assert relative_difference(pi_cm_from_pi_o(pi_o_from_theta(theta)), pi_cm).max() < 1e-12
    again = theta_from_pi_o(pi_o_from_theta(theta))
    # The entries of theta are logarithms and quotients of lengths: each is compared with the largest of its row.
    assert np.max(np.abs(again - theta) / np.abs(theta).max(axis=1, keepdims=True)) < 1e-12
    np.testing.assert_allclose(pi_cm_from_drake(drake_from_pi_cm(pi_cm)), pi_cm, rtol=1e-15)


@pytest.mark.parametrize("axes", [1, 2], ids=["plate", "rod"])
@pytest.mark.parametrize("thinness", [1e-2, 1e-4, 1e-6])
def test_plates_and_rods_come_back_whole_and_their_theta_to_its_condition(thinness: float, axes: int) -> None:
    pi_cm = flat_bodies(thinness, axes=axes)
    pi_o = pi_o_from_pi_cm(pi_cm)
    theta = theta_from_pi_o(pi_o)
    # A Cholesky factor, whatever its condition, multiplies out to the matrix it was taken from (Wilkinson 1968).
    assert relative_difference(pi_o_from_theta(theta), pi_o).max() < 1e-14
    # The factor itself is off by the rounding of the matrix times its condition number, 1/thinness² and more: for a
    # plate of a millionth of its width that leaves four digits.
    condition = condition_number(pi_o)
    assert condition.min() > 0.1 / thinness**2
    again = theta_from_pi_o(pi_o_from_theta(theta))
    off = np.max(np.abs(again - theta), axis=1) / np.abs(theta).max(axis=1)
    assert (off < 8 * EPSILON * condition).all()


# Signs ----------------------------------------------------------------------------------------------------------------


def test_a_cloud_of_points_has_the_tensors_of_its_sums() -> None:
    random = np.random.default_rng(1)
    points = np.array([3.0, -2.0, 1.0]) + random.normal(size=(50, 3))
    masses = random.uniform(0.1, 1.0, 50)

    def tensor_about(origin: Array) -> Array:
        r = points - origin
        second = (masses[:, None] * r).T @ r
        tensor: Array = np.trace(second) * np.eye(3) - second
        return tensor

    first = masses @ points
    centre = first / masses.sum()
    pi_o = np.array([masses.sum(), *first, *inertia_vector_from_matrix(tensor_about(np.zeros(3)))])
    pi_cm = np.array([masses.sum(), *first, *inertia_vector_from_matrix(tensor_about(centre))])
    np.testing.assert_allclose(pi_cm_from_pi_o(pi_o), pi_cm, rtol=1e-12)
    np.testing.assert_allclose(pi_o_from_pi_cm(pi_cm), pi_o, rtol=1e-12)
    np.testing.assert_allclose(pi_o_from_theta(theta_from_pi_o(pi_o)), pi_o, rtol=1e-12)
    np.testing.assert_allclose(parallel_axis(tensor_about(centre), masses.sum(), -centre), tensor_about(np.zeros(3)))
    np.testing.assert_allclose(
        parallel_axis(tensor_about(np.zeros(3)), masses.sum(), centre, from_cm=False), tensor_about(centre)
    )


def test_vectors_and_matrices_have_their_entries_in_place_and_a_brick_from_its_corner_the_moments_of_tables() -> None:
    matrix = inertia_matrix_from_vector([1, 2, 3, 4, 5, 6])
    np.testing.assert_array_equal(matrix, [[1, 4, 5], [4, 2, 6], [5, 6, 3]])
    np.testing.assert_array_equal(inertia_vector_from_matrix(matrix), [1, 2, 3, 4, 5, 6])
    assert inertia_matrix_from_vector(np.zeros((2, 4, 6))).shape == (2, 4, 3, 3)
    assert inertia_vector_from_matrix(np.zeros((2, 4, 3, 3))).shape == (2, 4, 6)
    assert inertia_vector_from_matrix(np.eye(3, dtype=np.int64)).dtype == np.float64
    # m (b² + c²) / 3 and -m a b / 4 for a = 1, b = 2, c = 3.
    corner = [12, 6, 12, 18, 52, 40, 20, -6, -9, -18]
    np.testing.assert_allclose(pi_o_from_pi_cm([12, 6, 12, 18, 13, 10, 5, 0, 0, 0]), corner, rtol=1e-15)


# Validity -------------------------------------------------------------------------------------------------------------


@given(theta=st.lists(st.floats(-4.0, 4.0), min_size=10, max_size=10))
def test_every_theta_is_a_body(theta: list[float]) -> None:
    pi_o = pi_o_from_theta(theta)
    assert spatial_inertia_from_pi_cm(pi_cm_from_pi_o(pi_o)).is_physically_valid()
    # About the origin it holds without any tolerance: the moments are sums of squares.
    _, _, _, _, ixx, iyy, izz, *_ = pi_o
    assert min(ixx + iyy - izz, iyy + izz - ixx, izz + ixx - iyy) > 0.0


@pytest.mark.parametrize(
    "pi_o",
    [
        [1, 0, 0, 0, 1, 1, 3, 0, 0, 0],
        [1, 0, 0, 0, 1, 1, 1, 2, 0, 0],
        [-1, 0, 0, 0, 1, 1, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 2, 0, 0, 1, 1, 1, 0, 0, 0],
        [1, 0, 0, 0, 1, 1, 2, 0, 0, 0],
        [1, 0, 0, 0, np.nan, 1, 1, 0, 0, 0],
        [1, 0, 0, 0, 2, 1, 1, 0.5, 0, 0],
        [1, 1e200, 0, 0, 1e-200, 1e-200, 1e-200, 0, 0, 0],
    ],
    ids=["triangle", "product", "negative mass", "nothing", "too far out", "flat", "nan", "flat, askew", "overflow"],
)
def test_what_is_no_body_with_volume_has_no_theta(pi_o: list[float]) -> None:
    with pytest.raises(InertiaError, match="no theta"):
        theta_from_pi_o(pi_o)
    good = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    with pytest.raises(InertiaError, match="inertia at 1 has no theta"):
        theta_from_pi_o([good, pi_o, good])
    with pytest.raises(InertiaError, match=r"inertia at \(1, 0\) has no theta"):
        theta_from_pi_o([[good, good], [pi_o, good]])
    with pytest.raises(InertiaError, match="the inertia has no theta"):
        theta_from_pi_o(pi_o)


@pytest.mark.parametrize("convert", [pi_o_from_pi_cm, theta_from_pi_o, pi_o_from_theta, drake_from_pi_cm])
@pytest.mark.parametrize("shape", [(), (9,), (10, 3)])
def test_a_wrong_shape_is_refused(convert: object, shape: tuple[int, ...]) -> None:
    with pytest.raises(InertiaError, match=r"expected \(\.\.\., 10\)"):
        convert(np.ones(shape))  # type: ignore[operator]
    with pytest.raises(InertiaError, match="one body"):
        urdf_from_pi_cm(np.ones((2, 10)))
    with pytest.raises(InertiaError, match="3, 3"):
        inertia_vector_from_matrix(np.ones((3, 2)))


# Texts and bodies -----------------------------------------------------------------------------------------------------


@given(
    size=st.tuples(*3 * [st.floats(0.1, 3.0)]),
    angles=st.tuples(*3 * [st.floats(-3.0, 3.0)]),
    offset=st.tuples(*3 * [st.floats(-3.0, 3.0)]),
)
def test_bodies_texts_and_scalars_come_back(size, angles, offset):
    body = box(size, 1000.0).transformed(RigidTransform(rotation_from_rpy(*angles), offset))
    pi_cm = pi_cm_from_spatial_inertia(body)
    again = spatial_inertia_from_pi_cm(pi_cm)
    assert again.mass == body.mass
    assert again.p_BoBcm_B == pytest.approx(body.p_BoBcm_B, rel=1e-15, abs=0.0)
    assert again.I_BBcm_B == body.I_BBcm_B
    np.testing.assert_allclose(pi_cm_from_urdf(urdf_from_pi_cm(pi_cm)), pi_cm, rtol=1e-15)
    np.testing.assert_allclose(pi_cm_from_scalars(scalars_from_pi_cm(pi_cm)), pi_cm, rtol=1e-15)
    about_origin = inertia_vector_from_matrix(inertia_matrix_from_vector(body.I_BBo_B))
    np.testing.assert_allclose(pi_o_from_pi_cm(pi_cm)[4:], about_origin, atol=1e-12 * body.I_BBo_B.trace)


def test_texts_of_a_box_are_plain_numbers() -> None:
    pi_cm = [12, 6, 12, 18, 13, 10, 5, 0, -0.0, 1e-7]
    assert urdf_from_pi_cm(pi_cm) == ("12", "0.5 1 1.5", ("13", "10", "5", "0", "0", "1e-07"))
    assert scalars_from_pi_cm(pi_cm) == dict(zip(SCALAR_NAMES, (12, 0.5, 1, 1.5, 13, 10, 5, 0, 0, 1e-7), strict=True))
    assert list(scalars_from_pi_cm(pi_cm)) == ["m", "p_x", "p_y", "p_z", "I_xx", "I_yy", "I_zz", "I_xy", "I_xz", "I_yz"]


@pytest.mark.parametrize("texts", [("1", "0 0", ("1",) * 6), ("1", "0 0 0", ("1",) * 5), ("m", "0 0 0", ("1",) * 6)])
def test_texts_that_are_no_ten_numbers_are_refused(texts: tuple[str, str, tuple[str, ...]]) -> None:
    with pytest.raises(InertiaError, match="expected"):
        pi_cm_from_urdf(texts)  # type: ignore[arg-type]


# Values in exact arithmetic -------------------------------------------------------------------------------------------

F = Fraction
Exact = list[list[Fraction]]
# Rotations with rational entries.
STRAIGHT = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
LEANING = ((1, 0, 0), (0, F(3, 5), F(-4, 5)), (0, F(4, 5), F(3, 5)))
SKEW = ((F(2, 3), F(-1, 3), F(2, 3)), (F(2, 3), F(2, 3), F(-1, 3)), (F(-1, 3), F(2, 3), F(2, 3)))
# Mean squares of the distances from the centre along the axes of a body (m²).
BRICK = (F(1, 12), F(4, 12), F(9, 12))
BALL = (F(1, 500), F(1, 500), F(1, 500))
WHEEL = (F(9, 400), F(9, 400), F(1, 1200))
PLATE = (F(1, 12), F(1, 12), F(1, 12_000_000))
ROD = (F(1, 12), F(1, 120_000), F(1, 120_000))
EXAMPLES = {
    "a brick of 1 x 2 x 3 m and 1000 kg/m3 at its centre": (6000, (0, 0, 0), STRAIGHT, BRICK),
    "the same of 12 kg from its corner": (12, (F(1, 2), 1, F(3, 2)), STRAIGHT, BRICK),
    "a ball of 2 kg and 10 cm a quarter metre above": (2, (0, 0, F(1, 4)), STRAIGHT, BALL),
    "a wheel of 5 kg, 30 cm by 10 cm, that leans": (5, (F(1, 5), F(-1, 10), F(3, 10)), LEANING, WHEEL),
    "a plate of 1 m and 1 mm, askew": (F(39, 5), (F(1, 10), F(1, 5), F(-3, 10)), SKEW, PLATE),
    "a rod of 1 m and 1 cm, askew, from its end": (F(1, 2), (F(1, 3), F(1, 3), F(-1, 6)), SKEW, ROD),
}


def exact_second_moments(mass: Fraction, position: Sequence[Fraction], R: Exact, squares: Sequence[Fraction]) -> Exact:
    """The integral of r rᵀ over the mass about the origin; with position zero, about the centre."""
    return [
        [mass * (sum(R[i][k] * squares[k] * R[j][k] for k in range(3)) + position[i] * position[j]) for j in range(3)]
        for i in range(3)
    ]


def exact_tensor(S: Exact) -> list[Fraction]:
    return [S[1][1] + S[2][2], S[0][0] + S[2][2], S[0][0] + S[1][1], -S[0][1], -S[0][2], -S[1][2]]


def exact_theta(S: Exact, first: Sequence[Fraction], mass: Fraction) -> list[float]:
    """theta by square roots and logarithms of fifty digits, from quotients of determinants instead of a recursion."""
    J = [[*S[0], first[0]], [*S[1], first[1]], [*S[2], first[2]], [*first, mass]]

    def minor(size: int, last_column: int) -> Fraction:
        rows = range(size)
        columns = [*range(size - 1), last_column] if size else []
        return determinant([[J[row][column] for column in columns] for row in rows])

    def decimal(value: Fraction) -> Decimal:
        return Decimal(value.numerator) / Decimal(value.denominator)

    with localcontext() as context:
        context.prec = 50

        def entry(i: int, j: int) -> Decimal:
            return decimal(minor(i, j - 1)) / decimal(minor(i - 1, i - 2) * minor(i, i - 1)).sqrt()

        last = entry(4, 4)
        logarithms = [last.ln(), *((entry(i, i) / last).ln() for i in (1, 2, 3))]
        places = ((1, 2), (2, 3), (1, 3), (1, 4), (2, 4), (3, 4))
        return [float(value) for value in (*logarithms, *(entry(i, j) / last for i, j in places))]


def determinant(matrix: Exact) -> Fraction:
    if not matrix:
        return F(1)
    minors = ([row[:column] + row[column + 1 :] for row in matrix[1:]] for column in range(len(matrix)))
    return sum(((-1) ** k * matrix[0][k] * determinant(sub) for k, sub in enumerate(minors)), F(0))


@pytest.mark.parametrize("name", EXAMPLES)
def test_values_of_an_example_agree_with_exact_arithmetic(name: str) -> None:
    mass, position, R, squares = EXAMPLES[name]  # type: ignore[misc]
    m, p, rotation = F(mass), [F(x) for x in position], [[F(x) for x in row] for row in R]
    S = exact_second_moments(m, p, rotation, squares)
    first = [m * x for x in p]
    central = exact_tensor(exact_second_moments(m, [F(0)] * 3, rotation, squares))
    pi_cm = np.array([float(x) for x in (m, *first, *central)])
    pi_o = np.array([float(x) for x in (m, *first, *exact_tensor(S))])
    drake = np.array([float(x) for x in (m, *p, *(x / m for x in central))])
    theta = exact_theta(S, first, m)
    assert relative_difference(pi_o_from_pi_cm(pi_cm), pi_o) < 4 * EPSILON
    assert relative_difference(pi_cm_from_pi_o(pi_o), pi_cm) < 20 * EPSILON
    assert relative_difference(pi_o_from_theta(theta), pi_o) < 20 * EPSILON
    np.testing.assert_allclose(drake_from_pi_cm(pi_cm), drake, rtol=2 * EPSILON)
    assert [float(x) for x in scalars_from_pi_cm(pi_cm).values()] == pytest.approx(
        [float(x) for x in (m, *p, *central)], rel=2 * EPSILON, abs=0.0
    )
    off = np.max(np.abs(theta_from_pi_o(pi_o) - theta)) / np.max(np.abs(theta))
    assert off < 8 * EPSILON * condition_number(pi_o[np.newaxis])[0]
