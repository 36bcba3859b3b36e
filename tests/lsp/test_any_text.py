"""Whatever stands in a text while it is typed, each question has an answer or one clear error."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import SdfInertiaError
from sdfinertia.lsp.actions import edits_of, offers
from sdfinertia.lsp.session import SharedState
from sdfinertia.lsp.shown import asking_links, diagnostics, hover, named_files, symbols
from sdfinertia.options import GivenOptions

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "fixtures" / "rover" / "model.sdf",
    ROOT / "fixtures" / "arm" / "model.sdf",
    ROOT / "fixtures" / "pendulum" / "pendulum.world",
    ROOT / "docs" / "examples" / "mistakes" / "forearm.urdf",
]
SHARED = SharedState(GivenOptions())
TYPED = ["", "<", ">", "</", '"', "<inertial/>", "<link name='a'>", "nan", "-1", "1e400", "🤖", "\r"]
TYPED += ["<!-- sdfinertia: auto -->"]


@given(data=st.data(), path=st.sampled_from(FILES), typed=st.sampled_from(TYPED))
def test_any_text_is_answered(data: st.DataObject, path: Path, typed: str) -> None:
    text = path.read_text()
    start = data.draw(st.integers(0, len(text)))
    stop = min(len(text), start + data.draw(st.sampled_from([0, 1, 5, 40])))
    version = SHARED.version(text[:start] + typed + text[stop:], str(path), "utf-16")
    offset = data.draw(st.integers(0, len(version.text.data)))
    for _ in version.steps():
        pass
    assert isinstance(diagnostics(version), list)
    assert isinstance(symbols(version), list)
    assert isinstance(list(asking_links(version)), list)
    assert isinstance(list(named_files(version)), list)
    with suppress(SdfInertiaError):
        hover(version, offset)
    offered = []
    with suppress(SdfInertiaError):
        offered = offers(version, offset)
    for offer in offered:
        with suppress(SdfInertiaError):
            assert version.text.text_edits(edits_of(version, offer.action))
