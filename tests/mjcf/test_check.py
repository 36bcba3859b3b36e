"""What `check` says of MJCF, and what it says nothing of."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders.mjcf import bracket

import sdfinertia
from sdfinertia.options import Options

BOX = '<geom type="box" size="0.5 1 1.5"/>'
SOUND = '<inertial pos="0 0 0" mass="12" diaginertia="13 10 5"/>'


def model(inside: str, outside: str = "") -> bytes:
    return f'<mujoco>{outside}<worldbody><body name="b"><freejoint/>{inside}</body></worldbody></mujoco>'.encode()


def codes(inside: str, outside: str = "", **options: Any) -> list[str]:
    return [finding.code for finding in sdfinertia.check(model(inside, outside), Options(**options), filename="m.xml")]


@pytest.mark.parametrize(
    "inside",
    [
        BOX,
        SOUND + BOX,
        '<inertial pos="0 0 0" mass="12" fullinertia="13 10 5 0 0 0"/>' + BOX,
        f"<body>{BOX}</body>",
        f'<inertial pos="0 0 0" mass="0.1" diaginertia="1e-16 1e-16 1e-16"/><body>{BOX}</body>',
    ],
)
def test_what_mujoco_takes_as_meant_is_no_finding(inside: str) -> None:
    assert codes(inside) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ('<inertial pos="0 0 0" mass="0" diaginertia="13 10 5"/>', ["SDI101"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="-13 10 5"/>', ["SDI102"]),
        ('<inertial pos="0 0 0" mass="12" fullinertia="1 1 1 5 0 0"/>', ["SDI102"]),
        ('<inertial pos="0 0 0" mass="12" fullinertia="0.1 0.1 0.2 0.1 0 0"/>', ["SDI102"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="0 1 1"/>', ["SDI102"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="5e-16 5e-16 5e-16"/>', ["SDI102"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="1 2 30"/>', ["SDI103"]),
        ('<inertial pos="0 0 0" mass="12"/>', ["SDI105"]),
        ('<inertial mass="12" diaginertia="13 10 5"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" diaginertia="13 10 5"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" mass="12" euler="1 2 3" fullinertia="13 10 5 0 0 0"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="13 10 5" fullinertia="13 10 5 0 0 0"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="13 10 5" quat="1 0 0 0" euler="0 0 0"/>', ["SDI106"]),
        ('<inertial pos="0 0" mass="12" diaginertia="13 10 5"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" mass="12kg" diaginertia="13 10 5"/>', ["SDI106"]),
        ('<inertial pos="0 0 0" mass="12" diaginertia="13 10 5" quat="0 0 0 0"/>', ["SDI106"]),
        (SOUND + SOUND, ["SDI106"]),
        (SOUND.replace("diaginertia", "diaginertai"), ["SDI105", "SDI108"]),
        ("<!-- sdfinertia: atuo -->" + SOUND, ["SDI106"]),
    ],
)
def test_what_is_wrong_in_a_block_has_its_code(block: str, expected: list[str]) -> None:
    found = codes(block + BOX, ignore=("SDI2",))
    assert found == expected


FORGOTTEN = f'<body name="forgotten"><joint/>{BOX}</body><body name="c"><joint/>{SOUND}{BOX}</body>'


@pytest.mark.parametrize(
    ("inside", "is_found"),
    [
        ("", True),
        ('<body><inertial pos="0 0 0" mass="1e-16" diaginertia="1 1 1.5"/></body>', True),
        ('<body><inertial pos="0 0 0" mass="1e-14" diaginertia="1 1 1.5"/></body>', False),
        ('<geom type="plane" size="1 1 1"/>', True),
        ('<geom type="box" size="0.5 1 1.5" mass="0"/>', True),
        ('<geom type="box" size="0.5 1 1.5" density="0"/>', True),
        ('<geom size="0.0001"/>', True),
        (f"<body><joint/>{BOX}</body>", True),
        (SOUND + BOX + FORGOTTEN, True),
        (BOX + FORGOTTEN, False),
        (SOUND + BOX + FORGOTTEN.replace("/>", ' density="500"/>', 2).replace('<joint density="500"', "<joint"), False),
    ],
)
def test_a_body_that_mujoco_refuses_or_infers_among_others_is_found(inside: str, is_found: bool) -> None:
    assert codes(inside) == ["SDI104"] * is_found


@pytest.mark.parametrize(
    ("inside", "link", "said"),
    [
        (
            *("", "b"),
            "a joint moves it, and it has no <inertial> and no geom with mass: MuJoCo refuses the file; "
            "give it an <inertial>, or a geom of it a mass",
        ),
        (
            *(SOUND + BOX + FORGOTTEN, "forgotten"),
            "no <inertial>, although nearly all other bodies have one: MuJoCo infers it at 1000 kg/m³; "
            "write its <inertial>, or the mass of its geoms",
        ),
    ],
)
def test_it_is_told_with_what_to_write(inside: str, link: str, said: str) -> None:
    [finding] = sdfinertia.check(model(inside), filename="m.xml")
    assert (finding.link.rpartition("::")[2], f"{finding.message}; {finding.remedy}") == (link, said)


def test_a_body_that_is_inferred_by_default_is_denser_than_metal_with_a_shell() -> None:
    corners = " ".join(f"{x} {y} {z}" for x in (0, 0.01) for y in (0, 0.01) for z in (0, 0.01))
    asset = f'<asset><mesh name="m" vertex="{corners}" inertia="shell"/></asset>'
    geom = '<geom type="mesh" mesh="m"{}/>'
    assert codes(geom.format(""), asset) == ["SDI203"]
    assert codes(geom.format(' mass="0.5"'), asset) == []


def test_a_body_without_an_inertial_is_inferred_of_geoms_with_mass_unless_the_compiler_says_no() -> None:
    assert codes(BOX) == []
    assert codes(BOX, '<compiler inertiafromgeom="false"/>') == ["SDI104"]
    assert "SDI109" in codes('<geom type="mesh" mesh="x"/>')
    seen = f'<geom size="3" pos="9 0 0" mass="0"{SEEN}/>'
    result = sdfinertia.fill(model(SOUND + BOX + seen), Options(all=True), filename="m.xml")
    assert b'fullinertia="13 10 5 0 0 0"' in result.content


@pytest.mark.parametrize(
    ("settings", "is_found"),
    [
        *[('inertiafromgeom="true"', True), ('settotalmass="5"', True), ('settotalmass="12"', False)],
        *[('boundmass="20"', True), ('boundmass="0.001"', False), ('boundinertia="6"', True)],
        *[('balanceinertia="true"', False), ('inertiafromgeom="auto"', False)],
    ],
)
def test_a_setting_that_changes_what_is_written_is_found(settings: str, is_found: bool) -> None:
    assert ("SDI211" in codes(SOUND + BOX, f"<compiler {settings}/>")) is is_found


def test_both_numbers_are_said() -> None:
    [finding] = sdfinertia.check(model(SOUND + BOX, '<compiler settotalmass="6"/>'), filename="m.xml")
    assert "12 kg and moments 5 10 13 kg·m² → 6 kg and moments 2.5 5 6.5 kg·m² by settotalmass" in finding.message


def test_the_mass_that_is_scaled_is_that_of_its_own_file(tmp_path: Path) -> None:
    for name, mass in (("a.xml", "5"), ("b.xml", "12")):
        text = model(SOUND.replace("12", mass) + BOX, f'<compiler settotalmass="{mass}"/>')
        (tmp_path / name).write_bytes(text)
    assert [each.result for each in sdfinertia.check_many([tmp_path])] == [(), ()]


@pytest.mark.parametrize(("inertia", "is_found"), [("legacy", True), ("exact", False), ("convex", False)])
def test_legacy_mesh_inertia_is_found_where_it_counts(inertia: str, is_found: bool) -> None:
    geom = '<geom type="mesh" mesh="m"/>'
    assert ("SDI404" in codes(geom, bracket(inertia))) is is_found
    assert "SDI404" not in codes(SOUND + geom, bracket(inertia))


def face_list(change: Callable[[list[str]], list[str]]) -> str:
    """The legacy bracket with its list of faces changed."""
    asset = bracket("legacy")
    (text,) = re.findall(r'face="([^"]*)"', asset)
    numbers = text.split()
    faces = [" ".join(numbers[k : k + 3]) for k in range(0, len(numbers), 3)]
    return asset.replace(text, " ".join(change(faces)))


TURN = ", and turn all its faces outward, once each, which MuJoCo needs for that"


def reverse(face: str) -> str:
    return " ".join(face.split()[::-1])


@pytest.mark.parametrize(
    ("change", "also"),
    [
        (lambda faces: faces, ""),
        # Face of two equal corners, which MuJoCo and we leave out.
        (lambda faces: [*faces, "0 0 2"], ""),
        (lambda faces: [reverse(faces[0]), *faces[1:]], TURN),
        (lambda faces: list(map(reverse, faces)), TURN),
        (lambda faces: [*faces, faces[0]], TURN),
    ],
    ids=["closed", "degenerate", "one turned", "inside out", "twice"],
)
def test_the_remedy_for_a_closed_mesh_is_exact_and_for_faces_that_mujoco_refuses_to_turn_them(change, also) -> None:
    found = sdfinertia.check(model('<geom type="mesh" mesh="m"/>', face_list(change)), filename="m.xml")
    remedies = [each.remedy for each in found if each.code == "SDI404"]
    assert remedies == [f'write inertia="exact" in its <mesh>{also}']


def tube(faces: Callable[[list[tuple[int, ...]]], list[tuple[int, ...]]]) -> str:
    """A square tube with thin walls, whose hull is ten times its volume."""
    rings = [(x * r, y * r, z) for z in (0, 1) for r in (2.0, 1.9) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    quads = []
    for i in range(4):
        j = (i + 1) % 4
        quads += [
            (i, j, j + 8, i + 8),
            (j + 4, i + 4, i + 12, j + 12),
            (j, i, i + 4, j + 4),
            (i + 8, j + 8, j + 12, i + 12),
        ]
    triangles = faces([face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])
    vertex, face = (" ".join(str(each) for row in rows for each in row) for rows in (rings, triangles))
    return f'<asset><mesh name="m" vertex="{vertex}" face="{face}"/></asset>'


@pytest.mark.parametrize(
    ("faces", "inertia"),
    [
        (lambda faces: faces, "exact"),
        (lambda faces: faces[1:], "exact"),
        # MuJoCo refuses the faces, and hulls need none.
        (lambda faces: [faces[1][::-1], *faces[2:]], "convex"),
    ],
    ids=["closed", "open", "open with a face turned"],
)
def test_the_remedy_for_an_open_mesh_is_what_comes_nearest_to_it(faces, inertia: str) -> None:
    found = sdfinertia.check(model('<geom type="mesh" mesh="m"/>', tube(faces)), filename="m.xml")
    assert [each.remedy for each in found if each.code == "SDI404"] == [f'write inertia="{inertia}" in its <mesh>']


SEEN = ' contype="0" conaffinity="0"'


@pytest.mark.parametrize(
    ("geoms", "is_found"),
    [
        (BOX + BOX.replace("/>", f"{SEEN}/>"), True),
        (BOX + f'<geom type="box" size="0.5 1 1.4"{SEEN}/>', True),
        # It is no part of the same size, has no mass, or one of its own; or others touch both.
        (BOX + f'<geom size="0.1"{SEEN}/>', False),
        (BOX + BOX.replace("/>", f'{SEEN} mass="0"/>'), False),
        (BOX + BOX.replace("/>", f'{SEEN} density="1100"/>'), False),
        (BOX + BOX, False),
    ],
)
def test_a_part_that_is_weighed_twice_is_found(geoms: str, is_found: bool) -> None:
    assert ("SDI405" in codes(geoms)) is is_found
    assert "SDI405" not in codes(SOUND + geoms)


@pytest.mark.parametrize(
    ("inside", "outside", "words"),
    [
        (BOX.replace("0.5 1 1.5", "0.5 1"), "", "holds 2 numbers: write 3 numbers"),
        (BOX.replace("0.5", "-0.5"), "", "not above zero"),
        (BOX.replace("box", "bix"), "", "type of <geom> must be plane or hfield"),
        (BOX.replace("<geom", '<geom class="x"'), "", "there is no default class 'x'"),
        ('<geom type="mesh" mesh="x"/>', "", "there is no mesh 'x' among the assets"),
        ('<geom type="mesh"/>', "", "the geom names no mesh"),
        ('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" vertex="0 0 0"/></asset>', "four vertices at least"),
        ('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" file="gone.stl"/></asset>', "gone.stl"),
        ('<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/>', "", "one point"),
        ('<geom size="1" xyaxes="1 0 0 2 0 0"/>', "", "gives no direction"),
        ('<geom size="1" quat="1 0 0 0" euler="1 2 3"/>', "", "gives both quat and euler"),
        ('<geom size="1e999"/>', "", "write"),
    ],
)
def test_a_geom_that_cannot_be_read_is_one_error_of_its_body(inside: str, outside: str, words: str) -> None:
    result = sdfinertia.fill(model(inside, outside), Options(missing=True), filename="m.xml")
    [error] = result.errors
    assert words in str(error)


@pytest.mark.parametrize(
    ("outside", "words"),
    [
        ('<compiler angle="grad"/>', "angle of <compiler> must be degree or radian"),
        ('<compiler eulerseq="xyw"/>', "eulerseq of <compiler> must be three of"),
        ('<compiler settotalmass="much"/>', "settotalmass of <compiler> is 'much': write a number"),
        ('<default><default class="a"/><default class="a"/></default>', "the default class 'a' is given twice"),
    ],
)
def test_settings_that_mujoco_refuses_are_one_error_of_the_file(outside: str, words: str) -> None:
    [finding] = sdfinertia.check(model(BOX, outside), filename="m.xml")
    assert finding.code == "SDI900"
    assert words in finding.message


@pytest.mark.parametrize(("request_of_first", "code"), [("", "SDI106"), ("<!-- sdfinertia: auto -->", "SDI901")])
def test_bodies_of_one_name_are_one_finding(request_of_first: str, code: str) -> None:
    inside = '<body name="b">{}<joint/><geom size="1"/></body>'
    document = f"<mujoco model='m'><worldbody>{inside.format(request_of_first)}{inside.format('')}</worldbody></mujoco>"
    (found,) = sdfinertia.check(document.encode(), filename="m.xml")
    assert found.code == code
    assert "named 'b'" in found.message


def test_bodies_of_one_name_are_an_error_of_theirs() -> None:
    data = model(BOX + f'<body name="b"><joint/>{BOX}</body>')
    assert len(sdfinertia.fill(data, Options(missing=True), filename="m.xml").errors) == 2


# The command line -----------------------------------------------------------------------------------------------------

MODEL = model("<!-- sdfinertia: auto -->" + BOX)


def test_a_walk_passes_over_other_xml_in_silence(command, project: Path) -> None:
    for name, content in {
        "package.xml": b"<package/>",
        "broken.xml": b"<mujo",
        "binary.xml": b"\0\1\2",
        "robot.urdf.xml": b"<robot name='r'/>",
        "commented.xml": b"<?xml version='1.0'?>\n<!-- <mujoco> -->\n<launch/>",
    }.items():
        (project / name).write_bytes(content)
    (project / "deep").mkdir()
    (project / "deep" / "m.xml").write_bytes(b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a -->\n" + MODEL)
    outcome = command("check", ".")
    assert outcome.output.count(b"SDI") == 1
    assert outcome.output.startswith(b"./deep/m.xml:3:") or outcome.output.startswith(b"deep/m.xml:3:")
    assert "1 file checked" in outcome.messages
    assert command("fill", ".").status == 0
    assert b"<inertial" in (project / "deep" / "m.xml").read_bytes()


def test_other_xml_that_is_named_is_refused_but_by_a_hook(command, project, monkeypatch):
    (project / "package.xml").write_text("<package/>")
    assert command("fill", "package.xml").status == 2
    monkeypatch.setenv("PRE_COMMIT", "1")
    (project / "package.xml").write_text("<package/>")
    (project / "m.xml").write_bytes(MODEL)
    assert command("fill", "package.xml", "m.xml").status == 0
    assert b"<inertial" in (project / "m.xml").read_bytes()


@pytest.mark.parametrize("name", [(), ("--stdin-filename", "m.xml")])
def test_standard_input_is_told_by_its_root_element(command, name: tuple[str, ...]) -> None:
    outcome = command("fill", "-", *name, stdin=MODEL)
    assert outcome.status == 0
    assert b'fullinertia="6500 5000 2500 0 0 0"' in outcome.output


def test_show_says_what_is_inferred_with_what_it_is_fixed_to_and_reports_draw_it(command, project):
    (project / "m.xml").write_bytes(model(BOX))
    outcome = command("show", "m.xml")
    assert b"inferred" in outcome.output
    assert command("show", "m.xml", "--report", "out.html").status == 0
    assert b"MuJoCo Model" in (project / "out.html").read_bytes()
    fixed = f'<body name="c" pos="1 0 0">{BOX}</body>'
    (project / "m.xml").write_bytes(model(BOX + fixed))
    outcome = command("show", "--lumped", "m.xml")
    assert outcome.status == 0
    assert b"12000" in outcome.output
