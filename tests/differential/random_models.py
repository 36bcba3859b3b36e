"""Random SDF documents: nested and included models, chains of frames, densities and masses, solids and meshes."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PRIMITIVES = ("box", "sphere", "cylinder", "capsule", "cone", "ellipsoid")
PART = (
    '<sdf version="1.12"><model name="part"><pose>0.3 -0.2 0.9 0.5 0.1 -2</pose><link name="base"><pose>1 0 0 0 0 0.4'
    '</pose></link><frame name="mount" attached_to="base"><pose>0 0 2 0.3 0 0</pose></frame></model></sdf>\n'
)


def write_meshes(folder: Path, seed: int, count: int = 12) -> list[Path]:
    """Tessellated solids as OBJ files: of triangles and flat polygons, off their origins, some of them inside out."""
    rng = random.Random(seed)
    paths = []
    for number in range(count):
        kind = ("prism", "ball", "cone", "star")[number % 4]
        points, faces = _solid(kind, rng)
        shift = [rng.choice([0.0, rng.uniform(-3, 3)]) for _ in range(3)]
        if rng.random() < 0.3:
            faces = [face[::-1] for face in faces]
        lines = ["v " + " ".join(repr(x + s) for x, s in zip(point, shift, strict=True)) for point in points]
        lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces]
        path = folder / f"{kind}{number}.obj"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def _solid(kind: str, rng: random.Random) -> tuple[list[tuple[float, float, float]], list[list[int]]]:
    n, r, h = rng.randint(3, 16), rng.uniform(0.1, 2), rng.uniform(0.1, 3)
    ring = [(math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)) for k in range(n)]
    if kind == "ball":
        # Rings of latitude between two poles; what is between them are trapezia, which are flat.
        m = rng.randint(2, 6)
        rings = [(math.sin(math.pi * j / (m + 1)), math.cos(math.pi * j / (m + 1))) for j in range(1, m + 1)]
        points = [(r * s * x, r * s * y, r * z) for s, z in rings for x, y in ring] + [(0, 0, r), (0, 0, -r)]
        faces = [[n * m, k, (k + 1) % n] for k in range(n)]
        faces += [[n * m + 1, n * (m - 1) + (k + 1) % n, n * (m - 1) + k] for k in range(n)]
        for j in range(m - 1):
            faces += [[n * j + k, n * (j + 1) + k, n * (j + 1) + (k + 1) % n, n * j + (k + 1) % n] for k in range(n)]
        return points, faces
    radii = [rng.uniform(0.3, 1) * r for _ in ring] if kind == "star" else [r] * n
    base = [(s * x, s * y, 0.0) for s, (x, y) in zip(radii, ring, strict=True)]
    if kind == "cone":
        return [*base, (0, 0, h)], [list(range(n))[::-1], *([k, (k + 1) % n, n] for k in range(n))]
    # The caps as fans from their middle, since those of a star are not convex.
    points = [*base, *((x, y, h) for x, y, _ in base), (0.0, 0.0, 0.0), (0.0, 0.0, h)]
    faces = [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)]
    faces += [[2 * n, (k + 1) % n, k] for k in range(n)] + [[2 * n + 1, n + k, n + (k + 1) % n] for k in range(n)]
    return points, faces


class Documents:
    """Makes documents, each from its own seed."""

    def __init__(
        self,
        meshes: Sequence[Path] = (),
        part: Path | None = None,
        polylines: bool = True,
        unit_quaternions: bool = False,
    ) -> None:
        self._meshes = meshes
        self._part = part
        self._unit_quaternions = unit_quaternions
        self._kinds = (*PRIMITIVES, *(["polyline"] if polylines else []), *(["mesh"] * 3 if meshes else []))

    def document(self, seed: int) -> str:
        """The document of a seed."""
        self._rng = random.Random(seed)
        text, _ = self._model("m", 0)
        if self._rng.random() < 0.2:
            text = f'<world name="w">{text}</world>'
        return f'<?xml version="1.0"?>\n<sdf version="1.12">\n{text}\n</sdf>\n'

    def _number(self) -> float:
        rng = self._rng
        return rng.choice([0.0, 1.0, round(rng.uniform(-2, 2), 2), rng.uniform(-2, 2)])

    def _size(self) -> float:
        return self._rng.choice([1.0, round(self._rng.uniform(0.05, 2), 2), 10 ** self._rng.uniform(-2, 0.5)])

    def _pose(self, frames: Sequence[str], chance: float = 0.8) -> str:
        """A `<pose>`, relative to one of the frames or to the default."""
        rng = self._rng
        if rng.random() > chance:
            return ""
        attributes = f' relative_to="{rng.choice(frames)}"' if frames and rng.random() < 0.6 else ""
        numbers = [self._number() for _ in range(6)]
        form = rng.choice(["rpy", "rpy", "degrees", "quaternion", "empty"])
        if form == "empty":
            return f"<pose{attributes}/>"
        if form == "degrees":
            attributes += ' degrees="true"'
            numbers[3:] = [90 * number for number in numbers[3:]]
        if form == "quaternion":
            attributes += ' rotation_format="quat_xyzw"'
            quaternion = [rng.gauss(0, 1) for _ in range(4)]
            length = math.hypot(*quaternion) if self._unit_quaternions else 1.0
            numbers = [*numbers[:3], *(q / length for q in quaternion)]
        return f"<pose{attributes}>{' '.join(map(repr, numbers))}</pose>"

    def _geometry(self) -> str:
        rng, kind = self._rng, self._rng.choice(self._kinds)
        a, b, c = self._size(), self._size(), self._size()
        if kind == "mesh":
            scale = " ".join(repr(rng.choice([1, 1, -1]) * self._size()) for _ in range(3))
            uri = f"<uri>file://{rng.choice(self._meshes).as_posix()}</uri>"
            return f"<mesh>{uri}{rng.choice(['', f'<scale>{scale}</scale>'])}</mesh>"
        if kind == "polyline":
            corners = ((0, 0), (a, 0), (a, b / 3), (a / 4, b / 3), (a / 4, b), (0, b))
            points = "".join(f"<point>{x!r} {y!r}</point>" for x, y in corners)
            return f"<polyline>{points}<height>{c!r}</height></polyline>"
        if kind in ("box", "ellipsoid"):
            name = "size" if kind == "box" else "radii"
            return f"<{kind}><{name}>{a!r} {b!r} {c!r}</{name}></{kind}>"
        length = f"<length>{b!r}</length>" if kind != "sphere" else ""
        return f"<{kind}><radius>{a!r}</radius>{length}</{kind}>"

    def _collision(self, name: str, frames: Sequence[str], may_be_weightless: bool) -> str:
        densities = ["", "", "<density/>", "<density>0.5</density>", "<density>7850</density>"]
        if may_be_weightless:
            densities.append("<density>0</density>")
        density = self._rng.choice(densities)
        geometry = f"<geometry>{self._geometry()}</geometry>"
        return f'<collision name="{name}">{self._pose(frames)}{density}{geometry}</collision>'

    def _inertial(self) -> str:
        rng = self._rng
        inside = rng.choice(["", f"<mass>{self._size()!r}</mass>"])
        inside += rng.choice(["", "", f"<density>{1000 * self._size()!r}</density>"])
        return f'<inertial auto="{rng.choice(["true", "1"])}">{inside}</inertial>'

    def _model(self, name: str, level: int) -> tuple[str, list[str]]:
        """A model's text, with @PLACE@ for what its outer model says of its place, and the frames in it."""
        rng = self._rng
        frames, links, free, parts = ["__model__"], [], [], []
        kinds = (
            ["link", "link", "frame", "joint"] + (["model"] if level < 2 else []) + (["include"] if self._part else [])
        )
        for index in range(rng.randint(2, 6)):
            kind = "link" if index == 0 else rng.choice(kinds)
            if kind == "joint" and not free:
                kind = "frame"
            own = f"{kind[0]}{index}"
            if kind == "link":
                links.append((own, self._pose(frames)))
                free.append(own)
            elif kind == "frame":
                attached = f' attached_to="{rng.choice(frames)}"' if rng.random() < 0.5 else ""
                parts.append(f'<frame name="{own}"{attached}>{self._pose(frames)}</frame>')
            elif kind == "joint":
                # Drake takes no second joint of the same two links.
                child = free.pop(rng.randrange(len(free)))
                ends = f"<parent>world</parent><child>{child}</child>"
                parts.append(f'<joint name="{own}" type="fixed">{self._pose(frames)}{ends}</joint>')
            elif kind == "include":
                frame = rng.choice(["", "", "<placement_frame>mount</placement_frame>"])
                pose = self._pose(frames, chance=1.0 if frame else 0.7)
                uri = f"<uri>file://{self._part.as_posix()}</uri>" if self._part else ""
                parts.append(f"<include>{uri}<name>{own}</name>{frame}{pose}</include>")
                frames += [f"{own}::base", f"{own}::mount", f"{own}::__model__"]
            else:
                text, inner = self._model(own, level + 1)
                at = rng.choice([frame for frame in inner if "::" not in frame and frame != "__model__"])
                attribute = f' placement_frame="{at}"' if rng.random() < 0.4 else ""
                parts.append(text.replace("@FRAME@", attribute, 1).replace("@POSE@", self._pose(frames), 1))
                frames += [f"{own}::{frame}" for frame in inner]
            frames.append(own)
        for link, pose in links:
            # Frames that come later count too: where a collision is, nothing else depends on.
            count = rng.randint(1, 3)
            inside = [self._collision(f"c{n}", frames, may_be_weightless=n > 0) for n in range(count)]
            parts.append(f'<link name="{link}">{pose}{self._inertial()}{"".join(inside)}</link>')
        rng.shuffle(parts)
        start = f'<model name="{name}"@FRAME@>@POSE@' if level else f'<model name="{name}">{self._pose([])}'
        return start + "\n".join(parts) + "</model>", frames
