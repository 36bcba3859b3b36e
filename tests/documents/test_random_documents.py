"""Documents made at random, in all the forms that SDF files have in the wild, filled and read by other means."""

from __future__ import annotations

import math
import random
import re
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
from builders.bodies import is_accepted_by_gz_math
from builders.rigid_bodies import Body
from builders.rigid_bodies import pose as pose_matrix
from builders.robots import ENTRIES
from hypothesis import given
from hypothesis import strategies as st
from random_models import Documents
from straightforward import evaluate

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

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


class Writer:
    """Writes elements as people and tools do, with what else may stand between them."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._newlines = rng.choice([["\n"], ["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"], []])
        self._indent = rng.choice(["  ", "    ", "\t", ""])
        self._quotes = rng.choice(["'", '"', "'\""])

    def line(self, depth: int = 0) -> str:
        return self._rng.choice(self._newlines) + self._indent * depth if self._newlines else ""

    def element(self, element: ElementTree.Element, depth: int = 0) -> str:
        rng, name = self._rng, element.tag
        attributes = "".join(self._attribute(*each) for each in element.items())
        inside = self._text(element.text or "")
        for child in element:
            inside += self.line(depth + 1) + rng.choice(NOISE) if rng.random() < 0.15 else ""
            inside += self.element(child, depth + 1)
        if not inside:
            return f"{self.line(depth)}<{name}{attributes}/>"
        space, end = (rng.choice(["", "", " "]), self.line(depth)) if len(element) else ("", "")
        return f"{self.line(depth)}<{name}{attributes}{space}>{inside}{end}</{name}{space}>"

    def _attribute(self, name: str, value: str) -> str:
        quote, equals = self._rng.choice(self._quotes), self._rng.choice(["=", " = "])
        return f"{self._rng.choice([' ', '  ', self.line() or ' '])}{name}{equals}{quote}{value}{quote}"

    def _text(self, text: str) -> str:
        try:
            numbers = [float(word) for word in text.split()]
        except ValueError:
            return text
        gap = self._rng.choice([" ", "  ", "\t", " <!-- , --> ", self.line() or " "])
        words = gap.join(self._rng.choice([repr(x), f"{x:.17g}", f"{x:+.17e}", f" {x!r}"]) for x in numbers)
        return self._rng.choice(["", " "]) + words + self._rng.choice(["", " ", "<!-- end -->"]) if words else ""


def vary(rng: random.Random, link: ElementTree.Element) -> None:
    """Puts into its block what is to be overwritten and what is to stay; a few links ask for nothing, or have none."""
    inertial = link.find("inertial")
    assert inertial is not None
    form = rng.choice(["auto", "auto", "auto", "hand", "none"])
    if form == "none":
        link.remove(inertial)
    elif form == "hand":
        inertial.attrib = rng.choice([{}, {"auto": "false"}])
    else:
        inertial.set("auto", rng.choice(["true", "1", " True "]))
    if rng.random() < 0.4:
        tensor = ElementTree.SubElement(inertial, "inertia")
        for name in ENTRIES:
            if rng.random() < 0.6:
                ElementTree.SubElement(tensor, name).text = repr(rng.uniform(0, 2))
    if rng.random() < 0.4:
        ElementTree.SubElement(inertial, "pose", rng.choice([{}, {"relative_to": ""}])).text = "0 0 0 0 0 0"
    if rng.random() < 0.4:
        ElementTree.SubElement(inertial, "fluid_added_mass")
    inertial[:] = rng.sample(list(inertial), len(inertial))
    link[:] = rng.sample(list(link), len(link))


def document(seed: int) -> tuple[bytes, dict[str, Body | None]]:
    """A document, and by scoped name the body that each link with an `<inertial>` should be (None: left alone)."""
    rng = random.Random(seed)
    root = ElementTree.fromstring(Documents().document(seed))
    for link in root.iter("link"):
        vary(rng, link)
    plain = ElementTree.tostring(root)
    writer = Writer(rng)
    (inside,) = (writer.element(child, 1) for child in root)
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "iso-8859-1"])
    head = rng.choice(["", "<?xml version='1.0'?>", "\n<!-- licence -- é -->\n<?xml version='1.0' ?>\n"])
    if encoding == "iso-8859-1":
        head = "<?xml version='1.0' encoding='ISO-8859-1'?>"
    if b"<world" not in plain and rng.random() < 0.3:
        inside = f"<world name='w'><state><model name='m'><link name='l0'/></model></state>{inside}</world>"
    end = rng.choice(["", writer.line(), " <!-- end -->"])
    data = f"{head}<sdf version='1.11'>{inside}{writer.line()}</sdf>{end}".encode(encoding)
    return data, dict.fromkeys(blocks(plain)) | evaluate(plain.decode())


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
        assert is_accepted_by_gz_math([numbers[name][0] for name in ENTRIES])
        assert numbers["mass"][0] == body.mass or abs(numbers["mass"][0] / body.mass - 1) < 1e-9
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
