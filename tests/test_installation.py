"""What installs an extra depends on how the program was installed."""

import json
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sdfinertia import installation
from sdfinertia.installation import install_advice, install_command

EDITABLE: dict[str, Any] = {"url": "file:///home/me/sdfinertia", "dir_info": {"editable": True}}
LOCAL: dict[str, Any] = {"url": "file:///home/me/my%20code/sdfinertia", "dir_info": {}}
CLONED: dict[str, Any] = {"url": "file:///srv/git/sdfinertia", "vcs_info": {"vcs": "git", "commit_id": "1f" * 20}}
TAGGED: dict[str, Any] = {**CLONED, "vcs_info": {**CLONED["vcs_info"], "requested_revision": "v0.1.0"}}
WHEEL: dict[str, Any] = {"url": "file:///tmp/sdfinertia-0.1.0-py3-none-any.whl", "archive_info": {}}


Installed = Callable[..., None]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Makes the program one that was installed so, with its own pip on the path."""
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    pip = program.with_name("pip")
    pip.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("PATH", str(program.parent))

    def installed(record: dict[str, Any] | None, prefix: str = "/home/me/.venv") -> None:
        text = json.dumps(record) if record is not None else None
        monkeypatch.setattr(metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))
        monkeypatch.setattr(sys, "prefix", prefix)

    return installed


@pytest.mark.parametrize(
    ("record", "command"),
    [
        (EDITABLE, "pip install -e '/home/me/sdfinertia[edit]'"),
        (LOCAL, "pip install '/home/me/my code/sdfinertia[edit]'"),
        (CLONED, "pip install 'sdfinertia[edit] @ git+file:///srv/git/sdfinertia'"),
        (TAGGED, "pip install 'sdfinertia[edit] @ git+file:///srv/git/sdfinertia@v0.1.0'"),
        (WHEEL, "pip install 'sdfinertia[edit] @ file:///tmp/sdfinertia-0.1.0-py3-none-any.whl'"),
        (None, "pip install 'sdfinertia[edit]'"),
    ],
)
def test_it_comes_from_where_the_program_came(
    environment: Installed, record: dict[str, Any] | None, command: str
) -> None:
    environment(record)
    assert install_command("edit") == command
    assert install_advice("edit") == f"install it with `{command}`"


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/sdfinertia", "pipx install --force '/home/me/my code/sdfinertia[edit]'"),
        ("/home/me/.local/share/uv/tools/sdfinertia", "uv tool install --force '/home/me/my code/sdfinertia[edit]'"),
    ],
)
def test_a_tool_is_installed_by_what_installed_it(environment: Installed, prefix: str, command: str) -> None:
    environment(LOCAL, prefix)
    assert install_command("edit") == command


def test_a_foreign_pip_is_not_named(environment: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    environment(EDITABLE)
    monkeypatch.setenv("PATH", "/nowhere")
    assert install_command("lsp") == f"{sys.executable} -m pip install -e '/home/me/sdfinertia[lsp]'"


def test_a_checkout_that_is_not_installed_is_installed(environment: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    environment(None)

    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    checkout = installation.__file__.rpartition("/sdfinertia/")[0]
    assert install_command("edit") == f"pip install -e '{checkout}[edit]'"
