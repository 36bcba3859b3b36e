"""A session of `sdfinertia edit` on each file, over HTTP as its page asks, printed answer by answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

_TENSOR = [0.02, 0.03, 0.04, 0.001, 0.0, 0.0]
_IMPOSSIBLE = [1.0, 1.0, 9.0, 0.0, 0.0, 0.0]


def main(paths: list[str]) -> None:
    for path in paths:
        command = [sys.executable, "-m", "sdfinertia", "edit", "--no-browser", path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            try:
                if address.startswith("http"):
                    _walk(address)
                    _ask(address, "close", {})
                    server.wait(timeout=60)
            finally:
                server.terminate()
            print("" if address.startswith("http") else address, server.stdout.read())


def _walk(address: str) -> None:
    page = _ask(address, "", None)
    print("page", re.sub(r"http://127[^\"<]*", "ADDRESS", page))
    state = json.loads(_ask(address, "state", None))
    for link in _links(state)[:3]:
        changes: tuple[tuple[str, dict[str, Any]], ...] = (
            ("SetMass", {"mass": 3.5}),
            ("SetDensity", {"density": 500}),
            ("MoveCentre", {"centre": [0.1, 0.0, -0.2]}),
            ("SetTensor", {"tensor": _TENSOR}),
            ("TurnAxes", {"rpy": [0.1, 0.2, 0.3]}),
            ("SetMoments", {"moments": [0.02, 0.03, 0.04]}),
            ("DragFace", {"axis": 1, "side": 1, "distance": 0.05}),
            ("Compute", {}),
            ("SetTensor", {"tensor": _IMPOSSIBLE}),
            ("SetMass", {"mass": -1}),
        )
        for name, values in changes:
            question = {"change": name, "values": {"link": link, **values}}
            print("preview", link, name, _ask(address, "preview", question))
            print("change", link, name, _ask(address, "change", {**question, "version": _version(address)}))
        print("policies", _ask(address, "policies", {"link": link}))
        print("save", _ask(address, "save", {"version": _version(address)}))
        for step in ("undo", "undo", "redo", "undo"):
            print(step, _ask(address, step, {"version": _version(address)}))
        print("save", _ask(address, "save", {"version": _version(address)}))
    print("reload", _ask(address, "reload", {}))
    print("stale", _ask(address, "save", {"version": -1}))


def _links(state: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(re.findall(r'"name": "([^"]*::[^"]*)"', json.dumps(state))))


def _version(address: str) -> int:
    return int(json.loads(_ask(address, "status", None))["version"])


def _ask(address: str, name: str, question: dict[str, Any] | None) -> str:
    host = re.match(r"http://[^/]*", address)
    assert host is not None
    headers = {"origin": host[0], "content-type": "application/json"}
    data = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(address + name, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as refusal:
        return f"{refusal.code} {refusal.read().decode()}"


if __name__ == "__main__":
    main(sys.argv[1:])
