import numpy as np
import pytest
from builders.bodies import rotations, tensor_matrix
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.nearest_valid import relative_moments

ROD = InertiaTensor(0.1, 4.0, 4.0)
moments = st.floats(0.1, 10.0)
tensors = st.builds(
    lambda a, b, c, rotation: InertiaTensor(a, b, c).rotated(rotation), moments, moments, moments, rotations
)


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (ROD, (1.0, 1.0, 1.0)),
        (InertiaTensor(0.3, 12.0, 12.0), (3.0, 3.0, 3.0)),
        (InertiaTensor(4.0, 0.1, 4.0), (0.025, 1.0, 40.0)),
        (InertiaTensor(-0.1, 2.0, 8.0), (-1.0, 0.5, 2.0)),
        (InertiaTensor(0.1, 4.0, 4.0, 0.0, 0.0, 2.0), (0.5, 1.0, 1.5)),
    ],
    ids=["the same", "three times", "exchanged axes", "impossible", "a product"],
)
def test_a_tensor_is_measured_in_moments_of_another(tensor: InertiaTensor, expected: tuple[float, ...]) -> None:
    assert relative_moments(tensor, ROD) == pytest.approx(expected, rel=1e-12)


def test_exchanged_axes_show_whatever_order_the_reference_has() -> None:
    assert relative_moments(ROD, InertiaTensor(4.0, 4.0, 0.1)) == pytest.approx((0.025, 1.0, 40.0), rel=1e-12)


@given(tensors, tensors)
def test_they_are_the_generalized_eigenvalues(tensor: InertiaTensor, reference: InertiaTensor) -> None:
    expected = sorted(np.linalg.eigvals(np.linalg.solve(tensor_matrix(*reference), tensor_matrix(*tensor))).real)
    assert relative_moments(tensor, reference) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "reference", [(1.0, 0.0, 1.0), (1.0, 1.0, -1.0), (1.0, 1.0, 1.0, 2.0), (float("nan"), 1.0, 1.0)]
)
def test_what_is_not_positive_definite_measures_nothing(reference: tuple[float, ...]) -> None:
    with pytest.raises(InertiaError, match="positive definite"):
        relative_moments(ROD, InertiaTensor(*reference))
