"""A second run changes nothing, whatever the options."""

from __future__ import annotations

from builders.thoroughness import trials
from hypothesis import given, settings
from hypothesis import strategies as st

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

_sizes = st.floats(1e-3, 10.0).map(lambda value: f"{value:.3g}")
_thin = st.sampled_from(["1e-4", "1e-6"])
_angles = st.tuples(*[st.sampled_from(["0", "0.3", "1.1", "1.5707963267949", "-2"])] * 3).map(" ".join)


@st.composite
def _collisions(draw: st.DrawFn) -> str:
    shapes = []
    for index in range(draw(st.integers(1, 3))):
        pose = f"<pose>{draw(_sizes)} 0 {draw(_sizes)} {draw(_angles)}</pose>"
        density = draw(st.sampled_from(["", "<density>7801.3</density>", "<density>0.333</density>"]))
        sizes = [draw(_sizes), draw(_sizes | _thin), draw(_sizes | _thin)]
        shapes.append(
            f"<collision name='c{index}'>{pose}{density}<geometry><box><size>{' '.join(sizes)}</size></box></geometry>"
            "</collision>"
        )
    return "".join(shapes)


_MASSES = ["", "<mass>0.1</mass>", "<mass> 3.00 </mass>", "<mass>1e-7</mass>", "<mass>0.333333333333</mass>"]
_TENSOR = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"


@st.composite
def _models(draw: st.DrawFn) -> bytes:
    links = []
    for index in range(draw(st.integers(1, 3))):
        attribute = draw(st.sampled_from(["", " auto='true'"]))
        tensor = draw(st.sampled_from(["", _TENSOR]))
        block = f"<inertial{attribute}>{draw(st.sampled_from(_MASSES))}{tensor}</inertial>"
        block = draw(st.sampled_from([block, block, "", "<inertial auto='1'/>"]))
        links.append(f"<link name='l{index}'>\n{block}\n{draw(_collisions())}</link>")
    return f"<sdf version='1.11'>\n<model name='m'>\n{''.join(links)}\n</model></sdf>".encode()


_options = st.builds(
    Options,
    missing=st.booleans(),
    all=st.booleans(),
    refresh=st.booleans(),
    overwrite_edited=st.booleans(),
    density=st.sampled_from([None, 700.3, 1e3 / 7.0]),
    total_mass=st.sampled_from([None, None, 1e-6, 1.0 / 3.0, 12.0]),
    axes=st.sampled_from(["link", "principal"]),
    digits=st.sampled_from([3, 6, 12, 12, 15, 17]),
    provenance=st.booleans(),
    keep_going=st.booleans(),
)


@settings(max_examples=trials(60, 500), deadline=None)
@given(source=_models(), options=_options)
def test_a_second_run_with_the_same_options_changes_nothing(source: bytes, options: Options) -> None:
    first = fill(source, options, filename="/nowhere/m.sdf")
    second = fill(first.content, options, filename="/nowhere/m.sdf")
    assert second.content.decode() == first.content.decode()
