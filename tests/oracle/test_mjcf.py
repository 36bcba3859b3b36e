"""What MuJoCo compiles of MJCF is what `show` says, and what `fill` writes compiles to the same numbers."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders.mjcf import CORNERS, bracket, compiled_body
from builders.rigid_bodies import Body, body_of
from hypothesis import given
from hypothesis import strategies as st
from straightforward import difference

import sdfinertia
from sdfinertia.mesh.solid_moments import exact_volume
from sdfinertia.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")

# Settings that newer versions will drop.
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:compiler attribute")]

WRITTEN, INFERRED = 1e-9, 1e-6


def compiled(path: Path) -> dict[str, Body]:
    """Bodies in the frames of the file: MuJoCo may move those of free bodies, and fuse others."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.alignfree = spec.compiler.fusestatic = 0
    for joint in spec.joints:
        joint.align = 0
    with warnings.catch_warnings():
        # Of the dynamics of a test model, which are not compared.
        warnings.simplefilter("ignore")
        model = spec.compile()
    found = {}
    for number in range(1, model.nbody):
        found[model.body(number).name or f"body#{number}"] = compiled_body(model, number)
    return found


def shown(path: Path) -> dict[str, tuple[str, Body | None]]:
    found: dict[str, tuple[str, Body | None]] = {}
    for body in sdfinertia.show(path):
        if body.origin != "collision":
            value = body_of(body.inertia) if body.inertia is not None else None
            found[body.name.partition("::")[2]] = body.origin, value
    return found


def differing(path: Path) -> Iterator[str]:
    """The bodies that are not as compiled, or not known."""
    ours = shown(path)
    for name, theirs in compiled(path).items():
        origin, value = ours.get(name, ("absent", None))
        if theirs.mass == 0.0:
            continue
        if value is None:
            yield f"{path} {name}: {origin}"
        elif (by := difference(theirs, value)) > (INFERRED if origin == "inferred" else WRITTEN):
            yield f"{path} {name}: {origin}, by {by:.2g}"


# Random bodies in every notation --------------------------------------------------------------------------------------

lengths, coordinates = st.floats(0.05, 2.0), st.floats(-2.0, 2.0)
angles, densities = st.floats(-180.0, 180.0), st.floats(10.0, 5000.0)


def texts(numbers: st.SearchStrategy[float], count: int) -> st.SearchStrategy[str]:
    return st.lists(numbers, min_size=count, max_size=count).map(lambda each: " ".join(map(repr, each)))


def vectors(count: int) -> st.SearchStrategy[str]:
    """None of them is short."""
    return texts(coordinates, count).filter(lambda text: np.linalg.norm(np.array(text.split(), float)[:3]) > 0.1)


@st.composite
def orientations(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["", "quat", "axisangle", "xyaxes", "zaxis", "euler"]))
    if kind == "euler":
        return f'euler="{draw(texts(angles, 3))}"'
    if kind == "axisangle":
        return f'axisangle="{draw(vectors(3))} {draw(angles)!r}"'
    if kind == "xyaxes":
        first, second = (np.array(draw(vectors(3)).split(), float) for _ in range(2))
        second = second if np.linalg.norm(np.cross(first, second)) > 0.1 else np.roll(first, 1) * [1, 2, 3] + 0.1
        return f'xyaxes="{" ".join(map(repr, [*map(float, first), *map(float, second)]))}"'
    return f'{kind}="{draw(vectors(4 if kind == "quat" else 3))}"' if kind else ""


@st.composite
def weights(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["", f'density="{draw(densities)!r}"', f'mass="{draw(lengths)!r}"', 'mass="0"']))


@st.composite
def fromto(draw: st.DrawFn) -> str:
    ends = np.array(draw(texts(coordinates, 6)).split(), float)
    ends[3:] += [0.0, 0.0, 5.0]
    return f'fromto="{" ".join(map(repr, map(float, ends)))}"'


CLASSES = ["main", "outer", "inner", "other"]
OTHERS = ["", "", 'contype="0" conaffinity="0"', 'group="4"', 'shellinertia="true"']


@st.composite
def geoms(draw: st.DrawFn, classes: Sequence[str] = ()) -> str:
    """Without what their class may give, now and then."""
    kind = draw(st.sampled_from(["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]))
    others = draw(st.sampled_from(OTHERS))
    of_class = draw(st.sampled_from(["", *(f'class="{name}"' for name in classes)]))
    rest = f"{draw(weights())} {others} {of_class}"
    position = draw(st.sampled_from(["", f'pos="{draw(texts(coordinates, 3))}"']))
    if kind == "mesh":
        mesh = draw(st.sampled_from(["box", "legacy", "exact", "convex", "shell"]))
        rest = rest.replace(OTHERS[-1], "")
        return f'<geom type="mesh" mesh="{mesh}" {rest} {position} {draw(orientations())}/>'
    if kind != "sphere" and draw(st.integers(0, 3)) == 0:
        place = f'{draw(fromto())} size="{draw(lengths)!r}"'
    else:
        count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
        if classes and draw(st.booleans()):
            count = draw(st.integers(0, count))
        size = f'size="{draw(texts(lengths, count))}"' if count else ""
        place = f"{size} {position} {draw(orientations())}"
    typed = "" if of_class and draw(st.integers(0, 3)) == 0 else f'type="{kind}"'
    return f"<geom {typed} {rest} {place}/>"


@st.composite
def of_class(draw: st.DrawFn) -> str:
    """What a class gives to geoms and meshes."""
    given = [draw(orientations()), f'size="{draw(texts(lengths, draw(st.integers(1, 3))))}"', draw(weights())]
    given += [f'pos="{draw(texts(coordinates, 3))}"', 'type="box"', *OTHERS[2:4], draw(fromto())]
    odds = (2, 2, 2, 5, 6, 6, 6, 15)
    chosen = [each for each, sides in zip(given, odds, strict=True) if draw(st.integers(1, sides)) == sides]
    scale = draw(st.sampled_from(["", "", f'<mesh scale="{draw(texts(lengths, 3))}"/>']))
    return f"<geom {' '.join(chosen)}/>{scale}"


@st.composite
def defaults(draw: st.DrawFn) -> str:
    main, outer, inner, other = (draw(of_class()) for _ in CLASSES)
    if draw(st.booleans()):
        main = ""
    nested = f'<default class="outer">{outer}<default class="inner">{inner}</default></default>'
    return f'<default>{main}{nested}<default class="other">{other}</default></default>'


@st.composite
def models(draw: st.DrawFn) -> str:
    angle = draw(st.sampled_from(["degree", "radian"]))
    sequence = "".join(draw(st.lists(st.sampled_from("xyzXYZ"), min_size=3, max_size=3)))
    settings = draw(st.sampled_from(["", 'inertiagrouprange="0 3"', 'boundinertia="0.01"', 'settotalmass="10"']))
    has_classes = draw(st.integers(0, 3)) > 0
    classes = CLASSES if has_classes else []
    child = draw(st.sampled_from(["", *(f'childclass="{name}"' for name in classes)]))
    inside = "".join(draw(st.lists(geoms(classes), min_size=1, max_size=3)))
    if draw(st.booleans()):
        of_frame = draw(st.sampled_from(["", child]))
        inside = f'<frame pos="{draw(texts(coordinates, 3))}" {draw(orientations())} {of_frame}>{inside}</frame>'
    meshes = "".join(
        re.sub('name="m"', f'name="{inertia}"', bracket(inertia)) for inertia in ("legacy", "exact", "convex", "shell")
    )
    return (
        f'<mujoco><compiler angle="{angle}" eulerseq="{sequence}" {settings}/>{draw(defaults()) if has_classes else ""}'
        f'{meshes}<asset><mesh name="box" vertex="{CORNERS}"/></asset>'
        f'<worldbody><body name="b" {child}><freejoint/>{inside}</body>'
        f'<body name="c"><freejoint/><inertial pos="{draw(texts(coordinates, 3))}" mass="{draw(lengths)!r}" '
        f'diaginertia="1 1.5 2" {draw(orientations())}/></body>'
        '<body name="d"><freejoint/><inertial pos="0 0 1" mass="2" fullinertia="1 1.5 2 0.1 0.2 -0.3"/></body>'
        "</worldbody></mujoco>"
    )


def is_moving(document: str) -> bool:
    """Whether MuJoCo takes it: a body that moves has mass."""
    try:
        mujoco.MjModel.from_xml_string(document)
    except ValueError:
        return False
    return True


@given(models().filter(is_moving))
def test_random_bodies_are_as_compiled(tmp_path_factory: pytest.TempPathFactory, document: str) -> None:
    path = tmp_path_factory.mktemp("model") / "m.xml"
    path.write_text(document)
    assert list(differing(path)) == []


@pytest.mark.parametrize("axes", ["link", "principal"])
@given(document=models().filter(is_moving))
def test_what_is_filled_compiles_to_what_it_says(tmp_path_factory, axes, document):
    path = tmp_path_factory.mktemp("model") / "m.xml"
    # Not scaled: that is done after.
    path.write_text(re.sub(r'(settotalmass|boundinertia)="[^"]*"', "", document))
    result = sdfinertia.fill(path, Options(missing=True, axes=axes, accept_size=True))
    result.write()
    assert result.errors == ()
    after = compiled(path)
    for link in result.links:
        assert link.inertia is not None
        assert difference(after[link.name.partition("::")[2]], body_of(link.inertia)) < WRITTEN


TURNED, MISSING = ("0 2 1", "1 2 0"), ("0 2 1 ", "")


@pytest.mark.parametrize("changes", [[], [TURNED], [MISSING], [("0 2 1", "0 2 1 0 2 1")], [("0 2 1", "0 2 1 3 3 5")]])
def test_mujoco_takes_the_faces_for_exact_that_we_do(changes: list[tuple[str, str]]) -> None:
    asset = bracket("exact")
    vertex, face = (re.findall(f'{name}="([^"]*)"', asset)[0] for name in ("vertex", "face"))
    for one, other in changes:
        face = face.replace(one, other, 1)
    document = f"<mujoco>{asset}<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    document = re.sub('face="[^"]*"', f'face="{face}"', document)
    vertices, faces = (np.array(text.split(), float).reshape(-1, 3) for text in (vertex, face))
    assert is_moving(document) is bool(exact_volume(vertices, faces.astype(np.uint32)) > 0.0)
