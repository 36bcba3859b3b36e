"""Libraries that only some methods need, and what to do where they are not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sdfinertia.errors import MeshError

_DISTRIBUTIONS = {"igl": "libigl", "manifold3d": "manifold3d", "vhacdx": "vhacdx"}


def optional_library(module: str, needed_for: str) -> Any:
    """The imported module.

    Args:
        module: its import name, one of igl, manifold3d and vhacdx.
        needed_for: what needs it, as the subject of a sentence: "the method voxel".

    Raises:
        MeshError: it is not installed, or does not load.
    """
    try:
        return import_module(module)
    except ImportError as error:
        # An installed library whose own dependencies are missing says which; that no reinstallation may mend.
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        raise MeshError(
            f"{needed_for} needs the library {_DISTRIBUTIONS[module]}" + ("" if missing else f", which fails: {error}"),
            remedy="install it with `pip install sdfinertia[robust]`",
        ) from None
