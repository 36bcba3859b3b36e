"""Output that is cut short fails, and what could be waited for for ever is refused."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from builders.documents import AUTO, collision, inertial, one_link
from builders.meshes import OBJ_TETRAHEDRON

from sdfinertia.errors import WriteError
from sdfinertia.files import write_whole
from sdfinertia.files.atomic_file import write_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the faults are made with the means of Linux")


BOX = one_link(AUTO, collision()).decode().replace("</sdf>", f"<!-- {'padding ' * 5000} --></sdf>\n")
WRITTEN = inertial(1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("step", [1, 3, 100])
def test_all_is_written_however_little_each_call_takes(step: int) -> None:
    taken: list[bytes] = []

    def write(data: memoryview) -> int:
        taken.append(bytes(data[:step]))
        return len(taken[-1])

    write_whole(write, b"0123456789")
    assert b"".join(taken) == b"0123456789"
    assert len(taken) == -(-10 // step)


@pytest.mark.parametrize(
    ("output", "unbuffered", "fault"),
    [
        *[("-", "", "full disk"), ("-", "1", "size limit"), ("/dev/stdout", "1", "size limit")],
        *[("/dev/fd/3", "", "full disk"), ("/dev/full", "", "full disk")],
    ],
)
def test_output_cut_short_is_an_error(project: Path, output: str, unbuffered: str, fault: str) -> None:
    (project / "m.sdf").write_text(BOX)
    sink = "/dev/full" if fault == "full disk" else "out"
    # The limit is one of whole blocks of 512 bytes, and less than the document; the signal would end the process.
    limit = "" if fault == "full disk" else "trap '' XFSZ; ulimit -f 20;"
    script = f'{limit} exec "$0" -m sdfinertia fill -q m.sdf -o {output} > {sink} 3> {sink}.3'
    script = script.replace("/dev/full.3", "/dev/full")
    done = subprocess.run(
        ["sh", "-c", script, sys.executable],
        stderr=subprocess.PIPE,
        # What measures coverage would write a file of its own, and meet the same limit.
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")},
            "PYTHONUNBUFFERED": unbuffered,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert (len(done.stderr.splitlines()), b"cannot be written" in done.stderr) == (1, True), done.stderr


PRINTING = (
    *("fill m.sdf --diff", "fill m.sdf -o /dev/stdout", "check m.sdf"),
    *(f"check m.sdf --format {name}" for name in ("json", "github", "sarif", "junit")),
    *("check m.sdf --fix --diff", "show m.sdf", "show m.sdf --format json", "show m.sdf --as urdf"),
    *("repair m.sdf -o -", "scale written.sdf --link m::l --mass 2 --diff"),
    *("scale written.sdf --link m::l --mass 2 -o -", "mesh t.obj", "mesh t.obj --format json", "mesh t.obj --list"),
    *("mesh t.obj --as sdf", "rules", "rules SDI101", "--help", "check --help"),
    *("--version", "completion"),
)


# Runs each command in a process of its own, and says how it ended; what all load is loaded once.
EACH = """
import os, sys
import rich.console, scipy.spatial, sdfinertia.documents.checking, sdfinertia.documents.filling
from sdfinertia.cli import main
for number, command in enumerate(open("commands").read().splitlines()):
    if not (child := os.fork()):
        os.dup2(messages := os.open(f"{number}.err", os.O_CREAT | os.O_WRONLY), 2)
        os.close(messages)
        if command == "completion":
            os.environ["_SDFINERTIA_COMPLETE"], command = "bash_source", ""
        sys.argv[1:] = command.split()
        main(prog_name="sdfinertia")
    with open(f"{number}.status", "w") as status:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=status)
"""


@pytest.mark.slow
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_standard_output_that_takes_nothing_is_one_error_of_every_command(project, redirection):
    (project / "m.sdf").write_text(BOX)
    (project / "written.sdf").write_text(BOX.replace(AUTO, WRITTEN))
    (project / "t.obj").write_text(OBJ_TETRAHEDRON)
    (project / "commands").write_text("\n".join(PRINTING))
    script = f'exec "$0" -c "$1" {redirection}'
    subprocess.run(["sh", "-c", script, sys.executable, EACH], stderr=subprocess.PIPE, timeout=60)
    for number, command in enumerate(PRINTING):
        messages = (project / f"{number}.err").read_text()
        assert "Traceback" not in messages, command
        if redirection == ">/dev/full":
            assert (project / f"{number}.status").read_text() == "2\n", (command, messages)
            assert messages.count("standard output: cannot be") == 1, (command, messages)


def test_messages_that_nobody_takes_leave_the_work_and_the_exit_status(project: Path) -> None:
    (project / "m.sdf").write_text(BOX)
    for arguments, status in (("fill m.sdf", 0), ("rules nosuch", 2), ("check gone.sdf", 2)):
        script = f'exec "$0" -m sdfinertia {arguments} 2>&-'
        assert subprocess.run(["sh", "-c", script, sys.executable], timeout=120).returncode == status
    assert "<mass>6000</mass>" in (project / "m.sdf").read_text()


def test_what_the_encoding_of_a_stream_lacks_is_replaced_and_a_reader_that_has_enough_ends_a_command(process, project):
    outcome = process("rules", "SDI102", PYTHONIOENCODING="ascii")
    assert (outcome.status, outcome.messages) == (0, "")
    script = f'"{sys.executable}" -m sdfinertia rules | true'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {script}"], stderr=subprocess.PIPE, timeout=120)
    assert done.stderr == b""


def test_a_descriptor_is_written_to_where_it_stands(project: Path) -> None:
    (project / "m.sdf").write_text(BOX)
    script = 'echo before >&3; "$0" -m sdfinertia fill -q m.sdf -o /dev/fd/3; echo after >&3'
    subprocess.run(["sh", "-c", f"exec 3> log; {script}", sys.executable], check=True)
    filled = subprocess.run(
        [sys.executable, "-m", "sdfinertia", "fill", "-q", "m.sdf", "-o", "-"], capture_output=True, check=True
    )
    assert (project / "log").read_bytes() == b"before\n" + filled.stdout + b"after\n"


@pytest.mark.parametrize("number", [987, 1 << 31])
def test_a_descriptor_that_is_not_open_is_an_error(number: int) -> None:
    with pytest.raises(WriteError):
        write_file(f"/dev/fd/{number}", b"x")


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


@pytest.mark.parametrize(
    ("words", "make", "name"),
    [
        ("fill m.sdf -o", os.mkfifo, "there.html"),
        ("fill m.sdf -o", make_socket, "link.html"),
        ("fill m.sdf -o", Path.mkdir, "there.html"),
        *(
            (words, os.mkfifo, "there.html")
            for words in ("fill m.sdf --report", "check m.sdf --report", "check m.sdf --write-baseline")
        ),
        ("show m.sdf --report", os.mkfifo, "there.html"),
        ("scale m.sdf --link m::l --mass 2 -o", os.mkfifo, "there.html"),
    ],
)
def test_what_is_neither_a_file_nor_a_stream_is_refused_and_not_waited_for(command, project, words, make, name):
    (project / "m.sdf").write_text(BOX.replace(AUTO, WRITTEN))
    make(project / "there.html")
    (project / "link.html").symlink_to("there.html")
    outcome = command(*words.split(), name)
    assert outcome.status == 2
    assert outcome.messages.splitlines()[0].startswith(f"{name}: is a ")
