"""The contract of error messages."""

from sdfinertia.errors import SdfInertiaError


def require_message(error: SdfInertiaError, *, with_place: bool = False) -> None:
    """An error says what is wrong on lines that a terminal takes as they are, and where if its place can be known."""
    assert error.problem
    assert "\0" not in str(error)
    assert "\x1b" not in str(error), "a terminal would obey the message"
    if with_place:
        assert error.location is not None, f"an error without a place: {error}"
        assert error.location.line > 0
        assert error.location.column > 0
