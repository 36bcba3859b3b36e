"""Each file is parsed once a command, and once more after a mend that wrote; each link is computed once a run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from builders.documents import AUTO, collision, inertial, link, mesh, one_link
from builders.meshes import OBJ_BOX

from sdfinertia import Options, fill
from sdfinertia.links import body, study
from sdfinertia.markup.document import Document
from sdfinertia.mesh import store

HEAD = '<sdf version="1.12"><model name="m">'
ASKS = link(AUTO, collision(), name="asks")
WRITTEN = link(inertial(2, (1, 2, 2.5)), collision(), name="written")
WITHOUT = link(collision(), name="without")
# A link that check nudges: libsdformat refuses its tensor for rounding alone.
NUDGED = link(inertial(1, (0.08333, 0.08333, 0.16667)), collision(), name="plate")
# Findings of it say whether it can be filled.
DEFAULT = link("<inertial><mass>2</mass></inertial>", collision(), name="default")


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was parsed, and each link computed, by their names."""
    seen: Counter[str] = Counter()
    parse, compute = Document.__init__, body.compute

    def parsed(self: Document, data: bytes, path: str) -> None:
        seen[Path(path).name] += 1
        parse(self, data, path)

    def counted(inputs: Any, *rest: object, **named: object) -> body.Computed:
        seen[inputs.parts[0].solid.link.scoped_name] += 1
        return compute(inputs, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Document, "__init__", parsed)
    monkeypatch.setattr(study, "compute", counted)
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
    "check by every rule, and mend": (("check", "--select", "ALL", "--fix", "--report", "page.html", "m.sdf"), 2),
    "show": (("show", "m.sdf"), 1),
    "show what fill would write": (("show", "--computed", "m.sdf"), 1),
    "show, and draw it": (("show", "--computed", "--report", "page.html", "--format", "json", "m.sdf"), 1),
    "show in another notation": (("show", "--as", "pi_o", "m.sdf"), 1),
    "scale": (("scale", "--link", "m::written", "--density", "500", "m.sdf"), 1),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_is_parsed_and_a_link_computed_once(name, project, command, counts):
    arguments, parses = COMMANDS[name]
    (project / "m.sdf").write_text(f"{HEAD}{ASKS}{WRITTEN}{WITHOUT}{NUDGED}{DEFAULT}</model></sdf>")
    command(*arguments)
    assert counts.pop("m.sdf") == parses
    # Each block is read back, which is no file.
    counts.pop("the block that would be written", None)
    # What a mend wrote is looked at anew.
    assert all(number <= parses for number in counts.values()), counts


def test_nothing_is_computed_where_digests_hold(project, command, counts):
    (project / "m.sdf").write_text(f"{HEAD}{ASKS}</model></sdf>")
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
    first = fill(f"{HEAD}{ASKS}{WRITTEN}</model></sdf>".encode(), Options(all=True)).content
    counts.clear()
    second = fill(first, Options(all=True, **given))
    assert (counts["m::asks"] > 0, second.changed) == (computes, computes)
    counts.clear()
    result = fill(first.replace(b"1 2 3", b"1 2 4", 1), Options(all=True))
    assert [link.name for link in result.links] == ["m::asks"]
    assert (counts["m::asks"], counts["m::written"]) == (1, 0)


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_mesh_is_read_once_however_large_it_is(tmp_path, monkeypatch, is_kept):
    read: list[str] = []
    real = store.read_mesh
    monkeypatch.setattr(store, "_MAX_KEPT", 0)
    monkeypatch.setattr(store, "read_mesh", lambda path, *rest: (read.append(path), real(path, *rest))[1])
    (tmp_path / "box.obj").write_text(OBJ_BOX)
    geometry = f"<geometry>{mesh('box.obj')}</geometry>"
    text = one_link(AUTO, collision(geometry), f"<visual name='v'>{geometry}</visual>")
    options = Options(cache=str(tmp_path / "cache") if is_kept else None)
    assert not fill(text, options, filename=str(tmp_path / "m.sdf")).errors
    assert len(read) == 1
