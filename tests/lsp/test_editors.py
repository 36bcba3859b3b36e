"""The lines that the documentation has for editors, in those editors that are installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "guides" / "editors"
pytestmark = pytest.mark.slow


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def rover(project: Path) -> Path:
    shutil.copytree(ROOT / "fixtures" / "rover", project / "rover")
    return project / "rover" / "model.sdf"


def run(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_neovim(project: Path, rover: Path, environment: dict[str, str], command: Callable) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("nvim is not installed")
    version = re.search(r"NVIM v(\d+)\.(\d+)", run([program, "--version"], environment))
    new, old = blocks("neovim.md", "lua")
    settings = project / "init.lua"
    settings.write_text(new if (int(version[1]), int(version[2])) >= (0, 11) else old)
    text = rover.read_text()
    line = text[: text.index("<inertial")].count("\n")
    asked = {"MODEL": str(rover), "SEEN": str(project / "seen.json"), "LINE": str(line), "TITLE": "Fill chassis"}
    script = Path(__file__).with_name("neovim.lua")
    run([program, "--headless", "--clean", "-u", str(settings), "-S", str(script)], {**environment, **asked})
    seen = json.loads((project / "seen.json").read_text())
    assert rover.read_text() == text, "nothing is written"
    assert ["SDI001", line, 6] in seen["codes"]
    assert "| mass " in seen["hover"]
    command("fill", "--link", "rover::chassis", "rover")
    assert seen["text"] == rover.read_text()
    assert seen["left"] == len(seen["codes"]) - 1
    command("fill", "--link", "rover::front_left_wheel", "rover")
    assert seen["last"] == rover.read_text()


EMACS = """
(package-initialize)
(require 'eglot)
(setq eglot-connect-timeout 60 eglot-sync-connect 60)
(find-file (getenv "MODEL"))
(run-hooks 'post-command-hook)
(let ((tries 0))
  (while (and (< tries 300) (not (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (flymake-start)
    (setq tries (1+ tries))))
(let ((texts (mapconcat #'flymake-diagnostic-text (flymake-diagnostics) "\\n")))
  (with-temp-file (getenv "SEEN") (insert texts)))
(kill-emacs 0)
"""


def test_emacs(project: Path, rover: Path, environment: dict[str, str]) -> None:
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("emacs is not installed")
    check = [
        program,
        "--batch",
        "--eval",
        '(progn (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))',
    ]
    if subprocess.run(check, env=environment, capture_output=True).returncode:
        pytest.skip("Eglot is not installed")
    (settings,) = blocks("emacs.md", "elisp")
    (project / "init.el").write_text(settings)
    (project / "try.el").write_text(EMACS)
    asked = {"MODEL": str(rover), "SEEN": str(project / "seen.txt"), "HOME": str(project)}
    run([program, "--batch", "-l", str(project / "init.el"), "-l", str(project / "try.el")], {**environment, **asked})
    assert "SDI001" in (project / "seen.txt").read_text()


def test_helix(project: Path, environment: dict[str, str]) -> None:
    program = shutil.which("hx")
    if program is None:
        pytest.skip("hx is not installed")
    (settings,) = blocks("helix.md", "toml")
    directory = project / "config" / "helix"
    directory.mkdir(parents=True)
    (directory / "languages.toml").write_text(settings)
    told = run([program, "--health", "xml"], {**environment, "XDG_CONFIG_HOME": str(project / "config")})
    assert re.search(r"✓ sdfinertia", told), told


def test_the_settings_of_vscode_and_helix_can_be_read() -> None:
    for block in blocks("vscode.md", "json"):
        assert json.loads(block)
    if sys.version_info >= (3, 11):
        import tomllib

        (settings,) = blocks("helix.md", "toml")
        assert tomllib.loads(settings)["language-server"]["sdfinertia"]["args"] == ["lsp"]
