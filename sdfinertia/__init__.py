"""Computes, writes and checks the inertials of SDFormat robot models.

    >>> import sdfinertia
    >>> result = sdfinertia.fill("fixtures/rover/model.sdf")  # nothing is written yet
    >>> result.write("filled.sdf")  # notes, such as on a hard link that was broken
    []
    >>> wheel = sdfinertia.inertials("filled.sdf")["rover::front_left_wheel"]
    >>> wheel.mass
    1.85
    >>> print(wheel.as_mjcf())
    <inertial pos="0 -0.00256500207097 0" mass="1.85" fullinertia="..."/>

Conventions, here and in every module: lengths in m, masses in kg, densities in kg/m³, inertia in kg·m². A tensor is
about the centre of mass, in axes parallel to the frame it is given in; products of inertia are negative integrals,
`ixy = -∫ x y dm`. Monogram notation: `X_LC` is the pose of frame C in frame L, `p_BoBcm_B` the position of the centre
of mass of body B from its origin, `I_BBcm_B` its inertia about its centre of mass, both expressed in B. Rotations are
fixed-axis roll, pitch, yaw.

`sdfinertia.parametrization` has to be imported by its name: it needs numpy, which takes longer to load than all else.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if sys.argv[:1] == ["-m"] and "sdfinertia" in sys.orig_argv and not getattr(sys.flags, "safe_path", False):
    # `python -m sdfinertia` puts the current directory first: a checked tree could shadow modules from there.
    del sys.path[0]

# A public function has the name of this room, and would lose it to the room when that is imported.
import_module("sdfinertia.mesh")
del mesh  # noqa: F821

if TYPE_CHECKING:
    from sdfinertia.api import *  # noqa: F403
    from sdfinertia.api import __all__ as __all__
    from sdfinertia.api import body_of as body_of
else:

    def __getattr__(name: str) -> object:
        """A public name: to load all of them takes longer than the command line takes to fill a file."""
        if name == "parametrization":
            return import_module("sdfinertia.parametrization")
        return getattr(import_module("sdfinertia.api"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *import_module("sdfinertia.api").__all__})
