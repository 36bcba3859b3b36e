"""Random URDF documents: origins of both kinds, densities by request and by collision, masses, solids and meshes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


class Robots:
    """Makes documents, each from its own seed."""

    def __init__(self, meshes: Sequence[Path], *, extensions: bool = True) -> None:
        self._meshes = meshes
        self._extensions = extensions

    def document(self, seed: int) -> str:
        """The text of a robot in which every link with collisions asks to be filled."""
        rng = random.Random(seed)
        version = rng.choice(["", ' version="1.0"', " version='1.1'", ' version="1.2"'])
        has_quaternions = self._extensions and ("1.1" in version or "1.2" in version)
        writer = _Writer(rng, has_quaternions=has_quaternions, has_densities=self._extensions, meshes=self._meshes)
        links = "\n".join(writer.link(f"l{number}") for number in range(rng.randint(1, 4)))
        return f'<robot name="r"{version}>\n{links}\n</robot>\n'


class _Writer:
    def __init__(
        self, rng: random.Random, *, has_quaternions: bool, has_densities: bool, meshes: Sequence[Path]
    ) -> None:
        self._rng = rng
        self._has_quaternions = has_quaternions
        self._has_densities = has_densities
        self._meshes = meshes

    def link(self, name: str) -> str:
        rng = self._rng
        density = rng.choice(["", f" density={rng.uniform(1, 9000)!r}"]) if self._has_densities else ""
        request = f"<!-- sdfinertia: auto{density} -->"
        parts = [request, *(self._collision() for _ in range(rng.randint(1, 4)))]
        parts += ["<visual><geometry><sphere radius='9'/></geometry></visual>"] if rng.random() < 0.3 else []
        parts += [self._inertial()] if rng.random() < 0.6 else []
        rng.shuffle(parts)
        space = rng.choice(["", "\n    "])
        return f'  <link name="{name}">' + "".join(space + part for part in parts) + "</link>"

    def _inertial(self) -> str:
        rng = self._rng
        children = [self._tag("origin", {"xyz": "1 2 3", "rpy": "0 0 1"})] if rng.random() < 0.5 else []
        children += [self._tag("mass", {"value": self._number(0.1, 50)})] if rng.random() < 0.5 else []
        entries = {name: rng.choice(["0", "1.0", "7e-3"]) for name in _ENTRIES}
        children += [self._tag("inertia", entries)] if rng.random() < 0.5 else []
        rng.shuffle(children)
        return f"<inertial>{''.join(children)}</inertial>" if children else rng.choice(["<inertial/>", ""])

    def _collision(self) -> str:
        rng = self._rng
        parts = [f"<geometry>{self._shape()}</geometry>", *self._origin()]
        if self._has_densities and rng.random() < 0.3:
            parts.append(f"<!-- sdfinertia: density={self._number(1, 9000)} -->")
        rng.shuffle(parts)
        return f"<collision>{''.join(parts)}</collision>"

    def _origin(self) -> list[str]:
        rng = self._rng
        if rng.random() < 0.2:
            return []
        values = {}
        if rng.random() < 0.8:
            values["xyz"] = self._numbers(-2, 2)
        if self._has_quaternions and rng.random() < 0.4:
            values["quat_xyzw"] = " ".join(repr(rng.uniform(-1, 1)) for _ in range(4))
        elif rng.random() < 0.8:
            values["rpy"] = self._numbers(-7, 7)
        return [self._tag("origin", values)]

    def _shape(self) -> str:
        rng = self._rng
        kind = rng.choice(["box", "sphere", "cylinder", "capsule", *(["mesh"] if self._meshes else [])])
        if kind == "box":
            return self._tag(kind, {"size": self._numbers(0.01, 3)})
        if kind == "mesh":
            values = {"filename": rng.choice(self._meshes).name}
            if rng.random() < 0.5:
                values["scale"] = " ".join(repr(rng.choice([-1, 1]) * rng.uniform(0.01, 2)) for _ in range(3))
            return self._tag(kind, values)
        values = {"radius": self._number(0.01, 2)}
        return self._tag(kind, values if kind == "sphere" else {**values, "length": self._number(0.01, 3)})

    def _number(self, low: float, high: float) -> str:
        value = self._rng.uniform(low, high)
        return self._rng.choice([repr(value), f"{value:.3f}", f"{value:.5e}"])

    def _numbers(self, low: float, high: float) -> str:
        return self._rng.choice([" ", "  "]).join(self._number(low, high) for _ in range(3))

    def _tag(self, name: str, values: dict[str, str]) -> str:
        rng = self._rng
        pairs = list(values.items())
        rng.shuffle(pairs)
        quote, equals = rng.choice("'\""), rng.choice(["=", " = "])
        attributes = "".join(f" {key}{equals}{quote}{value}{quote}" for key, value in pairs)
        return f"<{name}{attributes}" + rng.choice(["/>", " />", f"></{name}>"])
