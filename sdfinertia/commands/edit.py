"""The command `edit`: the page of a document on a local server."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from sdfinertia.commands import FileRun
from sdfinertia.editing.session import Session
from sdfinertia.errors import ConfigurationError, install_advice
from sdfinertia.options import Given
from sdfinertia.report import print_line, say
from sdfinertia.runs.source_files import STANDARD_STREAM, is_expanded


def run_edit(path: str, given: Given, *, port: int = 0, opens_browser: bool = True) -> int:
    run = FileRun(given)
    # A path that was refused is reported, and not again.
    with run.refusing():
        serve = _server()
        if path == STANDARD_STREAM:
            raise ConfigurationError("standard input cannot be shown on a page: give a file")
        file = run.only_file(path, "the page shows one")
        # There is no file to save for a robot made by xacro.
        is_read_only = is_expanded(file)
        session = Session(file, run.options_for(file), is_read_only=is_read_only, keeps=True)

        def report_address(address: str) -> None:
            print_line(address)
            sys.stdout.flush()
            if is_read_only:
                say(f"{file} is made by xacro, and only shown: change its numbers in the macros.")
            say("stop with Ctrl-C" + ("." if is_read_only else "; nothing is written before Save."))
            if opens_browser:
                _open_in_browser(address, stack)

        with ExitStack() as stack:
            serve(session, port, report_address)
        if left := session.unsaved:
            say(f"{file}: {left} unsaved change{'s' if left != 1 else ''} discarded.")
    return run.status()


def _open_in_browser(address: str, stack: ExitStack) -> None:
    """Through a file: every user of the machine can read the arguments of a process."""
    # Accessible to this user alone.
    directory = stack.enter_context(TemporaryDirectory(prefix="sdfinertia-", ignore_cleanup_errors=True))
    file = Path(directory, "open.html")
    file.touch(0o600)
    file.write_text(
        '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">sdfinertia</a>\n'
    )
    webbrowser.open(file.as_uri())


def _server() -> Callable[..., None]:
    try:
        from sdfinertia.editing.application import serve
    except ImportError as error:
        raise ConfigurationError(
            f"`sdfinertia edit` needs the library {error.name}",
            remedy=install_advice("edit"),
        ) from None
    return serve
