"""The commands take URDF as they take SDF."""

import json
from pathlib import Path

import pytest

BOX = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
ROBOT = f'<robot name="r">\n  <link name="l">\n    <!-- sdfinertia: auto -->\n    {BOX}\n  </link>\n</robot>\n'


def test_a_walk_finds_urdf_by_its_name(command, project: Path) -> None:
    (project / "robots").mkdir()
    for name in ("a.urdf", "b.URDF", "c.urdf.txt", "d.xml"):
        (project / "robots" / name).write_text(ROBOT)
    assert command("fill", ".").status == 0
    filled = [path.name for path in sorted((project / "robots").iterdir()) if b"<inertial>" in path.read_bytes()]
    assert filled == ["a.urdf", "b.URDF"]


@pytest.mark.parametrize("name", [(), ("--stdin-filename", "r.urdf")])
def test_standard_input_is_told_by_its_root_element(command, name: tuple[str, ...]) -> None:
    outcome = command("fill", "-", *name, stdin=ROBOT.encode())
    assert outcome.status == 0
    assert b'<mass value="6000"/>' in outcome.output
    outcome = command("check", "-", *name, stdin=ROBOT.encode())
    assert outcome.status == 1
    assert b"SDI001" in outcome.output


def test_unexpanded_xacro_is_refused_with_what_to_do(command, project: Path) -> None:
    (project / "r.xml").write_text(ROBOT.replace("<link", "<xacro:include filename='a'/>\n  <link"))
    outcome = command("fill", "r.xml")
    assert outcome.status == 2
    assert "r.xml:2:3: holds xacro: <xacro:include>; rename it to .urdf.xacro" in outcome.messages


def test_show_prints_urdf_as_fill_writes_it_and_lumps_links_when_asked_for(command, project):
    text = ROBOT.replace("<geometry>", '<origin xyz="0.1 0 0" rpy="0.5 0 0"/><geometry>')
    (project / "r.urdf").write_text(text)
    shown = command("show", "r.urdf", "--as", "urdf").output.decode().splitlines()[0]
    command("fill", "r.urdf", "--no-provenance")
    block = "".join(line.strip() for line in (project / "r.urdf").read_text().splitlines()[3:8])
    assert shown == f"r::l: {block}"
    joint = '<joint name="j" type="fixed"><parent link="l"/><child link="m"/></joint>'
    (project / "r.urdf").write_text(ROBOT.replace("</robot>", f'<link name="m">{BOX}</link>{joint}</robot>'))
    (document,) = json.loads(command("show", "r.urdf", "--lumped", "--format", "json").output)
    assert [(body["name"], body["origin"], body["inertia"]["mass"]) for body in document["bodies"]] == [
        ("r::l + m", "lumped", 6000)
    ]
