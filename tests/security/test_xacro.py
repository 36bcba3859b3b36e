"""xacro evaluates Python: whatever a file asks for ends in one error, and nothing outside is read or started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders.xacros import HEAD, robot

from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.xacro.expansion import expand
from sdfinertia.xacro.sandbox import RefusedError, require_arithmetic

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("xacro")
SECRET = "the-secret-7c1f"

EXPRESSIONS = {
    "an import": "__import__('os').system('touch here')",
    "the builtins": "__builtins__",
    "all classes": "().__class__.__base__.__subclasses__()",
    "a class": "str.mro",
    "a class of a function": "xacro.load_yaml.__globals__",
    "the module of a function": "math.sin.__self__",
    "a name put together": "'_' + '_import__'.join(['__'])",
    "a format": "'{0.a}'.format(xacro.load_yaml)",
    "a format of a table": "'x'.format_map(python)",
    "a format that is handed on": "list(map(str.format, ['{0.a}'], [1]))",
    "a format in a text": "f'{1}{a.b}'",
    "a function": "(lambda: 1)()",
    "a generator": "(a for a in [1]).gi_frame.f_back",
    "an assignment": "[a := 1, a]",
    "awaiting": "await 1",
    "yielding": "(yield)",
    "private parts": "python._resolve_",
    "a text of many": "1 + " * 4000 + "1",
    "a set": "{1, 2}",
    "a set that is made": "{a for a in [1]}",
    "bytes": "b'a'",
    "a call of a result": "[len][0]([1])",
    "the rest": "...",
}


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_more_than_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(RefusedError) as refused:
        require_arithmetic(expression)
    assert "--trust-xacro" in refused.value.remedy


HOSTILE = {
    "an import": ("<link name=\"${__import__('os').system('touch here')}\"/>", "more than arithmetic"),
    "an import by eval": ('<link name="$(eval __import__)"/>', "more than arithmetic"),
    "classes by eval": ('<link name="$(eval [].__class__)"/>', "more than arithmetic"),
    "vars": ('<link name="${python.vars(1)}"/>', "name 'vars' is not defined"),
    "vars by name": ("<link name=\"${python['vars']}\"/>", "type NameSpace"),
    "type by name": ("<link name=\"${python['ty' + 'pe']}\"/>", "type NameSpace"),
    "a yaml of a class": ("<link name=\"${xacro.load_yaml('evil.yaml')}\"/>", "is not valid YAML (line 1)"),
    "units that compute": (
        "<link name=\"${xacro.load_yaml('units.yaml')}\"/>",
        "a unit that is not arithmetic (line 1)",
    ),
    "an endless macro": ('<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>', "call themselves endlessly"),
    "an endless include": ('<xacro:include filename="r.urdf.xacro"/>', "call themselves endlessly"),
    "an endless property": (
        '<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><link name="${a}"/>',
        "circular variable definition",
    ),
    "a bomb of macros": (
        '<xacro:macro name="m0"><a/></xacro:macro>'
        + "".join(f'<xacro:macro name="m{n}">{f"<xacro:m{n - 1}/>" * 9}</xacro:macro>' for n in range(1, 9))
        + "<xacro:m8/>",
        "it makes more than 20,000 macro calls",
    ),
    "a parenthesis without end": (f'<link name="${{{"(" * 3000}1{")" * 3000}}}"/>', "nested parentheses"),
    "an include outside": ('<xacro:include filename="../outside/x.xacro"/>', "is outside"),
    "an absolute include": ('<xacro:include filename="{outside}/x.xacro"/>', "is outside"),
    "an include as a file": ('<xacro:include filename="file://{outside}/x.xacro"/>', "is outside"),
    "an include through a link": ('<xacro:include filename="linked.xacro"/>', "is outside"),
    "an include below a link": ('<xacro:include filename="folder/x.xacro"/>', "is outside"),
    "an include that need not be there": ('<xacro:include filename="../outside/x.xacro" optional="1"/>', "is outside"),
    "a pattern outside": ('<xacro:include filename="../outside/*.xacro"/>', "is outside"),
    "a pattern below a link": ('<xacro:include filename="folder/*.xacro"/>', "is outside"),
    "a pattern of directories": ('<xacro:include filename="*/x.xacro"/>', "has a wildcard for directories"),
    "a package outside": ('<xacro:include filename="$(find evil)/x.xacro"/>', "package not found: evil"),
    "a package by uri": ('<xacro:include filename="package://evil/x.xacro"/>', "package not found: evil"),
    "a yaml outside": ("<link name=\"${xacro.load_yaml('../outside/s.yaml')}\"/>", "is outside"),
    "a yaml of old": ("<link name=\"${load_yaml('{outside}/s.yaml')}\"/>", "is outside"),
    "a yaml that is handed on": ("<link name=\"${list(map(xacro.load_yaml, ['../outside/s.yaml']))}\"/>", "is outside"),
    "a device": ('<xacro:include filename="/dev/zero"/>', "is outside"),
    "the environment": ('<link name="$(env SECRET)"/>', "is not read with --confine"),
    "the environment or else": ('<link name="$(optenv SECRET x)"/>', "is not read with --confine"),
    "the environment by eval": ('<link name="$(eval env)"/>', ""),
    "entities": ("<link/>", "DOCTYPE declarations are not allowed"),
}
ENDLESS = {"a bomb of macros", "an endless include", "an endless macro"}


@pytest.fixture
def outside(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "x.xacro").write_text(f'{HEAD}<link name="{SECRET}"/></robot>')
    (outside / "s.yaml").write_text(f"{SECRET}: [")
    (outside / "package.xml").write_text("<package><name>evil</name></package>")
    (project / "linked.xacro").symlink_to(outside / "x.xacro")
    (project / "folder").symlink_to(outside)
    (project / "evil.yaml").write_text("!!python/object/apply:os.system [touch here]")
    (project / "units.yaml").write_text("!degrees ().__class__")
    monkeypatch.setenv("SECRET", SECRET)
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(outside))
    return outside


@pytest.mark.usefixtures("quick_xacro")
@pytest.mark.parametrize(
    ("text", "told"),
    [pytest.param(*case, id=name, marks=pytest.mark.slow if name in ENDLESS else ()) for name, case in HOSTILE.items()],
)
def test_what_a_file_asks_for_is_refused_in_one_line(command, project, outside, text, told):
    path = robot(text.replace("{outside}", str(outside)))
    if "DOCTYPE" in told:
        path.write_text(f'<!DOCTYPE r [<!ENTITY a SYSTEM "{outside}/s.yaml">]>{path.read_text()}')
    outcome = command("check", "-q", "--confine", ".", path)
    assert told in outcome.output.decode()
    assert SECRET not in outcome.output.decode() + outcome.messages
    assert not (project / "here").exists()
    if told:
        assert outcome.status == 2
        assert outcome.output.count(b"SDI") == 1


# What names and attributes lead to is known only when it is evaluated.
VALUES = {
    "a block": "${xacro.keys()}",
    "a block of a namespace": "${xacro['*i']}",
    "the namespaces above": "${xacro.parent}",
    "the table of all": "${python.root}",
    "a method of a namespace": "${math.values()}",
    "a namespace that is copied": "${dict(math)}",
    "a function as a value": "${len}",
    "a function as a text": "${str(xacro.load_yaml)}",
    "a function in a list": "${[len]}",
    "a method as a value": "${[].append}",
    "a method of a type": "${str.upper}",
    "bytes that are made": "${'a'.encode()}",
    "a set by name": "${python.set([1])}",
    "a hash": "${python.hash('a')}",
    "a function that is chosen": "${(len if True else str)(1)}",
    "a value of YAML that is called": "${xacro.load_yaml('v.yaml').a()}",
}


@pytest.mark.usefixtures("quick_xacro")
@pytest.mark.parametrize("text", VALUES.values(), ids=VALUES.keys())
def test_no_other_value_can_arise(project: Path, text: str) -> None:
    (project / "v.yaml").write_text("a: 1")
    macro = f'<xacro:macro name="m" params="*i"><link name="{text}"/></xacro:macro><xacro:m><origin/></xacro:m>'
    with pytest.raises(SdfInertiaError):
        expand(str(robot(macro)), Options())


@pytest.mark.usefixtures("quick_xacro")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("confine", [None, "."])
@pytest.mark.parametrize(
    "text", ["<link name=\"${xacro.load_yaml('pipe')}\"/>", '<xacro:include filename="pipe"/>', "<link/>"]
)
def test_only_regular_files_are_opened(project: Path, confine: str | None, text: str) -> None:
    os.mkfifo(project / "pipe")
    path = robot(text)
    if text == "<link/>":
        path.unlink()
        os.mkfifo(path)
    with pytest.raises(SdfInertiaError, match="is not a regular file"):
        expand(str(path), Options(confine=confine), seconds=5)


ENDS = {
    "half a character": ("${'\\ud800'}", "the character U+D800"),
    "a byte that is no text": ("${'\\udc80'}", "the character U+DC80"),
    "half a character by eval": ("$(eval '\\ud800')", "the character U+D800"),
    "a control character": ("${'\\x00'}", "the character U+0000"),
    "a name of an element": ('"/><xacro:element xacro:name="${\'a b\'}"/><a b="', "a computed name"),
    "a comment": ("\"/><!-- xacro:eval-comments --><!-- ${'-' * 2} --><a b=\"", "a comment holds --"),
    "links": (
        '"/>'
        + '<xacro:macro name="m0"><link name="a"/></xacro:macro>'
        + "".join(f'<xacro:macro name="m{n}">{f"<xacro:m{n - 1}/>" * 9}</xacro:macro>' for n in range(1, 6))
        + '<xacro:m5/><a b="',
        "it makes more than 5,000 links",
    ),
    "a default that is not closed": (
        f'"/><xacro:macro name="m" params="a:={"b" * 40}\'"/><xacro:m/><a b="',
        "Undefined parameters",
    ),
}


@pytest.mark.usefixtures("quick_xacro")
@pytest.mark.parametrize(("text", "problem"), ENDS.values(), ids=ENDS.keys())
def test_what_no_robot_can_be_ends_in_one_error(project: Path, text: str, problem: str) -> None:
    path = robot(f'<link name="{text}"/>')
    with pytest.raises(SdfInertiaError, match=re.escape(problem)):
        expand(str(path), Options(), seconds=5)


def test_equal_runs_give_equal_bytes_whatever_the_seed_of_hashes(project, monkeypatch):
    path = robot('<link name="${[k for k in dict(b=1, a=2)]}$(env NAME)$(optenv PYTHONHASHSEED)"/>')
    monkeypatch.setenv("NAME", "n")
    found = set()
    for seed in ("1", "2", "random"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        found.add(expand(str(path), Options()).data.replace(f"n{seed}".encode(), b"n"))
    assert len(found) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["${10**10**9}", "${'x' * 10**11}", "${[0 for a in range(10**5) for b in range(10**5) for c in [0][1:]]}"]
)
def test_time_and_memory_are_bounded(project: Path, text: str) -> None:
    path = robot(f'<link name="{text}"/>')
    with pytest.raises(SdfInertiaError, match=r"more than 1 s of processor time|more than 2 GiB"):
        expand(str(path), Options(), seconds=1)


def test_a_file_that_is_trusted_may_evaluate_python_and_still_not_act(command, project, monkeypatch):
    monkeypatch.setenv("NAME", "left")
    path = robot('<link name="${(lambda: 1)()}$(env NAME)"/>')
    assert b"r::1left" in command("show", "--trust-xacro", "--confine", ".", path).output
    way = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__"
    robot(f"<link name=\"${{{way}['system']('touch here')}}\"/>")
    outcome = command("check", "--trust-xacro", path)
    assert outcome.status == 2
    assert not (project / "here").exists()


def test_hooks_and_the_action_hold_xacro_to_the_directory(command, project, outside, monkeypatch):
    path = robot('<xacro:include filename="../outside/x.xacro"/>')
    assert SECRET in command("show", path).output.decode()
    for variable in ("PRE_COMMIT", "SDFINERTIA_ACTION"):
        with monkeypatch.context() as patch:
            patch.setenv(variable, "1")
            assert b"is outside" in command("check", path).output


def test_a_module_of_the_tree_does_not_take_the_place_of_xacro(process, project: Path) -> None:
    mark = project / "here"
    for name in ("xacro", "yaml", "json", "sitecustomize"):
        (project / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n")
    (project / "xacro").mkdir()
    robot('<link name="l"/>')
    for name in ("json.py", "sitecustomize.py"):
        # Python itself would take them before anything of ours runs.
        (project / name).unlink()
    assert process("check", "r.urdf.xacro").status == 0
    assert not mark.exists()


ACTS = {
    "a process": "os.system('touch here')",
    "a child": "os.fork()",
    "a program": "subprocess.Popen(['touch', 'here'])",
    "a file": "open('here', 'w')",
    "a file by its descriptor": "os.open('here', os.O_CREAT | os.O_WRONLY)",
    "a removal": "os.remove('r.urdf.xacro')",
    "a link": "os.symlink('r.urdf.xacro', 'here')",
    "a connection": "socket.socket().connect(('127.0.0.1', 9))",
    "a file outside": "open('/etc/passwd')",
    "a directory outside": "os.listdir('/etc')",
    "a library": "ctypes.CDLL(None)",
    "a module": "__import__('wave')",
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_the_process_of_xacro_can_do_no_harm_though_python_is_evaluated(project: Path, act: str) -> None:
    robot("")
    program = (
        "import ctypes, os, socket, subprocess, sys\n"
        "from sdfinertia.xacro.sandbox import Guard, RefusedError\n"
        f"Guard({str(project)!r}).install()\n"
        f"try:\n    {act}\nexcept RefusedError as error:\n    print('refused', error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=project, env={**os.environ}, timeout=120
    )
    assert done.stdout.startswith("refused "), done.stdout + done.stderr
    assert not (project / "here").exists()
    assert (project / "r.urdf.xacro").exists()
