"""The number of trials of tests that draw their own random numbers."""

import os


def trials(common: int, thorough: int) -> int:
    """The first number, or the second where HYPOTHESIS_PROFILE asks for thorough tests."""
    return thorough if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else common
