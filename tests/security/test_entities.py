"""Entities are neither expanded nor fetched, in SDF, in model.config and in COLLADA."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter2-correct-horse"

BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 12))
QUADRATIC = f'<!ENTITY e0 "{"x" * 100_000}"><!ENTITY e11 "{"&e0;" * 10_000}">'
DECLARATIONS = {
    "billion laughs": f'<!DOCTYPE ROOT [<!ENTITY e0 "lol">{BOMB}]>',
    "quadratic blow-up": f"<!DOCTYPE ROOT [{QUADRATIC}]>",
    "internal entity": f'<!DOCTYPE ROOT [<!ENTITY e11 "{SECRET}">]>',
    "external entity": '<!DOCTYPE ROOT [<!ENTITY e11 SYSTEM "SECRET.txt">]>',
    "external entity by file uri": '<!DOCTYPE ROOT [<!ENTITY e11 SYSTEM "file://{folder}/SECRET.txt">]>',
    "external subset": '<!DOCTYPE ROOT SYSTEM "SECRET.dtd">',
    "parameter entity": '<!DOCTYPE ROOT [<!ENTITY % p SYSTEM "SECRET.dtd"> %p;]>',
    "after a comment": '<!-- ><!DOCTYPE --><!DOCTYPE ROOT [<!ENTITY e11 SYSTEM "SECRET.txt">]>',
    "after an instruction": '<?a b?><!DOCTYPE ROOT [<!ENTITY e11 SYSTEM "SECRET.txt">]>',
    "default attribute": f'<!DOCTYPE ROOT [<!ATTLIST unit meter CDATA "{SECRET}">]>',
    "no DOCTYPE": "",
    "entity without DOCTYPE": '<!ENTITY e11 "x">',
}
BODIES = {
    "sdf": '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="&e11;">'
    "<geometry><box><size>1 1 &e11;</size></box></geometry></collision></link></model></sdf>",
    "COLLADA": '<COLLADA version="1.4.1"><asset><unit meter="&e11;"/></asset>'
    "<library_geometries>&e11;</library_geometries></COLLADA>",
}
HEADS = {
    "": "utf-8",
    "\ufeff": "utf-8",
    "<?xml version='1.0'?>\n": "utf-8",
    '<?xml version="1.0" encoding="UTF-16"?>': "utf-16",
}


def declared(declaration: str, root: str, folder: Path) -> str:
    return declaration.replace("ROOT", root).replace("{folder}", folder.as_posix())


@pytest.fixture
def secrets(project: Path) -> Path:
    (project / "SECRET.txt").write_text(SECRET)
    (project / "SECRET.dtd").write_text(f'<!ENTITY e11 "{SECRET}">')
    return project


@pytest.mark.parametrize("head", HEADS, ids=["plain", "byte order mark", "declaration", "UTF-16"])
@pytest.mark.parametrize("declaration", DECLARATIONS.values(), ids=DECLARATIONS.keys())
@pytest.mark.parametrize("kind", ["sdf", "COLLADA"])
def test_no_entity_is_expanded_and_no_file_brought_in(command, secrets, kind, declaration, head):
    text = head + declared(declaration, kind, secrets) + BODIES[kind]
    name = "m.sdf" if kind == "sdf" else "a.dae"
    (secrets / name).write_bytes(text.encode(HEADS[head]))
    if kind == "COLLADA":
        uri = "<mesh><uri>a.dae</uri></mesh>"
        (secrets / "m.sdf").write_text(
            BODIES["sdf"].replace("<box><size>1 1 &e11;</size></box>", uri).replace("&e11;", "c")
        )
    for arguments in (["fill", "-q"], ["check"], ["show"]):
        outcome = command(*arguments, "m.sdf")
        assert outcome.status == 2 or arguments == ["show"]
        assert SECRET not in outcome.messages + outcome.output.decode()


def test_a_model_config_with_entities_names_nothing(command, secrets: Path) -> None:
    (secrets / "robot").mkdir()
    (secrets / "robot/hunter.sdf").write_text(BODIES["sdf"].replace("&e11;", "1"))
    (secrets / "robot/model.config").write_text(
        '<!DOCTYPE model [<!ENTITY a "hunter.sdf">]><model><sdf version="1.12">&a;</sdf></model>'
    )
    (secrets / "m.sdf").write_text(
        '<sdf version="1.12"><model name="m"><include><uri>model://robot</uri></include><link name="l">'
        '<inertial auto="1"/><collision name="c"><pose relative_to="m::l"/><geometry>'
        "<box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"
    )
    outcome = command("fill", "-q", "m.sdf")
    assert outcome.status == 2
    assert "model.config" in outcome.messages
    assert "DOCTYPE" in outcome.messages
