"""Contracts for robots of xacro that are repaired in their sources, checked with the package xacro itself.

The bytes choose what the files hold, so that any bytes make robots. Nothing may change in a robot but inertials.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from fuzzing.messages import require_message
from sdfinertia.documents.repairing import repair
from sdfinertia.errors import SdfInertiaError

_HEAD = '<robot{} xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
_ROBOTS, _PARTS, _ARGUMENTS = ("r.urdf.xacro", "s.urdf.xacro"), ("p.xacro", "q.xacro"), ("a", "b")
_MOST = 12
_Links = dict[str, tuple[bytes, bytes]]


class _Choices:
    def __init__(self, data: bytes) -> None:
        self._data = iter(data)
        self._links = 0

    def of(self, number: int) -> int:
        return next(self._data, 0) % number

    def name(self) -> str:
        self._links += 1
        return f"l{self._links}"


def _inertial(izz: str = "0.5") -> str:
    return (
        f'<inertial><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="{izz}"/></inertial>'
    )


def _statement(choices: _Choices, depth: int = 0) -> str:
    """An element of a robot or of a file that it includes."""
    name, number = choices.name(), choices.of(3)
    kind = choices.of(13 if depth < 3 else 6)
    texts = (
        f'<link name="{name}">{_inertial()}</link>',
        f'<link name="{name}">{_inertial("${v" + str(number) + "}")}</link>',
        f'<xacro:m{number} n="{name}"/>',
        f'<note value="${{v{number} * 2}}"/>',
        f'<xacro:b n="{name}">{_inertial()}</xacro:b>',
        f'<xacro:call macro="m{number}" n="{name}"/>',
        f'<xacro:include filename="{_PARTS[number % 2]}"/>',
        f'<xacro:include filename="$(arg c){_PARTS[number % 2]}"/>',
        f'<xacro:property name="v{number}" value="0.25"/>',
        f'<xacro:property name="w" value="v{number}"/><note value="${{len(w)}}"/>',
    )
    if kind < len(texts):
        return texts[kind]
    if kind == 10:
        return f'<xacro:macro name="m{number}" params="n">{_statement(choices, depth + 1)}</xacro:macro>'
    condition = _ARGUMENTS[choices.of(2)]
    inside = "".join(_statement(choices, depth + 1) for _ in range(1 + choices.of(2)))
    tag = "if" if kind == 11 else "unless"
    return f'<xacro:{tag} value="$(arg {condition})">{inside}</xacro:{tag}>'


def _write(directory: Path, choices: _Choices) -> None:
    (directory / ".git").mkdir()
    arguments = "".join(f'<xacro:arg name="{name}" default="false"/>' for name in _ARGUMENTS)
    shared = "".join(f'<xacro:property name="v{number}" value="0.5"/>\n' for number in range(3))
    shared += "".join(
        f'<xacro:macro name="m{number}" params="n"><link name="${{n}}">{_inertial()}</link></xacro:macro>\n'
        for number in range(3)
    )
    shared += (
        '<xacro:macro name="b" params="n *i"><link name="${n}"><xacro:insert_block name="i"/></link></xacro:macro>'
    )
    (directory / "shared.xacro").write_text(f"{_HEAD.format('')}{shared}</robot>")
    for name in _PARTS:
        body = "\n".join(_statement(choices, 2) for _ in range(choices.of(3)))
        (directory / name).write_text(f"{_HEAD.format('')}{body}</robot>")
    for name in _ROBOTS[: 1 + choices.of(2)]:
        body = "\n".join(_statement(choices) for _ in range(1 + choices.of(_MOST)))
        head = f'{arguments}<xacro:arg name="c" default=""/><xacro:include filename="shared.xacro"/>\n'
        opening = _HEAD.format(' name="r"')
        (directory / name).write_text(f"{opening}{head}{body}\n</robot>")


def _links(path: Path) -> tuple[_Links, bytes] | None:
    """The links that the package xacro makes: each without its inertial, and that; and the rest of the robot."""
    import xacro

    try:
        text = xacro.process_file(str(path), verbosity=0).toxml()
    except Exception:
        return None
    root = ElementTree.fromstring(text)
    links: _Links = {}
    for number, link in enumerate(root.findall("link")):
        inertial = [ElementTree.tostring(each) for each in link.findall("inertial")]
        for each in link.findall("inertial"):
            link.remove(each)
        links[f"{number} {link.get('name')}"] = ElementTree.tostring(link).strip(), b"".join(inertial)
        root.remove(link)
    return links, b"".join(ElementTree.tostring(root).split())


def writing_holds(data: bytes) -> None:
    """Only inertials of a repaired robot change; a second run changes nothing."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place).resolve()
        _write(directory, _Choices(data))
        robots = [directory / name for name in _ROBOTS if (directory / name).exists()]
        first: list[int] = []
        for path in robots:
            before = _links(path)
            first.append(_repaired(path))
            _require_same(path, before, _links(path))
        texts = {path: path.read_bytes() for path in directory.glob("*.xacro")}
        second = [_repaired(path) for path in robots]
        assert texts == {path: path.read_bytes() for path in texts}, "the second run changes a file"
        assert first == second, "another exit status"


def _repaired(path: Path) -> int:
    """How many blocks were printed."""
    try:
        result = repair(path, by="nearest")
    except SdfInertiaError as error:
        require_message(error)
        return -1
    result.write()
    return result.unwritten


def _require_same(path: Path, old: tuple[_Links, bytes] | None, new: tuple[_Links, bytes] | None) -> None:
    assert (old is None) == (new is None), f"{path.name}: expands otherwise"
    if old is None or new is None:
        return
    assert old[1] == new[1], f"{path.name}: changed outside of links"
    assert old[0].keys() == new[0].keys(), f"{path.name}: has other links"
    for name, (rest, _) in old[0].items():
        assert rest == new[0][name][0], f"{path.name}: {name} changed outside of its inertial"


def choices() -> Iterator[bytes]:
    """Bytes that choose each kind of element."""
    yield b""
    for kind in range(13):
        yield bytes([1, 0, kind, 1, 1, kind, 0, 1, 2, 3, kind, 1, 0, kind, 2, 5, 1, 11, 0, 1, 2, 2, 1])
        yield bytes([0, 0, 1, 4, 2, kind, 0, 0, 1, 1, 2, 0, 2, kind, 1, 3, 12, 1, 1, 0])
