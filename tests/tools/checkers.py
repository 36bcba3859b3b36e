"""Which injected mistakes, and which clean links, each of several checkers reports: python -m checkers SET [BIN]

SET holds urdf/ID.urdf and labels.json: a list of {"id", "link", "kind"}, kind "none" for a clean link. BIN is the
directory of the checkers that are not this package's own; those that are not there are left out. A link is reported by
a line of at least a warning that names it and speaks of its inertial.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_ABOUT_INERTIALS = re.compile(
    r"mass|inerti|gyration|centre of|center of|density|moment|triangle|placeholder|tensor|kg|\bcom\b", re.IGNORECASE
)
_SEVERE = re.compile(r"\b(error|warn|warning|fail)\b", re.IGNORECASE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Some print the severity as a heading.
_HEADING = re.compile(r"^\W*(ERROR|WARN|INFO)\b[ (0-9)]*$")
_COMMANDS = {
    "sdfinertia": [sys.executable, "-m", "sdfinertia", "check", "--no-cache", "--no-why", "--format", "github"],
    "simcheck": ["simcheck", "check", "--no-cache", "--format", "github"],
    "truerig": ["truerig", "validate"],
    "isaaclab-robot-doctor": ["isaaclab-robot-doctor", "check"],
    "urdf-validator": ["urdf_validate"],
    "mjcf-doctor": ["mjcf-doctor", "check"],
    "mujoco": [sys.executable, "-c", "import mujoco, sys; mujoco.MjModel.from_xml_path(sys.argv[1])"],
}


def main(cases: Path, directory: Path | None) -> None:
    labels = json.loads((cases / "labels.json").read_text())
    print(f"{'':24} found of {sum(each['kind'] != 'none' for each in labels)}   false of {_clean(labels)}")
    for name, command in _commands(directory):
        with ThreadPoolExecutor(2) as pool:
            reported = list(pool.map(lambda label, command=command: _reports(command, cases, label), labels))
        found = sum(hit for hit, label in zip(reported, labels, strict=True) if label["kind"] != "none")
        false = sum(hit for hit, label in zip(reported, labels, strict=True) if label["kind"] == "none")
        print(f"{name:24} {found:4} ({found / (len(labels) - _clean(labels)):.0%})   {false}")


def _clean(labels: list[dict[str, str]]) -> int:
    return sum(label["kind"] == "none" for label in labels)


def _commands(directory: Path | None) -> Iterator[tuple[str, list[str]]]:
    for name, (program, *arguments) in _COMMANDS.items():
        if program == sys.executable:
            yield name, [program, *arguments]
        elif directory is not None and (directory / program).exists():
            yield name, [str((directory / program).absolute()), *arguments]


def _reports(command: list[str], cases: Path, label: dict[str, str]) -> bool:
    path = (cases / "urdf" / f"{label['id']}.urdf").absolute()
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run([*command, str(path)], capture_output=True, text=True, cwd=scratch, check=False)
    if command[0] == sys.executable and command[1] == "-c":
        return run.returncode != 0
    severe, named = False, re.compile(rf"\b{re.escape(label['link'])}\b")
    for line in _COLOUR.sub("", run.stdout + run.stderr).replace(str(path), "").splitlines():
        if heading := _HEADING.match(line):
            severe = heading[1] != "INFO"
        elif (severe or _SEVERE.search(line)) and _ABOUT_INERTIALS.search(line) and named.search(line):
            return True
    return False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
