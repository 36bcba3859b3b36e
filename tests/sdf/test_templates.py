"""SDF with xacro in it is a template, and so named; what holds `${` for other programs is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders.documents import BOX, collision, link

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.errors import TemplateError
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

AUTO = f"<inertial auto='true'/>{collision()}"
MACRO = "<xacro:macro name='leg' params='m'><inertial><mass>${m}</mass></inertial></xacro:macro>"


def sdf(inside: str, above: str = "") -> bytes:
    namespace = "xmlns:xacro='http://www.ros.org/wiki/xacro'"
    return f"<sdf version='1.11' {namespace}>{above}<model name='m'>\n{inside}</model></sdf>".encode()


TEMPLATES = {
    "a macro": (sdf(link(AUTO), MACRO), "<xacro:macro>"),
    "a call in a link": (sdf(link("<xacro:leg m='1'/>" + collision())), "<xacro:leg>"),
    "a condition in a plugin": (sdf(link(AUTO) + "<plugin name='p'><xacro:if value='1'/></plugin>"), "<xacro:if>"),
    "a mass": (sdf(link("<inertial><mass>${m}</mass></inertial>")), "'${m}' in <mass>"),
    "a size": (sdf(link(AUTO.replace("1 2 3", "$(arg s)"))), "'$(arg s)' in <size>"),
    "a pose of a visual": (sdf(link(AUTO + f"<visual name='v'><pose>${{p}}</pose>{BOX}</visual>")), "in <pose>"),
    "a name": (sdf(link(AUTO, name="${side}_leg")), "'${side}_leg' in <link>"),
    "a frame": (sdf(link("<pose relative_to='${f}'/>" + AUTO)), "'${f}' in <pose>"),
    "a parent": (sdf(link(AUTO) + "<joint name='j' type='fixed'><parent>${p}</parent></joint>"), "in <parent>"),
    "a parameter": (
        sdf(link(AUTO.replace("/>", "><auto_inertia_params><a:b>${v}</a:b></auto_inertia_params></inertial>", 1))),
        "'${v}' in <a:b>",
    ),
    "a version": (sdf(link(AUTO)).replace(b"1.11", b"${v}"), "'${v}' in <sdf>"),
    "a model of a world": (sdf(link(AUTO)).replace(b"'m'", b"'$(arg n)'"), "'$(arg n)' in <model>"),
}


@pytest.mark.parametrize(("text", "what"), TEMPLATES.values(), ids=TEMPLATES.keys())
def test_elements_and_values_of_xacro_make_a_template_that_is_never_filled(text: bytes, what: str) -> None:
    for options in (Options(), Options(missing=True), Options(all=True)):
        with pytest.raises(TemplateError) as caught:
            fill(text, options, filename="/nowhere/m.sdf")
        assert "is a xacro template, not SDF: " in str(caught.value)
        assert what in str(caught.value)
    [finding] = check(text, Options(), filename="/nowhere/m.sdf")
    assert finding.code == "SDI900"
    assert finding.remedy.startswith("rename it to .sdf.xacro")


NONE = {
    "a namespace alone": "",
    "a comment": "<!-- <xacro:leg/> ${m} -->",
    "CDATA": "<plugin name='p'><![CDATA[ <xacro:leg/> ]]></plugin>",
    "a plugin": "<plugin name='p' filename='${x}'><topic>$(arg t)</topic></plugin>",
    "a plugin of a link": link("<plugin name='p'><pose>${x}</pose></plugin>" + AUTO, name="k"),
    "a sensor": link("<sensor name='${s}' type='imu'><topic>${t}</topic></sensor>" + AUTO, name="k"),
    "a material": link(f"{AUTO}<visual name='v'>{BOX}<material><script>${{s}}</script></material></visual>", name="k"),
    "a uri": link(
        "<visual name='v'><geometry><mesh><uri>model://${x}/$(y)</uri></mesh></geometry></visual>" + AUTO, name="k"
    ),
    "a uri of an include": "<include><uri>model://${x}</uri></include>",
    "other dollars": "<frame name='$f'/>",
}


@pytest.mark.parametrize("inside", NONE.values(), ids=NONE.keys())
def test_what_is_for_other_programs_makes_no_template(inside: str) -> None:
    assert fill(sdf(link(AUTO) + inside), Options(), filename="/nowhere/m.sdf").changed


def test_a_template_that_is_named_is_refused_and_one_that_a_walk_finds_passed_over(command, project: Path) -> None:
    (project / "part.sdf").write_bytes(sdf(link(AUTO), MACRO))
    sentence = "is a xacro template, not SDF: <xacro:macro>; rename it to .sdf.xacro, or --exclude it"
    for arguments in (("check",), ("fill",), ("fill", "--missing"), ("show",)):
        outcome = command(*arguments, "part.sdf")
        assert outcome.status == 2
        assert (outcome.output.decode() + outcome.messages).count(sentence.partition("; ")[0]) == 1
    assert command("check", ".").status == 2
    (project / "whole.sdf").write_bytes(sdf(link(AUTO)))
    outcome = command("check", ".")
    assert outcome.status == 1
    assert b"part.sdf" not in outcome.output
    assert outcome.messages.startswith("NOT CHECKED: 1 of 2 files (templates): ./part.sdf")
    outcome = command("fill", ".")
    assert outcome.status == 0
    assert f"part.sdf: note: {sentence}" in outcome.messages
    assert (project / "part.sdf").read_bytes() == sdf(link(AUTO), MACRO)
