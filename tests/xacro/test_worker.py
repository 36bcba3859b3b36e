"""What the worker of xacro answers, and what it may not do; tests/security holds that its process does no more."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders.xacros import HEAD, expanded, robot

from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.xacro.expansion import expand
from sdfinertia.xacro.sandbox import Guard, RefusedError, limit_resources

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("xacro")
TABLE = """a: {b: 1.5}
day: 2020-01-02
angle: !degrees 90
keep: &k [1]
again: *k
whole: [{c: d}]
big: 7
"""
LOADED = '<xacro:property name="v" value="${xacro.load_yaml(\'v.yaml\')}"/>'
ANSWERS = {
    "a table of values": ("<link name=\"${v.a['b']} ${v.day} ${v.again[0]} ${v.whole[0].c}\"/>", "1.5 2020-01-02 1 d"),
    "an iterator": ('<link name="${map(str, [1, 2])}"/>', "['1', '2']"),
    "a method of a type": ('<link name="${(1.5).is_integer()} ${(2).real}"/>', "False 2"),
    "a function that takes functions": ("<link name=\"${sorted(['aa', 'b'], key=len)[0]}\"/>", "b"),
    "a namespace": ('<link name="${math.floor(python.sum([1.5, 1]))}"/>', "2"),
    "a comprehension": ('<link name="${[k for k, w in v.items() if w == 7]}"/>', "['big']"),
    "where it is": ('<link name="$(cwd)$(dirname)"/>', "/"),
    "variables": (
        '<link name="$(env NAME)$(optenv NO_SUCH a b)$(optenv NO_SUCH)"/>',
        "lefta b",
    ),
    "arguments": (
        "<xacro:arg name='n' default='2.5'/><xacro:arg name='t' default='True'/>"
        '<link name="$(eval n * 2)$(eval t)"/>',
        "5.0True",
    ),
    "parts of a document": (
        "<?target data?><gazebo><![CDATA[a < b]]></gazebo><!-- c --><link name='l'>a<b/></link>",
        "<![CDATA[a < b]]>",
    ),
    "comments of ours": (
        "<link name='l'><!-- sdfinertia: auto --><xacro:if value='1'><visual/></xacro:if></link>",
        "<!-- sdfinertia: auto -->",
    ),
}
REFUSALS = {
    "a function as a value": ('<link name="${len}"/>', "an expression uses a function as a value"),
    "another type": ('<link name="${python.bytes}"/>', "is not defined"),
    "what is no function": ('<link name="${math.pi()}"/>', "'float' object is not callable"),
    "a name that is none": ('<link name="${math.no_such}"/>', "name 'no_such' is not defined"),
    "an attribute": ('<link name="${[].append}"/>', "'list' object has no attribute 'append'"),
    "an inner name": ('<link name="${(1)._x}"/>', "is more than arithmetic: it names '_x'"),
    "a lambda": ('<link name="${(lambda: 1)()}"/>', "is more than arithmetic"),
    "a call of a result": ('<link name="${[len][0]([1])}"/>', "it calls what is not a name"),
    "bytes": ("<link name=\"${b'a'}\"/>", "is more than arithmetic: bytes"),
    "a name put together": ("<link name=\"${'_' + '__'}\"/>", "it holds '__'"),
    "a long expression": (f'<link name="${{{"1 + " * 4000}1}}"/>', "an expression has 16,001 characters"),
    "a long expression in a message": (f'<link name="${{[{"1, " * 40}x.__y]}}"/>', "...' is more than arithmetic"),
    "a half character": ("<link name=\"${'\\ud800'}\"/>", "the character U+D800, which XML cannot hold"),
    "an expression without end": ('<link name="${a"/>', "invalid expression: ${a"),
    "a name that is computed": ("<xacro:element xacro:name=\"${'a b'}\"/>", "a computed name is not one of"),
    "a comment that breaks": ("<!-- xacro:eval-comments --><!-- ${'-' * 2} --><link name='l'/>", "a comment holds --"),
    "a call without end": (
        '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
        "macros, includes or properties call themselves endlessly",
    ),
    "a doctype": ("DOCTYPE", "DOCTYPE declarations are not allowed in xacro"),
    "a file that is none": (
        "<link name=\"${xacro.load_yaml('gone.yaml')}\"/>",
        "gone.yaml cannot be read: No such file",
    ),
    "a package": ('<link name="$(find no_such_package)"/>', "package not found: no_such_package"),
    "a package of an include": ('<xacro:include filename="package://no_such/x.xacro"/>', "package not found: no_such"),
    "a file by its scheme": ('<xacro:include filename="file://gone.xacro"/>', "file not found: "),
}
# Each says nothing of the secret that it is about.
QUIET = {
    "a tag": ("!!the-secret 1", "${v}", "is not valid YAML (line 1)"),
    "a unit": ("!degrees the-secret", "${v}", "has a value with a unit that is not arithmetic (line 1)"),
    "a set": ("!!set {the-secret}", "${v}", "has a value of type set, which xacro may not use"),
    "a number": ("a: the-secret", "${float(v.a)}", "an expression cannot be evaluated (ValueError)"),
    "a division": ("a: the-secret", "${1 / (len(v.a) - 10)}", "division by zero when evaluating expression"),
    "a name": ("a: the-secret", "${no_such}", "name 'no_such' is not defined"),
    "a package": ("a: the-secret", "$(find ${v.a})", "package not found, whose name is computed"),
    "a substitution": ("a: the-secret", "$(${v.a})", "unknown substitution that is computed"),
    "an argument": ("a: the-secret", "$(arg ${v.a})", "argument that is computed has no value; give it with"),
    "a file": ("a: the-secret", "${xacro.load_yaml(v.a)}", "a file of values cannot be read"),
    "a condition": ("a: the-secret", '"/><xacro:if value="${v.a}"/><a b="', "cannot be evaluated (ValueError)"),
    "an include": (
        "a: the-secret",
        '"/><xacro:include filename="${v.a}"/><a b="',
        "cannot be evaluated (FileNotFoundError)",
    ),
    "a message": ("a: the-secret", "${xacro.fatal(v.a)}", "xacro has a message with values that it read"),
}
CONFINED = {
    "a variable": ('<link name="$(env NAME)"/>', "environment variable 'NAME' is not read with --confine"),
    "a file outside": ("<link name=\"${xacro.load_yaml('../x.yaml')}\"/>", "x.yaml' is outside "),
    "a wildcard of directories": ('<xacro:include filename="a*/x.xacro"/>', "has a wildcard for directories"),
}


def _refused(path: Path, **options: Any) -> str:
    with pytest.raises(SdfInertiaError) as refused:
        expanded(path, **options)
    return str(refused.value)


@pytest.mark.parametrize(("text", "said"), ANSWERS.values(), ids=ANSWERS)
def test_values_and_parts_of_documents_are_answered(project, monkeypatch, text, said):
    monkeypatch.setenv("NAME", "left")
    (project / "v.yaml").write_text(TABLE)
    assert said.encode() in expanded(robot(LOADED + text)).data


@pytest.mark.parametrize(("text", "said"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_no_value_or_no_document_is_refused(project: Path, text: str, said: str) -> None:
    path = robot(text)
    if text == "DOCTYPE":
        path.write_text(f"<!DOCTYPE r []>{HEAD}</robot>")
    assert said in _refused(path)


@pytest.mark.parametrize(("values", "text", "said"), QUIET.values(), ids=QUIET)
def test_what_was_read_for_values_is_not_quoted(project: Path, values: str, text: str, said: str) -> None:
    (project / "v.yaml").write_text(values)
    message = _refused(robot(f'{LOADED}<link name="{text}"/>'))
    assert said in message
    assert "secret" not in message


@pytest.mark.parametrize(("text", "said"), CONFINED.values(), ids=CONFINED)
def test_what_lies_outside_is_refused(project: Path, text: str, said: str) -> None:
    assert said in _refused(robot(text), confine=".")


def test_macros_are_called_with_their_defaults_and_warnings_are_kept(project: Path) -> None:
    text = (
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m" params="n:=l"><link name="${n}"/>'
        '</xacro:macro><xacro:macro name="xacro:k" params="n"/><xacro:include filename="none*.xacro"/></robot>'
    )
    found = expand("part.xacro", Options(), text.encode(), macros=["m"])
    assert b'<robot name="part"' in found.data
    assert b'<link name="l"/>' in found.data
    assert [re.split(r"[:\"]", warning)[0] for warning in found.warnings] == [
        "macro names must not contain prefix 'xacro",
        "Include tag's filename spec ",
    ]


def test_values_may_be_given_for_a_file(project: Path) -> None:
    path = robot(f'{LOADED}<link name="${{v.a}}"/>')
    assert b'name="7"' in expand(str(path), Options(), overlay={str(project / "v.yaml"): b"a: 7"}).data


FORBIDDEN = {
    "writing": (("open", ("f", "w", 0)), "xacro tried to write 'f'"),
    "writing by flags": (("open", ("f", None, os.O_WRONLY | os.O_CREAT)), "xacro tried to write 'f'"),
    "reading outside": (("open", ("../f", "r", 0)), "'../f' is outside "),
    "reading a directory": (("open", (".", "r", 0)), "'.' is not a regular file"),
    "listing outside": (("os.listdir", ("..",)), "'..' is outside "),
    "a pattern outside": (("glob.glob", ("../*.xacro", False)), "'../' is outside "),
    "importing": (("import", ("socket", None, None, None, None)), "xacro tried to import 'socket'"),
    "starting a program": (("subprocess.Popen", ("sh",)), "xacro tried a forbidden operation (subprocess.Popen)"),
}
ALLOWED = [
    ("compile", ("1", "<expression>")),
    ("open", ("v.yaml", "r", 0)),
    ("open", (3, "r", 0)),
    ("os.listdir", (".",)),
    ("os.scandir", (3,)),
    ("glob.glob", ("*.xacro", False)),
]


@pytest.mark.parametrize(("act", "said"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_the_guard_refuses_all_but_reading_what_is_inside(project: Path, act: Any, said: str) -> None:
    guard = Guard(os.curdir)
    with pytest.raises(RefusedError) as refused:
        guard._audit(*act)
    assert str(refused.value).startswith(said)
    with guard.ours():
        guard._audit(*act)


def test_the_guard_lets_files_inside_be_read(project: Path) -> None:
    (project / "v.yaml").write_text(TABLE)
    for act in ALLOWED:
        Guard(os.curdir)._audit(*act)
    Guard(None)._audit("open", ("../f", "r", 0))


def test_time_memory_and_writing_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    given: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (0, 1000 if kind == resource.RLIMIT_AS else -1))
    monkeypatch.setattr(resource, "setrlimit", given.__setitem__)
    limit_resources(7, 5000)
    expected = {resource.RLIMIT_CPU: (7, 7), resource.RLIMIT_AS: (1000, 1000), resource.RLIMIT_FSIZE: (0, 0)}
    assert given == expected
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(resource, "setrlimit", None)
    limit_resources(7)
