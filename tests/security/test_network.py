"""There is no network access, whatever a file names."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING

import pytest
from builders.documents import asking, asking_mesh

if TYPE_CHECKING:
    from collections.abc import Iterator

BOX = "<box><size>1 2 3</size></box>"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server on this machine that would notice anyone who calls."""
    server = socket.create_server(("127.0.0.1", 0), backlog=50)
    server.settimeout(0)
    yield server
    server.close()


COLLADA = """<?xml version="1.0"?>{}<COLLADA xmlns:xi="http://www.w3.org/2001/XInclude"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://{host}/a http://{host}/schema.xsd"
 version="1.4.1"><xi:include href="http://{host}/a.xml"/>
 <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="http://{host}/a.dae#g"/></node></visual_scene>
 </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
DOCTYPES = {
    "plain": "",
    "DTD": '<!DOCTYPE COLLADA SYSTEM "http://{host}/a.dtd">',
    "public DTD": '<!DOCTYPE COLLADA PUBLIC "-//A//B" "http://{host}/a.dtd">',
    "entity": '<!DOCTYPE COLLADA [<!ENTITY a SYSTEM "http://{host}/a">]>',
    "parameter entity": '<!DOCTYPE COLLADA [<!ENTITY % a SYSTEM "http://{host}/a"> %a;]>',
    "style sheet": '<?xml-stylesheet href="http://{host}/a.xsl" type="text/xsl"?>',
}
GLTF = {
    "asset": {"version": "2.0"},
    "buffers": [{"byteLength": 12, "uri": "http://{host}/a.bin"}],
    "images": [{"uri": "http://{host}/a.png"}],
    "bufferViews": [{"buffer": 0, "byteLength": 12}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
}
OBJ = "mtllib http://{host}/a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

# The document, and the files beside it.
REMOTE: dict[str, tuple[str, dict[str, str]]] = {
    "http mesh": (asking_mesh("http://{host}/a.stl"), {}),
    "https mesh": (asking_mesh("https://{host}/1.0/o/models/m/1/files/a.stl"), {}),
    "ftp mesh": (asking_mesh("ftp://{host}/a.stl"), {}),
    "fuel mesh": (asking_mesh("https://fuel.gazebosim.org/1.0/openrobotics/models/m/tip/files/meshes/a.dae"), {}),
    "file with a host": (asking_mesh("file://{host}/a.stl"), {}),
    "model with a host": (asking_mesh("model://{host}/a.stl"), {}),
    "share of a network": (asking_mesh("//{host}/share/a.stl"), {}),
    "share in backslashes": (asking_mesh("\\\\{host}\\share\\a.stl"), {}),
    "http include": (
        asking(
            BOX, "<include><name>i</name><uri>http://{host}/model.sdf</uri></include>", '<pose relative_to="i::l"/>'
        ),
        {},
    ),
    "DOCTYPE of the document": ('<!DOCTYPE sdf SYSTEM "http://{host}/a.dtd">' + asking(BOX), {}),
    "material library": (asking_mesh("a.obj"), {"a.obj": OBJ}),
    "glTF with remote buffers": (asking_mesh("a.gltf"), {"a.gltf": json.dumps(GLTF)}),
    **{
        f"COLLADA, {name}": (asking_mesh("a.dae"), {"a.dae": COLLADA.replace("{}", doctype)})
        for name, doctype in DOCTYPES.items()
    },
}


@pytest.mark.parametrize("arguments", [["fill", "--diff"], ["show", "--computed", "--report", "page.html"]])
@pytest.mark.parametrize(("text", "files"), REMOTE.values(), ids=REMOTE.keys())
def test_nothing_is_asked_of_the_network(watched, project, listener, arguments, text, files):
    host = "{}:{}".format(*listener.getsockname())
    for name, content in {**files, "m.sdf": text}.items():
        (project / name).write_text(content.replace("{host}", host))
    outcome = watched(*arguments, "m.sdf")
    assert "Traceback" not in outcome.messages
    assert [event for event, _ in outcome.events if event.startswith(("socket.", "urllib.", "http.", "ftplib."))] == []
    # What goes past Python's sockets, as the XML library could, knocks here.
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_a_call_would_be_noticed_by_both(watch, listener: socket.socket) -> None:
    watch.events = events = []
    try:
        socket.create_connection(listener.getsockname()).close()
    finally:
        watch.events = None
    assert "socket.connect" in [event for event, _ in events]
    listener.settimeout(5)
    listener.accept()[0].close()


@pytest.mark.parametrize("name", ["a.gltf", "a.dae", "a.obj"])
def test_the_command_mesh_asks_nothing_of_the_network(watched, project, listener, name):
    host = "{}:{}".format(*listener.getsockname())
    contents = {"a.gltf": json.dumps(GLTF), "a.dae": COLLADA.replace("{}", DOCTYPES["DTD"]), "a.obj": OBJ}
    (project / name).write_text(contents[name].replace("{host}", host))
    outcome = watched("mesh", name)
    assert [event for event, _ in outcome.events if event.startswith("socket.")] == []
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_a_missing_fuel_model_is_an_error_that_says_that_nothing_is_downloaded(watched, project):
    (project / "m.sdf").write_text(REMOTE["fuel mesh"][0])
    outcome = watched("fill", "m.sdf")
    assert outcome.status == 2
    assert "nothing is downloaded" in outcome.messages
