"""Messages, reports and pages never quote a file that is not SDF, whatever it is taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import asking_mesh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECRET = "hunter2-correct-horse"


FACETS = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0))]
FACETS += [((1, 0, 0), (0, 1, 0), (0, 0, 1))]
COLLADA = (
    '<?xml version="1.0"?> <COLLADA version="1.4.1" > <asset > <unit meter="1" /> <up_axis >Z_UP</up_axis> </asset> '
    '<library_geometries > <geometry id="g" > <mesh > <source id="p" > <float_array id="a" count="12" > '
    "0 0 0 1 0 0 0 1 0 0 0 1 </float_array> <technique_common > "
    '<accessor source="#a" count="4" stride="3" > <param name="X" type="float" /> <param name="Y" type="float" /> '
    '<param name="Z" type="float" /> </accessor> </technique_common> </source> <vertices id="v" > '
    '<input semantic="POSITION" source="#p" /> </vertices> <triangles count="4" > '
    '<input semantic="VERTEX" source="#v" offset="0" /> <p > 0 2 1 0 1 3 0 3 2 1 2 3 </p> </triangles> </mesh> '
    '</geometry> </library_geometries> <library_visual_scenes > <visual_scene id="s" > <node > '
    '<matrix > 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 </matrix> <instance_geometry url="#g" /> </node> </visual_scene> '
    '</library_visual_scenes> <scene > <instance_visual_scene url="#s" /> </scene> </COLLADA>'
)

# Files that are anything but SDF or a mesh; several are XML with mistakes where a parser would quote a name.
SECRETS = {
    "passwords": f"root:{SECRET}:0:0:root:/root:/bin/sh\ndaemon:*:1:1\n",
    "environment": f"TOKEN={SECRET}\nexport A='{SECRET}'\n",
    "JSON": f'{{"auths": {{"host": {{"auth": "{SECRET}"}}}}, "{SECRET}": [{SECRET}]}}',
    "JSON text": f'"{SECRET}"',
    "key": f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n",
    "text with a tag": f"password: <{SECRET}>\n",
    "text with two tags": f"<{SECRET}> and </{SECRET}2>\n",
    "text that ends in a tag": f"password <{SECRET}",
    "XML": f"<settings><{SECRET} a='{SECRET}'>{SECRET}</{SECRET}></settings>",
    "XML, root": f"<{SECRET}/>",
    "XML, not closed": f"<settings><{SECRET}>",
    "XML, closed by another": f"<settings>\n<{SECRET}></b></settings>",
    "XML, closes another": f"<settings>\n<b></{SECRET}></settings>",
    "XML, closes nothing": f"</{SECRET}>",
    "XML, attribute": f"<settings {SECRET}='1' b c={SECRET}/>",
    "XML, attribute twice": f"<{SECRET} a='1' a='2'/>",
    "XML, entity": f"<settings>&{SECRET};</settings>",
    "XML, prefix": f"<{SECRET}:settings {SECRET}:a='1'/>",
    "XML, comment": f"<settings><!-- {SECRET}",
    "XML, DOCTYPE": f"<!DOCTYPE {SECRET} [<!ENTITY a '{SECRET}'>]><settings/>",
    "XML, too deep": f"<{SECRET}>" * 1200,
    "TOML": f'[registry]\ntoken = "{SECRET}"\n',
    "numbers": f"1 2 3\n{SECRET} 5 6\n",
    "binary": f"\0\1\2{SECRET}\0" * 20,
}
# Those of which every report in every format is read: a report writes the message that the command says.
REPORTED = [SECRETS[name] for name in ("passwords", "JSON")]
SUFFIXES = ("sdf", "obj", "stl", "ply", "dae", "gltf", "glb")


def everything_said(command: Callable[..., Any], project: Path) -> Iterator[str]:
    """What every command says of m.sdf, and the reports it writes."""
    reports = ["report.json", "report.md", "report.html"]
    yield from said(command("fill", "-v", "--diff", *(f"--report={name}" for name in reports), "m.sdf"))
    findings = ["findings.json", "findings.md", "findings.sarif", "findings.xml"]
    for style in ("text", "json", "github", "sarif", "junit"):
        reported = (f"--report={name}" for name in findings if style == "text")
        yield from said(command("check", "-v", f"--format={style}", *reported, "m.sdf"))
    yield from said(command("check", "--write-baseline", "baseline.json", "m.sdf"))
    yield from said(command("show", "--format", "json", "--computed", "--report", "page.html", "m.sdf"))
    yield from said(command("scale", "--link", "*", "--mass", "1", "--diff", "m.sdf"))
    for name in (*reports, *findings, "baseline.json", "page.html"):
        if (project / name).exists():
            yield (project / name).read_text()


def said(outcome: Any) -> list[str]:
    assert outcome.status in (0, 1, 2)
    return [outcome.output.decode("utf-8", "replace"), outcome.messages]


@pytest.mark.parametrize("content", SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_taken_for_sdf_or_a_mesh_is_nowhere_quoted(command, project, content):
    for suffix in SUFFIXES:
        (project / f"secret.{suffix}").write_text(content)
        (project / "m.sdf").write_text(content if suffix == "sdf" else asking_mesh(f"secret.{suffix}"))
        if suffix != "sdf":
            assert SECRET not in "".join(said(command("mesh", "--format", "json", f"secret.{suffix}")))
        assert SECRET not in "".join(said(command("fill", "-v", "--diff", "m.sdf")))
        assert SECRET not in "".join(said(command("check", "-v", "m.sdf")))
        # What is said of one mesh is said of all: it is the reader that makes the message.
        if suffix in ("sdf", "dae") and content in REPORTED:
            assert [text for text in everything_said(command, project) if SECRET in text] == []
