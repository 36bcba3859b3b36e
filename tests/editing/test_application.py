"""Who is answered, and what: tokens, hosts and origins, changes, undo, save, and what happens on disk meanwhile."""

from __future__ import annotations

import json
import os
import re
import struct
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdfinertia.errors import ConfigurationError
from sdfinertia.options import Options

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from sdfinertia.editing.application import application
from sdfinertia.editing.changes import Compute, DragFace, ResizeShape, SetMass, change_of
from sdfinertia.editing.session import Session

if TYPE_CHECKING:
    from pathlib import Path

PORT = 8123
TOKEN = "a-token-that-nobody-guesses"
HOST = f"127.0.0.1:{PORT}"

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
WRITTEN = (
    "<inertial><mass>12.0</mass><inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy>"
    "<iyz>0</iyz><izz>5</izz></inertia></inertial>"
)
LINKS = f"<link name='l'>\n{WRITTEN}{BOX}\n</link>\n<link name='k'>{BOX}</link>"
TEXT = f"<sdf version='1.11'>\n<model name='m'>\n{LINKS}</model></sdf>"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "m.sdf"
    file.write_text(TEXT)
    return file


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers wait for the findings, however busy the machine is."""
    monkeypatch.setattr(sys.modules[Session.__module__], "PATIENCE", 60.0)


@pytest.fixture
def session(path: Path) -> Session:
    return Session(str(path), Options())


@pytest.fixture
def client(session: Session) -> TestClient:
    return client_of(session)


def client_of(session: Session, **headers: str) -> TestClient:
    given = {"host": HOST, "origin": f"http://{HOST}", **headers}
    kept = {name: value for name, value in given.items() if value}
    client = TestClient(application(session, TOKEN, PORT), base_url=f"http://{HOST}")
    client.headers.update(kept)
    return client


def ask(client: TestClient, name: str, status: int = 200, **question: Any) -> Any:
    answer = client.post(f"/{TOKEN}/{name}", json=question)
    assert answer.status_code == status, answer.text
    return answer.json()


def change(client: TestClient, name: str, status: int = 200, version: int | None = None, **values: Any) -> Any:
    version = version if version is not None else version_of(client)
    return ask(client, "change", status, change=name, values=values, version=version)


def version_of(client: TestClient) -> int:
    return int(client.get(f"/{TOKEN}/status").json()["version"])


def state_of(client: TestClient) -> Any:
    return client.get(f"/{TOKEN}/state").json()


# Who may ask ----------------------------------------------------------------------------------------------------------


def test_the_page_is_served_to_who_knows_the_token(client: TestClient) -> None:
    answer = client.get(f"/{TOKEN}/")
    assert answer.status_code == 200
    assert "Editing m.sdf" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("name", ["", "status", "state"])
@pytest.mark.parametrize("token", ["wrong", "", TOKEN[:-1], TOKEN + "x"])
def test_without_the_token_nothing_is_answered(client: TestClient, token: str, name: str) -> None:
    answer = client.get(f"/{token}/{name}")
    assert answer.status_code == 404
    assert "m::l" not in answer.text


HOSTS = {f"localhost:{PORT}": 200} | dict.fromkeys(
    ("evil.example", f"evil.example:{PORT}", "127.0.0.1:1", "127.0.0.1", "[::1]:8123"), 403
)


@pytest.mark.parametrize(("host", "status"), HOSTS.items())
def test_this_machine_may_be_called_localhost_and_nothing_else(session: Session, host: str, status: int) -> None:
    assert client_of(session, host=host, origin="").get(f"/{TOKEN}/").status_code == status


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", f"https://{HOST}"])
def test_a_change_that_another_site_asks_for_is_refused(session: Session, path: Path, origin: str) -> None:
    client = client_of(session, origin=origin)
    for name in ("change", "save", "close", "reload"):
        assert client.post(f"/{TOKEN}/{name}", json={}).status_code == 403
    assert path.read_text() == TEXT


JSON = "application/json"
NO_QUESTIONS = {
    "another type": (b"{}", "text/plain", 415),
    "too long": (b'"' + b"x" * 100_000 + b'"', JSON, 413),
    "cut short": (b"{", JSON, 400),
    "a list": (b"[]", JSON, 400),
    "brackets": (b"[" * 60_000, JSON, 400),
    "objects": (b'{"a":' * 10_000, JSON, 400),
    "digits": (b"1" * 5000, JSON, 400),
    "no text": (b"\xff", JSON, 400),
    "more behind it": (b'{"change": "SetMass", "values": {"mass": 1}} x', JSON, 400),
}


@pytest.mark.parametrize(("content", "kind", "status"), NO_QUESTIONS.values(), ids=NO_QUESTIONS)
def test_a_question_is_a_short_json_object(client: TestClient, content: bytes, kind: str, status: int) -> None:
    answer = client.post(f"/{TOKEN}/change", content=content, headers={"content-type": kind})
    assert answer.status_code == status
    assert "the request" in answer.text


# Changes --------------------------------------------------------------------------------------------------------------


def test_a_change_is_answered_with_numbers_rows_and_the_diff(client: TestClient, path: Path) -> None:
    answer = change(client, "SetMass", link="m::l", mass=24.0, is_linked=True)
    link = answer["links"]["0"]
    assert (link["numbers"]["mass"], link["numbers"]["tensor"][:3]) == (24.0, [26.0, 20.0, 10.0])
    assert 'data-v="24.0"' in link["row"]
    assert "&lt;mass&gt;24&lt;/mass&gt;" in answer["diff"]
    assert (answer["canUndo"], answer["canRedo"], answer["isChanged"]) == (True, False, True)
    assert "24" in answer["summary"], "the link without an inertial counts for nothing"
    assert answer["totals"][0][0] == {"name": "m", "mass": 24.0, "com": [0.0, 0.0, 0.0]}
    assert path.read_text() == TEXT, "nothing is written before Save"


IMPOSSIBLE: dict[str, Any] = {"link": "m::l", "tensor": [1, 1, 9, 0, 0, 0]}


def test_a_preview_tells_what_would_be_and_keeps_nothing(client: TestClient) -> None:
    values: dict[str, object] = {"link": "m::l", "centre": [9.0, 0.0, 0.0]}
    answer = ask(client, "preview", change="MoveCentre", values=values, version=version_of(client))
    assert answer["numbers"]["centre"] == [9.0, 0.0, 0.0]
    assert any(found.startswith("SDI208") for found in answer["findings"])
    assert not client.get(f"/{TOKEN}/status").json()["isChanged"]
    answer = ask(client, "preview", change="SetTensor", values=IMPOSSIBLE, version=version_of(client))
    assert answer["unphysical"].startswith("a mass of")


def test_a_second_page_learns_that_it_is_behind(client: TestClient) -> None:
    stale = version_of(client)
    change(client, "SetMass", link="m::l", mass=24.0)
    answer = change(client, "SetMass", 409, version=stale, link="m::l", mass=1.0)
    assert answer["state"]["links"]["0"]["numbers"]["mass"] == 24.0
    assert ask(client, "save", 409, version=stale)["state"]["isChanged"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("SetMass", {"link": "a", "mass": 2}), SetMass("a", 2.0)),
        (("Compute", {}), Compute()),
        (("ResizeShape", {"link": "a", "collision": "c", "dimensions": [1, 2.5]}), ResizeShape("a", "c", (1.0, 2.5))),
        (
            ("DragFace", {"link": "a", "axis": 1, "side": -1, "distance": 0.1, "solid": "ellipsoid"}),
            DragFace("a", 1, -1, 0.1, "ellipsoid"),
        ),
    ],
)
def test_changes_are_read_from_json(asked: tuple[str, Any], expected: Any) -> None:
    assert change_of({"change": asked[0], "values": asked[1]}) == expected


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Nothing", {}),
        (None, {}),
        ("SetMass", []),
        ("SetMass", {"link": "a"}),
        ("SetMass", {"link": "a", "mass": "1"}),
        ("SetMass", {"link": "a", "mass": True}),
        ("SetMass", {"link": "a", "mass": 1, "path": "/etc/passwd"}),
        ("MoveCentre", {"link": "a", "centre": [1, 2]}),
        ("MoveCentre", {"link": "a", "centre": "123"}),
        ("DragFace", {"link": "a", "axis": 1.5, "side": 1, "distance": 0.1}),
        ("SetMass", {"link": "a", "mass": 10**400}),
        ("SetMass", {"link": "a", "mass": float("inf")}),
        ("TurnAxes", {"link": "a", "rpy": [0.0, float("nan"), 0.0]}),
    ],
)
def test_what_is_no_change_is_refused(name: Any, values: Any) -> None:
    with pytest.raises(ConfigurationError):
        change_of({"change": name, "values": values})


@pytest.mark.parametrize("mass", ["1e308", "1e-320"])
def test_a_file_with_numbers_that_cannot_be_judged_is_shown_and_can_be_mended(path: Path, mass: str) -> None:
    path.write_text(TEXT.replace("12.0", mass))
    client = client_of(Session(str(path), Options()))
    assert client.get(f"/{TOKEN}/").status_code == 200
    shown = state_of(client)["links"]["0"]["numbers"]
    assert "double precision" in shown["problem"]
    answer = change(client, "SetMass", link="m::l", mass=12.0, is_linked=False)
    assert answer["links"]["0"]["numbers"]["tensor"] == [13.0, 10.0, 5.0, 0.0, 0.0, 0.0]


# Meshes ---------------------------------------------------------------------------------------------------------------


def octahedron(size: float = 1.0) -> str:
    corners = "".join(
        f"v {s * size * (k == 0)} {s * size * (k == 1)} {s * size * (k == 2)}\n" for k in range(3) for s in (1, -1)
    )
    faces = "".join(f"f {a} {b} {c}\n" for a, b, c in ((1, 3, 5), (3, 2, 5), (2, 4, 5), (4, 1, 5)))
    return corners + faces + faces.replace("5", "6").replace("f 1 3", "f 3 1")


@pytest.fixture
def with_meshes(tmp_path: Path) -> Path:
    (tmp_path / "a.obj").write_text(octahedron())
    (tmp_path / "b.obj").write_text(octahedron(2.0))
    shapes = "".join(
        f"<{kind} name='{name}'><geometry><mesh><uri>{name}.obj</uri></mesh></geometry></{kind}>"
        for kind, name in (("collision", "a"), ("visual", "a"), ("visual", "b"))
    )
    file = tmp_path / "meshes.sdf"
    file.write_text(f"<sdf version='1.11'><model name='m'><link name='l'>{WRITTEN}{shapes}</link></model></sdf>")
    return file


def page_data(client: TestClient) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', client.get(f"/{TOKEN}/").text)
    return json.loads(found[1])


def test_meshes_are_sent_apart_as_numbers_of_four_bytes(with_meshes: Path) -> None:
    client = client_of(Session(str(with_meshes), Options()))
    data = page_data(client)
    (link,) = data["scenes"][0]["links"]
    (collision,) = link["shapes"]
    assert data["surfaces"] == []
    assert collision["mesh"] == link["visuals"][0]["mesh"] != link["visuals"][1]["mesh"], "each is asked for once"
    answer = client.get(f"/{TOKEN}/mesh/{link['visuals'][1]['mesh']}")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    vertices, faces, is_coarser = struct.unpack_from("<3I", answer.content)
    assert (vertices, faces, is_coarser) == (6, 8, 0)
    positions = np.frombuffer(answer.content, "<f4", 18, 12).reshape(6, 3)
    assert np.abs(positions).max() == 2.0
    assert np.frombuffer(answer.content, "<u4", 24, 12 + 72).max() == 5
    assert len(answer.content) == 12 + 72 + 96


def test_a_mesh_is_asked_for_by_the_name_that_the_page_was_given_and_no_path(with_meshes: Path) -> None:
    client = client_of(Session(str(with_meshes), Options()))
    for name in ("a.obj", str(with_meshes.parent / "a.obj"), "..%2fa.obj", "0" * 64, ""):
        assert client.get(f"/{TOKEN}/mesh/{name}").status_code in (404, 422)
    name = page_data(client)["scenes"][0]["links"][0]["visuals"][0]["mesh"]
    assert client.get(f"/wrong/mesh/{name}").status_code == 404
    other = client_of(Session(str(with_meshes), Options()), host="evil.example", origin="")
    assert other.get(f"/{TOKEN}/mesh/{name}").status_code == 403


def test_findings_that_take_long_come_after_the_numbers(session, client, monkeypatch):
    module = sys.modules[Session.__module__]
    gate, search = threading.Event(), module.check_document
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(module, "check_document", lambda document: gate.wait(60) and search(document))
    state_of(client)
    for mass in (24.0, 36.0):
        answer = change(client, "SetMass", link="m::l", mass=mass, is_linked=False)
        assert (answer["links"]["0"]["numbers"]["mass"], answer["isChecked"]) == (mass, False)
        assert "checking" in answer["counts"]
    gate.set()
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    found = state_of(client)
    assert found["isChecked"]
    ask(client, "save", version=version_of(client))
    assert state_of(client)["findings"] == found["findings"]
    assert state_of(client_of(Session(session.path, Options())))["findings"] == found["findings"]


# Save, and the disk ---------------------------------------------------------------------------------------------------


def test_save_writes_exactly_the_change(client: TestClient, path: Path) -> None:
    change(client, "SetMass", link="m::l", mass=24.0, is_linked=False)
    answer = ask(client, "save", version=version_of(client))
    assert path.read_text() == TEXT.replace("12.0", "24")
    assert (answer["isChanged"], answer["canUndo"], answer["diff"]) == (False, True, "")
    saved = answer["saved"]
    assert (saved["path"], saved["changes"], saved["links"]) == (str(path), 1, ["m::l"])
    assert "&lt;mass&gt;24" in saved["diff"]
    ask(client, "undo", version=version_of(client))
    ask(client, "save", version=version_of(client))
    assert path.read_text() == TEXT, "what was saved is undone too"


def test_without_unsaved_changes_what_is_on_disk_is_shown(client: TestClient, path: Path) -> None:
    before = version_of(client)
    path.write_text(TEXT.replace("12.0", "13.0"))
    assert version_of(client) > before
    state = state_of(client)
    assert (state["onDisk"], state["links"]["0"]["numbers"]["mass"], state["canUndo"]) == ("same", 13.0, False)


def test_with_unsaved_changes_the_draft_is_kept_and_save_refuses_until_it_is_reloaded(client, path):
    change(client, "SetMass", link="m::l", mass=24.0)
    other = TEXT.replace("12.0", "13.0")
    path.write_text(other)
    status = client.get(f"/{TOKEN}/status").json()
    assert (status["onDisk"], status["isChanged"]) == ("changed", True)
    assert state_of(client)["links"]["0"]["numbers"]["mass"] == 24.0
    assert "changed on disk" in ask(client, "save", 422, version=version_of(client))["error"]
    assert path.read_text() == other
    answer = ask(client, "reload")
    assert (answer["links"]["0"]["numbers"]["mass"], answer["isChanged"], answer["onDisk"]) == (13.0, False, "same")


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_file_that_becomes_a_link_out_of_the_confinement_is_not_read(tmp_path: Path) -> None:
    tree, secret = tmp_path / "tree", tmp_path / "secret.sdf"
    tree.mkdir()
    (tree / "m.sdf").write_text(TEXT)
    secret.write_text(TEXT.replace("12.0", "4711"))
    client = client_of(Session(str(tree / "m.sdf"), replace(Options(), confine=str(tree))))
    (tree / "m.sdf").unlink()
    (tree / "m.sdf").symlink_to(secret)
    assert client.get(f"/{TOKEN}/status").json()["onDisk"] == "changed"
    assert ask(client, "reload", 422)["error"] == f"is outside {tree}, and not opened"
    assert "4711" not in client.get(f"/{TOKEN}/state").text


# Watching -------------------------------------------------------------------------------------------------------------


def test_what_is_watched_cannot_be_changed(path: Path) -> None:
    client = client_of(Session(str(path), Options(), is_read_only=True))
    assert "Watching m.sdf" in client.get(f"/{TOKEN}/").text
    for name in ("SetMass", "Compute"):
        values = {"link": "m::l", "mass": 2.0} if name == "SetMass" else {}
        assert "only shown" in change(client, name, 422, **values)["error"]
    for name in ("save", "undo"):
        assert "only shown" in ask(client, name, 422, version=1)["error"]
    assert path.read_text() == TEXT


def test_the_end_is_asked_for_in_the_page(session: Session) -> None:
    ended: list[bool] = []
    client = TestClient(application(session, TOKEN, PORT, lambda: ended.append(True)), base_url=f"http://{HOST}")
    assert client.post(f"/{TOKEN}/close", json={}, headers={"origin": f"http://{HOST}"}).status_code == 200
    assert ended == [True]


def test_a_page_is_told_that_no_link_is_to_be_computed(client: TestClient, path: Path) -> None:
    answer = change(client, "Compute")
    assert not answer["isChanged"]
    assert answer["notes"] == ["Nothing to compute: no link asks for it or is stale. Pick a link to compute it anyway."]
