"""How the program was installed, and the command that installs its extras the same way."""

from __future__ import annotations


def install_advice(extra: str) -> str:
    """The command that installs the libraries of an extra."""
    return f"install it with `{install_command(extra)}`"


def install_command(extra: str) -> str:
    """The command that installs an extra, from where the program itself came, in the environment that it runs in."""
    # Loaded where a library is missing.
    import os
    import shlex
    import shutil
    import sys

    source, is_editable = _source(extra)
    parts = os.path.normpath(sys.prefix).split(os.sep)
    if "pipx" in parts and "venvs" in parts:
        words = ["pipx", "install", "--force"]
    elif parts[-3:-1] == ["uv", "tools"]:
        words = ["uv", "tool", "install", "--force"]
    else:
        pip = shutil.which("pip")
        is_own = pip is not None and os.path.dirname(pip) == os.path.dirname(sys.executable)
        words = ["pip", "install"] if is_own else [sys.executable, "-m", "pip", "install"]
    return shlex.join([*words, *(["-e"] if is_editable else []), source])


def _source(extra: str) -> tuple[str, bool]:
    """The name by which installers know the program with an extra, and whether it is an editable checkout."""
    import json
    import os
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    named = f"sdfinertia[{extra}]"
    try:
        # PEP 610: the address from which it was installed, unless from an index.
        record = json.loads(distribution("sdfinertia").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        # Run from a checkout.
        return f"{os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}[{extra}]", True
    url = record.get("url", "")
    if "dir_info" in record:
        return f"{url2pathname(urlsplit(url).path)}[{extra}]", bool(record["dir_info"].get("editable"))
    if "vcs_info" in record:
        revision = record["vcs_info"].get("requested_revision")
        return f"{named} @ {record['vcs_info']['vcs']}+{url}" + (f"@{revision}" if revision else ""), False
    return (f"{named} @ {url}" if url else named), False
