"""Documents made at random, in all the forms that SDF files have in the wild, filled and read by other means."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest
from builders.bodies import is_accepted_by_gz_math
from builders.rigid_bodies import Body, box, capsule, cone, cylinder, ellipsoid, placed, sphere, total, weighing
from builders.rigid_bodies import pose as pose_matrix
from builders.robots import ENTRIES
from hypothesis import example, given
from hypothesis import strategies as st

from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options

Matrix = npt.NDArray[np.float64]


def solid(kind: str, a: float, b: float, c: float, density: float) -> Body:
    if kind == "box":
        return box(a, b, c, density)
    if kind == "ellipsoid":
        return ellipsoid(a, b, c, density)
    if kind == "sphere":
        return sphere(a, density)
    if kind == "polyline":
        # A rectangle from (0, 0) to (a, b), extruded from 0 to c.
        return placed(box(a, b, c, density), pose_matrix(a / 2, b / 2, c / 2))
    return {"cylinder": cylinder, "cone": cone, "capsule": capsule}[kind](a, b, density)


# Documents -----------------------------------------------------------------------------------------------------------

NOISE = (
    "<!-- <inertial auto='true'/> -->",
    "<!-- a -- b --->",
    "<!--<link name='x'>-->",
    "<![CDATA[<link name='x'><inertial auto='true'/></link>]]>",
    "<drake:tag gz:x='1'><inertial auto='true'/></drake:tag>",
    "<plugin name='p'><link name='l0'><inertial auto='true'/><density>3</density></link></plugin>",
    "<plugin name='p'><mass>7</mass></plugin>",
    "<?hint <link> ?>",
    "<!---->",
    "<gz:note a='>'  b = \"<\">é &amp; ü</gz:note>",
)


@dataclass
class Writer:
    """Writes a random document, and keeps what its links should come to."""

    rng: random.Random
    newlines: list[str]
    indent: str
    quotes: str
    expected: dict[str, Body | None] = field(default_factory=dict)

    def line(self, depth: int) -> str:
        return self.rng.choice(self.newlines) + self.indent * depth if self.newlines else ""

    def number(self, value: float) -> str:
        return self.rng.choice([repr(value), f"{value:.17g}", f"{value:+.17e}", f" {value!r}"])

    def value(self) -> float:
        return self.rng.choice([0.0, 1.0, -0.5, round(self.rng.uniform(-3, 3), 3), self.rng.uniform(-10, 10)])

    def size(self) -> float:
        return self.rng.choice([1.0, 0.25, round(self.rng.uniform(0.01, 3), 3), 10 ** self.rng.uniform(-4, 1)])

    def vector(self, values: list[float]) -> str:
        gap = self.rng.choice([" ", "  ", "\t", " <!-- , --> "] + ([self.newlines[0]] if self.newlines else []))
        return (
            self.rng.choice(["", " "]) + gap.join(map(self.number, values)) + self.rng.choice(["", " ", "<!-- end -->"])
        )

    def attribute(self, name: str, value: str) -> str:
        quote = self.rng.choice(self.quotes)
        space, equals = self.rng.choice([" ", "  ", self.line(0) or " "]), self.rng.choice(["=", " = "])
        return f"{space}{name}{equals}{quote}{value}{quote}"

    def noise(self, depth: int) -> str:
        return self.line(depth) + self.rng.choice(NOISE) if self.rng.random() < 0.15 else ""

    def element(self, name: str, inside: list[str], depth: int, attributes: str = "") -> str:
        if not inside:
            return self.line(depth) + f"<{name}{attributes}/>"
        text = "".join(self.noise(depth + 1) + child for child in inside)
        close = self.line(depth) if text.startswith(tuple(self.newlines)) and self.newlines else ""
        space = self.rng.choice(["", "", " "])
        return self.line(depth) + f"<{name}{attributes}{space}>{text}{close}</{name}{space}>"

    def leaf(self, name: str, text: str, depth: int, attributes: str = "") -> str:
        return self.line(depth) + f"<{name}{attributes}>{text}</{name}>"

    def pose(self, depth: int, frames: dict[str, Matrix], default: str) -> tuple[str, Matrix]:
        """A `<pose>` and the matrix it stands for in `__model__`."""
        frame = self.rng.choice([*frames, default, default])
        attributes = "" if frame == default else self.attribute("relative_to", frame)
        if attributes == "" and self.rng.random() < 0.2:
            return "", frames[default]
        numbers = [self.value() for _ in range(6)]
        form = self.rng.choice(["rpy", "degrees", "quaternion", "identity"])
        if form == "identity":
            return self.leaf("pose", self.rng.choice(["", " "]), depth, attributes), frames[frame]
        if form == "degrees":
            attributes += self.attribute("degrees", self.rng.choice(["true", "1"]))
            X = pose_matrix(*numbers[:3], *map(math.radians, numbers[3:]))
        elif form == "quaternion":
            attributes += self.attribute("rotation_format", "quat_xyzw")
            half = numbers[3] / 2
            numbers[3:] = [0.0, 1.5 * math.sin(half), 0.0, 1.5 * math.cos(half)]
            X = pose_matrix(*numbers[:3], 0.0, 2 * half, 0.0)
        else:
            X = pose_matrix(*numbers)
        return self.leaf("pose", self.vector(numbers), depth, attributes), frames[frame] @ X

    def geometry(self, depth: int, density: float) -> tuple[str, Body]:
        kind = self.rng.choice(["box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "polyline"])
        a, b, c = self.size(), self.size(), self.size()
        if kind in ("box", "ellipsoid"):
            inside = [self.leaf("size" if kind == "box" else "radii", self.vector([a, b, c]), depth + 2)]
        elif kind == "polyline":
            corners = [(0.0, 0.0), (a, 0.0), (a, b), (0.0, b)]
            inside = [self.leaf("point", self.vector(list(corner)), depth + 2) for corner in corners]
            inside.append(self.leaf("height", self.number(c), depth + 2))
        else:
            inside = [self.leaf("radius", self.vector([a]), depth + 2)]
            if kind != "sphere":
                inside.append(self.leaf("length", self.vector([b]), depth + 2))
                self.rng.shuffle(inside)
        shape = self.element(kind, inside, depth + 1)
        return self.element("geometry", [shape], depth), solid(kind, a, b, c, density)

    def link(self, name: str, scope: str, depth: int, frames: dict[str, Matrix], own_pose: str, X_ML: Matrix) -> str:
        form = self.rng.choice(["auto", "auto", "auto", "mass", "density", "hand", "none"])
        density_of_link = self.size() * 1000 if form == "density" else None
        bodies, collisions = [], []
        for index in range(self.rng.randint(1, 3)):
            own = self.rng.choice([None, 0.5, 7850.0])
            density = own if own is not None else density_of_link if density_of_link is not None else 1000.0
            geometry, body = self.geometry(depth + 2, density)
            # Frames of the model, in the link's frame.
            seen = {frame: np.linalg.inv(X_ML) @ X for frame, X in frames.items()} | {"": np.eye(4)}
            pose, X_LG = self.pose(depth + 2, seen, "")
            inside = [pose, geometry]
            if own is not None:
                inside.append(self.leaf("density", self.vector([own]), depth + 2))
            self.rng.shuffle(inside)
            collisions.append(self.element("collision", [x for x in inside if x], depth + 1, f" name='c{index}'"))
            bodies.append(placed(body, X_LG))
        sum_of_all = total(*bodies)
        children = collisions + ([own_pose] if own_pose else [])
        self.rng.shuffle(children)
        if form != "none":
            inertial, mass = self.inertial(form, density_of_link, depth + 1)
            if mass is not None:
                sum_of_all = weighing(mass, sum_of_all)
            children.insert(self.rng.randint(0, len(children)), inertial)
            self.expected[f"{scope}::{name}"] = sum_of_all if form != "hand" else None
        return self.element("link", children, depth, self.attribute("name", name))

    def inertial(self, form: str, density: float | None, depth: int) -> tuple[str, float | None]:
        entries = [
            self.leaf(name, self.vector([self.size()]), depth + 2)
            for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
            if self.rng.random() < 0.6
        ]
        optional = [
            self.leaf("pose", self.vector([0.0] * 6), depth + 1, self.rng.choice(["", " relative_to=''"])),
            self.element("inertia", entries, depth + 1),
            self.line(depth + 1) + "<fluid_added_mass/>",
            self.line(depth + 1) + "<!-- from -- CAD -->",
        ]
        inside = [child for child in optional if self.rng.random() < 0.4]
        mass = None
        if form == "mass" or (form == "hand" and self.rng.random() < 0.5):
            mass = self.size()
            inside.append(self.leaf("mass", self.vector([mass]), depth + 1))
        if density is not None:
            inside.append(self.leaf("density", self.vector([density]), depth + 1))
        self.rng.shuffle(inside)
        if form == "hand":
            return self.element("inertial", inside, depth, self.rng.choice(["", " auto='false'"])), None
        return self.element(
            "inertial", inside, depth, self.attribute("auto", self.rng.choice(["true", "1", " True "]))
        ), mass

    def model(self, name: str, scope: str, depth: int, level: int) -> tuple[str, dict[str, Matrix]]:
        """A model, and its frames in its own `__model__`; the pose of the model itself is for the caller to add."""
        frames: dict[str, Matrix] = {"__model__": np.eye(4)}
        children: list[str] = []
        pending: list[tuple[str, str, Matrix]] = []
        for index in range(self.rng.randint(1, 4)):
            kind = self.rng.choice(["link", "link", "frame", "model"] if level < 2 else ["link", "frame"])
            if kind == "link":
                pose, X = self.pose(depth + 2, frames, "__model__")
                pending.append((f"l{index}", pose, X))
                frames[f"l{index}"] = X
            elif kind == "frame":
                attached = self.rng.choice([*frames])
                attributes = self.attribute("attached_to", attached) if attached != "__model__" else ""
                pose, X = self.pose(depth + 2, frames, attached)
                children.append(
                    self.element("frame", [pose] if pose else [], depth + 1, f" name='f{index}'{attributes}")
                )
                frames[f"f{index}"] = X
            else:
                pose, X = self.pose(depth + 2, frames, "__model__")
                text, inner = self.model(f"n{index}", f"{scope}::n{index}", depth + 1, level + 1)
                children.append(text.replace("@POSE@", pose))
                frames[f"n{index}"] = X
                frames |= {f"n{index}::{frame}": X @ X_MF for frame, X_MF in inner.items()}
        children += [self.link(link, scope, depth + 1, frames, pose, X) for link, pose, X in pending]
        self.rng.shuffle(children)
        children.append(self.element("joint", [self.leaf("parent", "world", depth + 2)], depth + 1, " name='j'"))
        text = self.element("model", ["@POSE@", *children], depth, self.attribute("name", name))
        return text, frames


def document(seed: int) -> tuple[bytes, dict[str, Body | None]]:
    """A document, and by scoped name the body that each link with an `<inertial>` should be (None: left alone)."""
    rng = random.Random(seed)
    newlines = rng.choice([["\n"], ["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"], []])
    writer = Writer(rng, newlines, rng.choice(["  ", "    ", "\t", ""]), rng.choice(["'", '"', "'\""]))
    text, _ = writer.model("m", "m", 1, 0)
    text = text.replace("@POSE@", rng.choice(["", "<pose>1 2 3 0 0 1</pose>"]))
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "iso-8859-1"])
    head = rng.choice(["", "<?xml version='1.0'?>", "\n<!-- licence -- é -->\n<?xml version='1.0' ?>\n"])
    if encoding == "iso-8859-1":
        head = "<?xml version='1.0' encoding='ISO-8859-1'?>"
    if rng.random() < 0.5:
        text = f"<world name='w'><state><model name='m'><link name='l0'/></model></state>{text}</world>"
    text = f"{head}<sdf version='1.11'>{text}{writer.line(0)}</sdf>{rng.choice(['', writer.line(0), ' <!-- end -->'])}"
    return text.encode(encoding), writer.expected


# An independent reader -----------------------------------------------------------------------------------------------


def skipped(data: bytes, position: int) -> int:
    """The end of a comment, CDATA section or processing instruction that begins here, or the position itself."""
    for begin, end in ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")):
        if data.startswith(begin, position):
            return data.index(end, position + len(begin)) + len(end)
    return position


def tag_end(data: bytes, position: int) -> int:
    """Where a tag that begins here ends; a `>` between quotes does not count."""
    quote = b""
    while True:
        character = data[position : position + 1]
        if quote:
            quote = b"" if character == quote else quote
        elif character in (b"'", b'"'):
            quote = character
        elif character == b">":
            return position + 1
        position += 1


def blocks(data: bytes) -> dict[str, tuple[int, int]]:
    """The span of the first `<inertial>` of every link of every model, by scoped name."""
    found: dict[str, tuple[int, int]] = {}
    path: list[tuple[str, str, int]] = []
    position = data.find(b"<")
    while position >= 0:
        end = skipped(data, position)
        if end == position:
            end = tag_end(data, position)
            tag = data[position:end]
            if tag.startswith(b"</"):
                name, _, start = path.pop()
                if is_block(path, name):
                    found.setdefault(scoped(path), (start, end))
            else:
                name = re.findall(rb"[^\s/>]+", tag[1:])[0].decode()
                label = re.search(rb"\sname\s*=\s*(['\"])(.*?)\1", tag)
                if tag.endswith(b"/>"):
                    if is_block(path, name):
                        found.setdefault(scoped(path), (position, end))
                else:
                    path.append((name, label[2].decode() if label else "", position))
        position = data.find(b"<", end)
    return found


def is_block(path: list[tuple[str, str, int]], name: str) -> bool:
    parents = [part for part, *_ in path]
    outer = [part for part in parents[:-1] if part != "model"]
    return name == "inertial" and parents[-2:] == ["model", "link"] and outer in (["sdf"], ["sdf", "world"])


def scoped(path: list[tuple[str, str, int]]) -> str:
    return "::".join(label for part, label, _ in path if part in ("model", "link"))


def comments(block: bytes) -> list[bytes]:
    return [text for text in re.findall(rb"(?s)<!--.*?-->", block) if b"sdfinertia:" not in text]


def written(block: bytes) -> dict[str, list[float]]:
    text = re.sub(r"(?s)<!--.*?-->|<plugin.*?</plugin>|<drake:tag.*?</drake:tag>", "", block.decode("latin-1"))
    found: dict[str, list[float]] = {}
    for name, value in re.findall(r"<(pose|mass|i[xyz][xyz])>([^<]*)</\1\s*>", text):
        found.setdefault(name, [float(number) for number in value.split()])
    return found


def tensor_in_link_axes(numbers: dict[str, list[float]]) -> npt.NDArray[np.float64]:
    """The tensor (3, 3) of a block whose numbers were read by `written`, turned by its pose."""
    R = pose_matrix(*numbers["pose"])[:3, :3]
    tensor = np.array([[numbers["i" + "".join(sorted(a + b))][0] for b in "xyz"] for a in "xyz"])
    return R @ tensor @ R.T


def outside(data: bytes, spans: list[tuple[int, int]]) -> list[bytes]:
    pieces, position = [], 0
    for start, end in sorted(spans):
        pieces.append(data[position:start])
        position = end
    return [*pieces, data[position:]]


# Of the example a link is so thin and turned that it is written in its principal axes.
@example(239)
@given(st.integers(0, 2**40))
def test_a_random_document_is_filled_right_and_nothing_else_is_touched(seed: int) -> None:
    data, expected = document(seed)
    result = fill(data, Options(), filename="/nowhere/m.sdf")
    assert result.errors == ()
    before, after = blocks(data), blocks(result.content)
    assert before.keys() == after.keys() == expected.keys()
    changed = [name for name, body in expected.items() if body is not None]
    assert outside(data, [before[name] for name in changed]) == outside(
        result.content, [after[name] for name in changed]
    )
    for name in changed:
        old, new = data[slice(*before[name])], result.content[slice(*after[name])]
        assert comments(old) == comments(new)
        assert new.count(b"sdfinertia:") == 1
        assert b"auto" not in new[: tag_end(new, 0)]
        assert (b"<fluid_added_mass/>" in old) == (b"<fluid_added_mass/>" in new)
        if not re.search(rb"[\r\n]", old) and not old.endswith(b"/>"):
            assert not re.search(rb"[\r\n]", new)
        body, numbers = expected[name], written(new)
        assert body is not None
        assert is_accepted_by_gz_math([numbers[name][0] for name in ENTRIES])
        assert numbers["mass"][0] == body.mass or abs(numbers["mass"][0] / body.mass - 1) < 1e-9
        if numbers["pose"][3:] != [0, 0, 0]:
            # So thin a body that libsdformat refuses its tensor in the link's axes, which is told.
            assert any("principal axes" in note for link in result.links for note in link.notes)
        tensor = tensor_in_link_axes(numbers)
        largest = max(np.diag(body.tensor))
        size = max(float(np.linalg.norm(body.com)), math.sqrt(largest / body.mass))
        np.testing.assert_allclose(numbers["pose"][:3], body.com, rtol=0, atol=1e-9 * size)
        assert (abs(tensor - body.tensor) <= 1e-9 * largest).all()
    again = fill(result.content, Options(), filename="/nowhere/m.sdf")
    assert again.content == result.content
    assert again.links == ()


@given(st.integers(0, 2**40), st.sampled_from([3, 6, 9, 17]), st.sampled_from(["link", "principal"]))
def test_other_digits_and_axes_are_stable_and_accepted_too(seed: int, digits: int, axes: str) -> None:
    data, expected = document(seed)
    result = fill(data, Options(digits=digits, axes=axes, keep_going=True), filename="/nowhere/m.sdf")
    # Few digits may not suffice for a thin body; that is said, and nothing is written.
    failed = {error.link for error in result.errors}
    assert not failed or digits < 9
    after = blocks(result.content)
    for name, body in expected.items():
        if body is None or name in failed:
            continue
        numbers = written(result.content[slice(*after[name])])
        assert is_accepted_by_gz_math([numbers[name][0] for name in ENTRIES])
        largest = max(np.diag(body.tensor))
        error = np.abs(tensor_in_link_axes(numbers) - body.tensor).max()
        assert error <= 70 * 10.0**-digits * largest + 1e-9 * largest
    again = fill(result.content, Options(keep_going=True), filename="/nowhere/m.sdf")
    if not failed:
        assert again.content == result.content


@pytest.mark.slow
@given(st.integers(0, 2**40), st.integers(0, 2**40))
def test_a_truncated_or_shuffled_document_ends_in_a_result_or_one_error(seed: int, damage: int) -> None:
    data, _ = document(seed)
    rng = random.Random(damage)
    start, stop = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    other = rng.choice([b"", b"<", b">", b"\0", b"'", b"<!--", b"]]>", b"\xff", data[start:stop][::-1], data[stop:]])
    damaged = data[:start] + other + data[stop:]
    try:
        result = fill(damaged, Options(keep_going=True, all=True, missing=True), filename="/nowhere/m.sdf")
    except SdfInertiaError as error:
        location = error.location
    else:
        assert all(error.location is not None for error in result.errors)
        again = fill(result.content, Options(keep_going=True), filename="/nowhere/m.sdf")
        assert again.content == result.content
        return
    assert location is not None
