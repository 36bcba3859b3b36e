"""The contracts that are fuzzed: for the first files, for changes to them, and for what once broke one."""

import random
from dataclasses import replace
from typing import Any

import pytest
from builders.thoroughness import trials

from fuzzing import contracts
from fuzzing.contracts import BY, CONTRACTS, LONGEST_INPUT, TREATMENTS
from fuzzing.mutation import mutated
from sdfinertia.documents.filling import fill

SEEDS = trials(10, 1000)  # of each kind of file
CHANGES = trials(15, 500)
SHELL = next(number for number, treatment in enumerate(TREATMENTS) if treatment.get("open_mesh") == "shell")


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTRACTS)
def test_the_contract_holds_for_files_and_for_changes_to_them(name: str) -> None:
    contract, rng = CONTRACTS[name], random.Random(name)
    files, words = list(contract.seeds()), contract.words()
    tried = rng.sample(files, min(len(files), SEEDS))
    for data in tried + [mutated(rng.choice(files), words, rng, LONGEST_INPUT) for _ in range(CHANGES)]:
        contract.try_input(data)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda content, run: content.replace(b"name='c'", b'name="c"'), "outside of blocks"),
        (lambda content, run: content + b" " * run, "second run"),
    ],
)
def test_a_fill_that_changes_what_it_may_not_breaks_the_contract(monkeypatch, spoil, problem):
    fill, runs = contracts.fill, iter(range(9))

    def spoilt(*given: Any, **named: Any) -> Any:
        result = fill(*given, **named)
        return replace(result, content=spoil(result.content, next(runs)))

    document = written("1", *UNIT, shape=box("1 1 1")).replace(b"<inertial>", b"<inertial auto='true'>")
    contracts.filling_holds(b"\0" + document)
    monkeypatch.setattr(contracts, "fill", spoilt)
    with pytest.raises(AssertionError, match=problem):
        contracts.filling_holds(b"\0" + document)


def tetrahedron(treatment: int, x: str, y: str, z: str, faces: str = "123 124 134 234") -> bytes:
    """An OBJ file with its right angle at the origin, and the number of the treatment before it."""
    corners = f"v 0 0 0\nv {x} 0 0\nv 0 {y} 0\nv 0 0 {z}\n"
    return bytes([treatment]) + (corners + "".join(f"f {' '.join(face)}\n" for face in faces.split())).encode()


# A corner so far out that all others are near each other beside it: what is left is a sheet taken from both sides.
FAR_CORNER = (
    b"\0v 0 0 0\nv 0 0 3\nv 0 2 3\nv 0 2 0\nv 1 0 0\nv 1 2 0\nv 1 2 3\nv 1 0 3\nv 0 7.5e28 0\nv 1 3.6e-43 0\n"
    + b"".join(
        b"f %d %d %d\n" % face
        for face in (
            *((1, 2, 3), (1, 3, 4), (5, 6, 7), (5, 7, 8), (1, 5, 8), (1, 8, 2), (4, 3, 7), (9, 7, 6), (1, 4, 6)),
            *((1, 6, 10), (2, 8, 7), (2, 7, 3)),
        )
    )
)

# Copies of three faces of a tetrahedron, one of them beside the reverse of another: some are turned to agree.
COPIED_FACES = tetrahedron(0, "1", "1", "1", " ".join(["132"] * 9 + ["234"] * 9 + ["314"] * 3))
COPIED_FACES += b"v 1 1 1\n" + b"f 3 1 5\n" * 2
# Triangles so far apart in scale that each is a crack which its own reverse closes.
LONE_SLIVERS = b"\0" + b"".join(
    b"v %b\nv 0 0 0\nv %b\nf -3 -2 -1\n" % ends
    for ends in (
        *[(b"0 0 -5e23", b"0 0 1"), (b"0 -1e31 0", b"0 0 6e34"), (b"0 6e37 0", b"0 0 1"), (b"-8e31 0 0", b"0 0 -3e33")],
    )
)


def written(mass: str, *six: str, shape: str = "") -> bytes:
    """An SDF file of one link: its mass, ixx iyy izz ixy ixz iyz, and what else is in it."""
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    entries = "".join(f"<{name}>{text}</{name}>" for name, text in zip(names, six, strict=False))
    inertial = f"<inertial><mass>{mass}</mass><inertia>{entries}</inertia></inertial>"
    return f"<sdf version='1.11'><model name='m'><link name='l'>{inertial}{shape}</link></model></sdf>".encode()


def box(size: str, pose: str = "") -> str:
    return f"<collision name='c'>{pose}<geometry><box><size>{size}</size></box></geometry></collision>"


# A filled block whose box was changed afterwards.
LARGE = written("1", shape=box("1e90 2e90 1e90", pose="<pose>0 0 0 .3 .2 .1</pose>"))
LARGE = LARGE.replace(b"<inertial>", b"<inertial auto='true'>").replace(b"<mass>1</mass>", b"<density>1e-270</density>")
STALE = fill(LARGE).content.replace(b"1e90</size>", b"1.0000001e90</size>")
UNIT = "1", "1", "5", "0", "0", "0"
# Numbers that a double holds, or that many digits say, and that arithmetic or a count of digits breaks on.
NUMBERS = {
    "very many zeros": written("1", "+" + 5000 * "0" + "9", *UNIT[1:]),
    "a power of very many digits": written("1", "1e-" + 5000 * "9", *UNIT[1:]),
    "nothing times a power of ten": written("1", *UNIT[:3], "0e" + 5000 * "9", "0", "0"),
    "the largest numbers": written("1e308", *6 * ["1e308"], shape=box("1 1 1")),
    "a mass that is hardly one": written("1e-320", *UNIT, shape=box("1 1 1")),
    "moments that are hardly any": written("1", "1e-320", "1e-320", "5e-320", "0", "0", "0", shape=box("1 1 1")),
    "a box beyond squares": written("1", *UNIT, shape=box("1e200 1e200 1e200")),
}

FOUND = {
    **{f"{name}, {way}": ("repair", bytes([n]) + data) for name, data in NUMBERS.items() for n, way in enumerate(BY)},
    "a density that grows too large": (
        "fill",
        b"\0" + written("1", *UNIT, shape=box("2.2250738585072014e-308 .2 .3")),
    ),
    "rounding whose square overflows": ("fill", b"\0" + STALE),
    "xacro whose lines end as on old computers": (
        "xacro",
        b"<robot name='r'>\r\r<link name='l'><inertial><mass\rvalue='1'/></inertial></link>\r<link name='k'><inertial>"
        b"<mass value='1'/><inertia ixx='9' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
    ),
    "xacro with a byte that is no text in a name": (
        "xacro",
        b"<robot name='\xe4'><link name='\xe4'><inertial/></link></robot>",
    ),
    "a ball whose square is zero": (
        "repair",
        b'\0<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>0.2</mass></inertial>'
        b'<visual name="v"><geometry><sphere><radius>1e-200</radius></sphere></geometry></visual></link></model></sdf>',
    ),
    "a name that a terminal would obey": ("ply", b"\0ply\nformat ascii 1.0\nelement \x1b[2J\0 9\nend_header\n"),
    "a scale that makes coordinates infinite": ("obj", tetrahedron(0, "1e305", "1", "1")),
    "a scale that makes moments infinite": ("obj", tetrahedron(0, "1e61", "1e61", "1e61")),
    "moments that overflow on the way to being judged": ("obj", tetrahedron(SHELL, "1e77", "1e77", "1e77", "134 124")),
    "a mesh of the smallest numbers": ("obj", tetrahedron(0, "5e-324", "5e-324", "5e-324", "134 124")),
    "an area that overflows": ("obj", tetrahedron(0, "1e160", "1e160", "1e160", "134 124")),
    "a corner far out": ("obj", FAR_CORNER),
    "copies of faces that become reverses": ("obj", COPIED_FACES),
    "a crack closed by the reverse of a face": ("obj", LONE_SLIVERS),
}


@pytest.mark.parametrize(("name", "data"), FOUND.values(), ids=FOUND.keys())
def test_what_once_broke_a_contract_holds_it(name: str, data: bytes) -> None:
    CONTRACTS[name].try_input(data)
