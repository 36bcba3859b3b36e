"""Each file is parsed once a command, and once more after a mend that wrote; each link is computed once a run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sdfinertia import Options, fill
from sdfinertia.links import computed, study
from sdfinertia.markup.document import Document
from sdfinertia.mesh import store

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
HEAD = '<sdf version="1.12"><model name="m">'
AUTO = f'<link name="asks"><inertial auto="true"/><collision name="c">{BOX}</collision></link>'
WRITTEN = (
    "<link name='written'><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial>"
    f"<collision name='c'>{BOX}</collision></link>"
)
WITHOUT = f'<link name="without"><collision name="c">{BOX}</collision></link>'
# A link that check nudges: libsdformat refuses its tensor for rounding alone.
NUDGED = (
    "<link name='plate'><inertial><mass>1</mass><inertia><ixx>0.08333</ixx><iyy>0.08333</iyy><izz>0.16667</izz>"
    f"</inertia></inertial><collision name='c'>{BOX}</collision></link>"
)
# Findings of it say whether it can be filled.
DEFAULT = f"<link name='default'><inertial><mass>2</mass></inertial><collision name='c'>{BOX}</collision></link>"


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was parsed, and each link computed, by their names."""
    seen: Counter[str] = Counter()
    parse, compute = Document.__init__, computed.compute

    def parsed(self: Document, data: bytes, path: str) -> None:
        seen[Path(path).name] += 1
        parse(self, data, path)

    def counted(inputs: Any, *rest: object, **named: object) -> computed.Computed:
        seen[inputs.parts[0].solid.link.scoped_name] += 1
        return compute(inputs, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Document, "__init__", parsed)
    monkeypatch.setattr(study, "_computer", lambda: counted)
    return seen


COMMANDS: dict[str, tuple[tuple[str, ...], int]] = {
    "fill": (("fill", "m.sdf"), 1),
    "fill what is missing": (("fill", "--missing", "m.sdf"), 1),
    "fill everything": (("fill", "--all", "--missing", "m.sdf"), 1),
    "fill, and draw it": (("fill", "--report", "page.html", "m.sdf"), 1),
    "fill, and tell it": (("fill", "--report", "r.json", "--report", "r.md", "-v", "m.sdf"), 1),
    "fill with a diff": (("fill", "--diff", "m.sdf"), 1),
    "fill with included files": (("fill", "--recursive", "m.sdf"), 1),
    "fill, sharing a mass out": (("fill", "--total-mass", "5", "m.sdf"), 1),
    "fill, with a check": (("fill", "--check", "m.sdf"), 1),
    "check": (("check", "m.sdf"), 1),
    "check by every rule": (("check", "--select", "ALL", "m.sdf"), 1),
    "check, and draw it": (("check", "--report", "page.html", "--report", "r.sarif", "m.sdf"), 1),
    "check, with a baseline": (("check", "--write-baseline", "known.json", "m.sdf"), 1),
    "check, and mend": (("check", "--fix", "m.sdf"), 2),
    "check by every rule, mend, and draw it": (
        ("check", "--select", "ALL", "--fix", "--report", "page.html", "m.sdf"),
        2,
    ),
    "show": (("show", "m.sdf"), 1),
    "show what fill would write": (("show", "--computed", "m.sdf"), 1),
    "show, and draw it": (("show", "--computed", "--report", "page.html", "--json", "m.sdf"), 1),
    "show in another notation": (("show", "--as", "pi_o", "m.sdf"), 1),
    "scale": (("scale", "--link", "m::written", "--density", "500", "m.sdf"), 1),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_is_parsed_and_a_link_computed_once(name, project, command, counts):
    arguments, parses = COMMANDS[name]
    (project / "m.sdf").write_text(f"{HEAD}{AUTO}{WRITTEN}{WITHOUT}{NUDGED}{DEFAULT}</model></sdf>")
    command(*arguments)
    assert counts.pop("m.sdf") == parses
    # What a mend wrote is looked at anew.
    assert all(number <= parses for number in counts.values()), counts


def test_nothing_is_computed_where_digests_hold(project, command, counts):
    (project / "m.sdf").write_text(f"{HEAD}{AUTO}</model></sdf>")
    command("fill", "m.sdf")
    counts.clear()
    command("fill", "m.sdf")
    command("check", "m.sdf")
    assert counts == {"m.sdf": 2}


@pytest.mark.parametrize(
    ("given", "computes"),
    [
        ({}, False),
        ({"digits": 5}, True),
        ({"axes": "principal"}, True),
        ({"density": 500.0}, True),
        ({"total_mass": 6.0}, True),
        ({"provenance": False}, True),
    ],
    ids=str,
)
def test_a_second_run_over_all_links_computes_what_would_be_other_numbers(counts, given, computes):
    first = fill(f"{HEAD}{AUTO}{WRITTEN}</model></sdf>".encode(), Options(all=True)).content
    counts.clear()
    second = fill(first, Options(all=True, **given))
    assert (counts["m::asks"] > 0) is computes
    assert second.changed is computes


def test_a_second_run_over_all_links_computes_what_changed(counts: Counter[str]) -> None:
    first = fill(f"{HEAD}{AUTO}{WRITTEN}</model></sdf>".encode(), Options(all=True)).content
    counts.clear()
    before, after = first.split(b"<link name='written'>")
    result = fill(before.replace(b"1 2 3", b"1 2 4") + b"<link name='written'>" + after, Options(all=True))
    assert [link.name for link in result.links] == ["m::asks"]
    assert (counts["m::asks"], counts["m::written"]) == (1, 0)


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_mesh_is_read_once_however_large_it_is(tmp_path, monkeypatch, is_kept):
    read: list[str] = []
    real = store.read_mesh
    monkeypatch.setattr(store, "_MAX_KEPT", 0)
    monkeypatch.setattr(store, "read_mesh", lambda path, *rest: (read.append(path), real(path, *rest))[1])
    corners = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1))
    (tmp_path / "box.obj").write_text(
        corners + "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n", encoding="utf-8"
    )
    mesh = "<geometry><mesh><uri>box.obj</uri></mesh></geometry>"
    solids = f"<collision name='c'>{mesh}</collision><visual name='v'>{mesh}</visual>"
    text = f"{HEAD}<link name='l'><inertial auto='true'/>{solids}</link></model></sdf>"
    result = fill(
        text.encode(),
        Options(cache=str(tmp_path / "cache") if is_kept else None),
        filename=str(tmp_path / "m.sdf"),
    )
    assert not result.errors
    assert len(read) == 1
