"""The command `edit`, and `show --watch`: the page of a document on a local server."""

from __future__ import annotations

import os
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from sdfinertia.commands.file_run import FileRun
from sdfinertia.commands.outputs import STANDARD_STREAM
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.options import GivenOptions
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import ERROR, print_line, say
from sdfinertia.robot.values import XACRO_SUFFIX


def run_edit(path: str, given: GivenOptions, *, port: int = 0, opens_browser: bool = True, watch: bool = False) -> int:
    """Serves the page of a document until it is told to end, and returns the exit status.

    Args:
        path: an SDF or URDF file, or a directory with one.
        given: the options of the command line.
        port: to listen on; 0 for one that is free.
        opens_browser: whether the page is opened; its address is printed in any case.
        watch: whether the document is only looked at.
    """
    try:
        serve, session_of = _server("show --watch" if watch else "edit")
        inputs = FileRun(given)
        file = _only_file(path, inputs)
        # What xacro makes is in no file that could be saved.
        is_read_only = watch or file.lower().endswith(XACRO_SUFFIX)
        session = session_of(file, inputs.options_for(file), is_read_only=is_read_only, keeps=True)

        def tell(address: str) -> None:
            print_line(address)
            sys.stdout.flush()
            say("Ctrl-C ends it" + ("." if is_read_only else "; nothing is written before Save."))
            if opens_browser:
                _open_in_browser(address, stack)

        with ExitStack() as stack:
            serve(session, port, tell)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    left = session.unsaved
    if left:
        say(f"{file}: {left} change{'s' if left != 1 else ''} not saved, and gone.")
    return ExitStatus.DONE


def _open_in_browser(address: str, stack: ExitStack) -> None:
    """Opens a page by a file that leads to it: everybody can read the arguments of the browser's process."""
    # Which nobody else may enter.
    directory = stack.enter_context(TemporaryDirectory(prefix="sdfinertia-", ignore_cleanup_errors=True))
    file = Path(directory, "open.html")
    file.touch(0o600)
    file.write_text(
        '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">sdfinertia</a>\n'
    )
    webbrowser.open(file.as_uri())


def _server(command: str):  # type: ignore[no-untyped-def]  # what is not installed has no types
    """What serves, and what makes a session."""
    try:
        # Loaded later, when files are watched; that it is missing is to be said now.
        import watchfiles  # noqa: F401

        from sdfinertia.server.application import serve
        from sdfinertia.server.session import Session
    except ImportError as error:
        raise ConfigurationError(
            f"`sdfinertia {command}` needs the library {error.name}",
            remedy="install it with `pip install sdfinertia[edit]`",
        ) from None
    return serve, Session


def _only_file(path: str, inputs: FileRun) -> str:
    """The one file that a path stands for."""
    if path == STANDARD_STREAM:
        raise ConfigurationError("a page needs a file: standard input cannot be read twice, or saved")
    files = list(inputs.files([path]))
    if len(files) != 1:
        some = f"; name one of them: {', '.join(map(os.path.normpath, files[:5]))}" if files else ""
        raise ConfigurationError(f"{path} stands for {len(files)} files, and a page shows one{some}")
    return files[0]
