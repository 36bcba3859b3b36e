"""What is said of the sum over the collisions of a link."""

from __future__ import annotations

import pytest

from sdfinertia.documents.filling import fill


def notes_of(size: float, density: float, *, model: str = "") -> list[str]:
    """The notes on a link that is a cube."""
    text = (
        f"<sdf version='1.11'><model name='m'>{model}<link name='l'><inertial auto='true'/><collision name='c'>"
        f"<density>{density}</density><geometry><box><size>1 1 {size}</size></box></geometry></collision></link>"
        "</model></sdf>"
    )
    (link,) = fill(text.encode(), filename="/nowhere/m.sdf").links
    assert link.error is None
    return [note for note in link.notes if "millimetres" in note]


@pytest.mark.parametrize(
    ("size", "density", "said"),
    [
        pytest.param(11, 1, ["a link of 11 m: is a file in millimetres?"], id="long"),
        pytest.param(1, 10_001, ["a link of 10001 kg: is a file in millimetres?"], id="heavy"),
        pytest.param(11, 10_001, ["a link of 11 m: is a file in millimetres?"], id="both"),
        pytest.param(10, 1001, ["a link of 10010 kg: is a file in millimetres?"], id="heavy, and as long as may be"),
        pytest.param(10, 1, [], id="as long as may be"),
        pytest.param(1, 10_000, [], id="as heavy as may be"),
    ],
)
def test_a_large_link_is_asked_about(size: float, density: float, said: list[str]) -> None:
    assert notes_of(size, density) == said
    assert notes_of(size, density, model="<static>true</static>") == [], "buildings are large"
