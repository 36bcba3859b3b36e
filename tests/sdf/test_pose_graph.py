from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from sdfinertia.description.pose_path import product
from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError
from sdfinertia.sdf.document import Document
from sdfinertia.sdf.frame_scope import FrameScope
from sdfinertia.sdf.model import Model, SdfRoot
from sdfinertia.sdf.pose_graph import PoseGraph
from sdfinertia.sdf.resources import Resources

Matrix = npt.NDArray[np.float64]


def X(x: float, y: float, z: float, roll: float = 0, pitch: float = 0, yaw: float = 0) -> Matrix:
    """The 4x4 matrix of a pose, by fixed-axis roll, pitch, yaw."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    result = np.eye(4)
    result[:3, :3] = about_z @ about_y @ about_x
    result[:3, 3] = (x, y, z)
    return result


inv = np.linalg.inv

# Poses of the frames below: general ones, so that nothing commutes by accident.
A = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
B = (-0.5, 0.4, 0.2, 0.7, -0.3, 0.2)
C = (0.3, 0.0, -1.0, -0.4, 0.1, 1.2)
D = (0.25, -2.0, 0.5, 0.2, 0.9, -0.6)


def pose(numbers: tuple[float, ...], relative_to: str | None = None, name: str = "relative_to") -> str:
    attribute = "" if relative_to is None else f" {name}='{relative_to}'"
    return f"<pose{attribute}>{' '.join(map(repr, numbers))}</pose>"


def scope_of(inside: str, directory: Path | None = None, version: str = "1.11", name: str = "m") -> PoseGraph:
    text = f"<sdf version='{version}'><model name='{name}'>{inside}</model></sdf>"
    root = SdfRoot(Document(text.encode(), str((directory or Path("/nowhere")) / "m.sdf")))
    [model] = root.models()
    return scope_of_model(model)


def scope_of_model(model: Model) -> PoseGraph:
    return PoseGraph(FrameScope(model.root, model.element, model.name, Resources(environment={}).load_include))


def transform(scope: PoseGraph, link: str, frame: str) -> Matrix:
    X_LF = product(scope.placement(link, frame))
    result = np.eye(4)
    result[:3, :3] = np.reshape(X_LF.rotation, (3, 3))
    result[:3, 3] = X_LF.translation
    return result


def write_model(directory: Path, name: str, inside: str, version: str = "1.11", attributes: str = "") -> None:
    folder = directory / name
    folder.mkdir()
    (folder / "model.config").write_text(f"<model><sdf version='{version}'>model.sdf</sdf></model>")
    text = f"<sdf version='{version}'><model name='{name}' {attributes}>{inside}</model></sdf>"
    (folder / "model.sdf").write_text(text)


def test_frames_that_link_and_frame_share_cancel() -> None:
    chain = (
        f"<frame name='f'>{pose(A)}</frame><frame name='g'>{pose(B, 'f')}</frame><frame name='h'>{pose(C, 'g')}</frame>"
    )
    scope = scope_of(f"{chain}<link name='l'>{pose(D, 'h')}</link><frame name='k'>{pose(A, 'h')}</frame>")
    assert transform(scope, "l", "k") == pytest.approx(inv(X(*D)) @ X(*A), abs=1e-14)
    assert transform(scope, "l", "f") == pytest.approx(inv(X(*B) @ X(*C) @ X(*D)), abs=1e-14)
    assert len(scope.placement("l", "k")[0].steps) == 1, "what both share is not gone through there and back"


RULES = {
    "a link's pose is relative to __model__": (
        f"<link name='l'>{pose(A)}</link>",
        "__model__",
        inv(X(*A)),
    ),
    "another link": (
        f"<link name='l'>{pose(A)}</link><link name='f'>{pose(B)}</link>",
        "f",
        inv(X(*A)) @ X(*B),
    ),
    "a link relative to a link": (
        f"<link name='l'>{pose(A, 'f')}</link><link name='f'>{pose(B)}</link>",
        "f",
        inv(X(*A)),
    ),
    "blank relative_to is unset": (
        f"<link name='l'>{pose(A)}</link><link name='f'>{pose(B, ' ')}</link>",
        "f",
        inv(X(*A)) @ X(*B),
    ),
    "relative_to __model__": (
        f"<link name='l'>{pose(A, '__model__')}</link><frame name='f' attached_to='l'>{pose(B, '__model__')}</frame>",
        "f",
        inv(X(*A)) @ X(*B),
    ),
    "names are trimmed": (
        f"<link name=' l '>{pose(A)}</link><frame name=' f ' attached_to=' l '>{pose(B)}</frame>",
        "f",
        X(*B),
    ),
    "a frame without attached_to is in __model__": (
        f"<link name='l'>{pose(A)}</link><frame name='f'>{pose(B)}</frame>",
        "f",
        inv(X(*A)) @ X(*B),
    ),
    "a frame is in its attached_to": (
        f"<link name='l'>{pose(A)}</link><link name='k'>{pose(B)}</link>"
        f"<frame name='f' attached_to='k'>{pose(C)}</frame>",
        "f",
        inv(X(*A)) @ X(*B) @ X(*C),
    ),
    "blank attached_to is unset": (
        f"<link name='l'>{pose(A)}</link><frame name='f' attached_to=''>{pose(C)}</frame>",
        "f",
        inv(X(*A)) @ X(*C),
    ),
    "relative_to goes before attached_to": (
        f"<link name='l'>{pose(A)}</link><link name='k'>{pose(B)}</link><link name='j'>{pose(D)}</link>"
        f"<frame name='f' attached_to='k'>{pose(C, 'j')}</frame>",
        "f",
        inv(X(*A)) @ X(*D) @ X(*C),
    ),
    "a chain of frames": (
        f"<link name='l'>{pose(A)}</link><frame name='f' attached_to='g'>{pose(B)}</frame>"
        f"<frame name='g' attached_to='h'>{pose(C)}</frame><frame name='h' attached_to='l'>{pose(D)}</frame>",
        "f",
        X(*D) @ X(*C) @ X(*B),
    ),
    "a joint's pose is relative to its child": (
        f"<link name='l'>{pose(A)}</link><link name='k'>{pose(B)}</link>"
        f"<joint name='j' type='fixed'>{pose(C)}<parent>l</parent><child> k </child></joint>",
        "j",
        inv(X(*A)) @ X(*B) @ X(*C),
    ),
    "a joint's child may be a frame": (
        f"<link name='l'>{pose(A)}</link><frame name='k' attached_to='l'>{pose(B)}</frame>"
        f"<joint name='j' type='fixed'>{pose(C)}<parent>world</parent><child>k</child></joint>",
        "j",
        X(*B) @ X(*C),
    ),
    "a joint's relative_to": (
        f"<link name='l'>{pose(A)}</link><link name='k'>{pose(B)}</link>"
        f"<joint name='j' type='fixed'>{pose(C, 'l')}<parent>l</parent><child>k</child></joint>",
        "j",
        X(*C),
    ),
    "no pose is the identity": (
        f"<link name='l'>{pose(A)}</link><frame name='f' attached_to='l'/>",
        "f",
        np.eye(4),
    ),
    "a nested model's pose is relative to __model__": (
        f"<link name='l'>{pose(A)}</link><model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>",
        "n",
        inv(X(*A)) @ X(*B),
    ),
    "a link of a nested model": (
        f"<link name='l'>{pose(A)}</link><model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>",
        "n::k",
        inv(X(*A)) @ X(*B) @ X(*C),
    ),
    "the frame of a nested model": (
        f"<link name='l'>{pose(A)}</link><model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>",
        "n::__model__",
        inv(X(*A)) @ X(*B),
    ),
    "a model nested twice": (
        f"<link name='l'>{pose(A)}</link><model name='n'>{pose(B)}<model name='o'>{pose(C)}"
        f"<frame name='f'>{pose(D)}</frame></model></model>",
        "n::o::f",
        inv(X(*A)) @ X(*B) @ X(*C) @ X(*D),
    ),
    "a nested model relative to a link": (
        f"<link name='l'>{pose(A)}</link><model name='n'>{pose(B, 'l')}<link name='k'>{pose(C)}</link></model>",
        "n::k",
        X(*B) @ X(*C),
    ),
    "a frame attached inside a nested model": (
        f"<link name='l'>{pose(A)}</link><frame name='f' attached_to='n::k'>{pose(D)}</frame>"
        f"<model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>",
        "f",
        inv(X(*A)) @ X(*B) @ X(*C) @ X(*D),
    ),
    "a nested model placed by a frame in it": (
        f"<link name='l'>{pose(A)}</link><model name='n' placement_frame='p'>{pose(B)}<link name='k'>{pose(C)}</link>"
        f"<frame name='p' attached_to='k'>{pose(D)}</frame></model>",
        "n",
        inv(X(*A)) @ X(*B) @ inv(X(*C) @ X(*D)),
    ),
    "the placement frame itself": (
        f"<link name='l'>{pose(A)}</link><model name='n' placement_frame='p'>{pose(B, 'l')}"
        f"<link name='k'>{pose(C)}</link><frame name='p' attached_to='k'>{pose(D)}</frame></model>",
        "n::p",
        X(*B),
    ),
    "a placement frame two models down": (
        f"<link name='l'/><model name='n' placement_frame='o::k'>{pose(B)}<model name='o'>{pose(C)}"
        f"<link name='k'>{pose(D)}</link></model></model>",
        "n",
        X(*B) @ inv(X(*C) @ X(*D)),
    ),
    "degrees": (
        "<link name='l'/><frame name='f'><pose degrees='true'>1 2 3 10 20 30</pose></frame>",
        "f",
        X(1, 2, 3, *map(math.radians, (10, 20, 30))),
    ),
    "quaternion": (
        "<link name='l'/><frame name='f'><pose rotation_format='quat_xyzw'>1 2 3 0 0 1 1</pose></frame>",
        "f",
        X(1, 2, 3, 0, 0, math.pi / 2),
    ),
    "the link itself": (f"<link name='l'>{pose(A)}</link>", "l", np.eye(4)),
}


@pytest.mark.parametrize(("inside", "frame", "expected"), RULES.values(), ids=RULES.keys())
def test_frames_resolve_by_the_rules(inside: str, frame: str, expected: Matrix) -> None:
    np.testing.assert_allclose(transform(scope_of(inside), "l", frame), expected, atol=1e-14)


def test_the_pose_of_a_root_model_counts_for_nothing() -> None:
    inside = f"<link name='l'>{pose(A)}</link>"
    np.testing.assert_allclose(
        transform(scope_of(pose(B) + inside), "l", "__model__"), transform(scope_of(inside), "l", "__model__"), atol=0
    )


@pytest.mark.parametrize("version", ["1.2", "1.5", "1.6"])
def test_versions_up_to_1_6_name_the_frame_of_a_pose_by_frame(version: str) -> None:
    inside = f"<link name='l'>{pose(A)}</link><link name='f'>{pose(B, 'l', 'frame')}</link>"
    np.testing.assert_allclose(transform(scope_of(inside, version=version), "l", "f"), X(*B), atol=1e-14)


@pytest.mark.parametrize("version", ["1.7", "1.12"])
def test_later_versions_do_not(version: str) -> None:
    inside = f"<link name='l'>{pose(A)}</link><link name='f'>{pose(B, 'l', 'frame')}</link>"
    expected = inv(X(*A)) @ X(*B)
    np.testing.assert_allclose(transform(scope_of(inside, version=version), "l", "f"), expected, atol=1e-14)


@pytest.mark.parametrize(
    "name", ["world", "__root__", "m", "c", "L", "m::l", "n::m", "n::x", "x::n", "::l", "l::", "l::x"]
)
def test_other_names_are_no_frames_of_the_model(name: str) -> None:
    scope = scope_of("<link name='l'><collision name='c'/></link><model name='n'><link name='k'/></model>")
    with pytest.raises(FrameError) as caught:
        scope.placement("l", name)
    assert repr(name) in str(caught.value) or repr(name.partition("::")[2]) in str(caught.value)


def test_frames_of_the_parent_are_not_those_of_a_nested_model() -> None:
    text = "<sdf><model name='m'><link name='p'/><model name='n'><link name='l'/></model></model></sdf>"
    [outer] = SdfRoot(Document(text.encode(), "m.sdf")).models()
    [inner] = outer.models()
    for name in ("p", "m", "n"):
        with pytest.raises(FrameError):
            scope_of_model(inner).placement("l", name)


@pytest.mark.parametrize("name", ["BASE_LINK", "base_link", "Base_link"])
def test_a_name_in_other_letter_case_gives_a_hint(name: str) -> None:
    with pytest.raises(FrameError, match="'Base_Link'"):
        scope_of("<link name='l'/><frame name='Base_Link'/>").placement("l", name)


def test_the_models_own_name_gives_a_hint() -> None:
    with pytest.raises(FrameError, match="__model__"):
        scope_of("<link name='l'/>").placement("l", "m")


def test_a_missing_frame_is_named_with_the_chain_that_needs_it() -> None:
    scope = scope_of("<link name='l'/><frame name='f' attached_to='g'/><frame name='g' attached_to='lost'/>")
    with pytest.raises(FrameError) as caught:
        scope.placement("l", "f")
    message = str(caught.value)
    assert "'lost'" in message
    assert "f -> g" in message


CYCLES = {
    "itself": ("<link name='l'/><frame name='f' attached_to='f'/>", "f -> f"),
    "two": ("<link name='l'/><frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>", "f -> g -> f"),
    "by relative_to": (
        "<link name='l'/><frame name='f'><pose relative_to='g'/></frame>"
        "<frame name='g'><pose relative_to='f'/></frame>",
        "f -> g -> f",
    ),
    "behind a tail": (
        "<link name='l'/><frame name='f' attached_to='g'/><frame name='g' attached_to='h'/>"
        "<frame name='h' attached_to='g'/>",
        "g -> h -> g",
    ),
    "through a joint": (
        "<link name='l'/><link name='k'><pose relative_to='f'/></link><joint name='f'><child>k</child></joint>",
        "f -> k -> f",
    ),
    "through a nested model": (
        "<link name='l'/><frame name='f' attached_to='n::k'/><model name='n'><pose relative_to='f'/><link name='k'/>"
        "</model>",
        " -> n -> f",
    ),
}


@pytest.mark.parametrize(("inside", "loop"), CYCLES.values(), ids=CYCLES.keys())
def test_a_cycle_is_an_error_that_prints_the_chain(inside: str, loop: str) -> None:
    with pytest.raises(FrameError) as caught:
        scope_of(inside).placement("l", "f")
    assert loop in caught.value.problem


def test_a_cycle_of_the_link_itself_is_an_error() -> None:
    with pytest.raises(FrameError, match="l -> f -> l"):
        scope_of("<link name='l'><pose relative_to='f'/></link><frame name='f' attached_to='l'/>").placement("l", "f")


def test_a_cycle_elsewhere_does_not_matter() -> None:
    inside = f"<link name='l'/><frame name='f' attached_to='l'>{pose(A)}</frame><frame name='g' attached_to='g'/>"
    np.testing.assert_allclose(transform(scope_of(inside), "l", "f"), X(*A), atol=1e-15)


def test_a_long_chain_costs_linear_time_and_no_recursion() -> None:
    def seconds(count: int) -> float:
        pose_of_each = "<pose>1 0 0 0 0 0</pose>"
        frames = (f"<frame name='f{i}' attached_to='f{i + 1}'>{pose_of_each}</frame>" for i in range(count))
        scope = scope_of(f"<link name='l'/>{''.join(frames)}<frame name='f{count}' attached_to='l'/>")
        began = time.process_time()
        assert transform(scope, "l", "f0")[0, 3] == count
        return time.process_time() - began

    few, many = min(seconds(1500) for _ in range(2)), seconds(12_000)
    assert many < 3 * 8 * few + 0.2


# Includes -------------------------------------------------------------------------------------------------------------

INCLUDED = f"{pose(B)}<link name='k'>{pose(C)}</link><frame name='p' attached_to='k'>{pose(D)}</frame>"

INCLUDES = {
    "own name and pose": ("", "inc", inv(X(*A)) @ X(*B)),
    "a frame in it": ("", "inc::k", inv(X(*A)) @ X(*B) @ X(*C)),
    "its model frame": ("", "inc::__model__", inv(X(*A)) @ X(*B)),
    "another name": ("<name> other </name>", "other::k", inv(X(*A)) @ X(*B) @ X(*C)),
    "another pose": (pose(D), "inc::k", inv(X(*A)) @ X(*D) @ X(*C)),
    "an empty pose": ("<pose/>", "inc::k", inv(X(*A)) @ X(*C)),
    "a pose relative to a link": (pose(D, "l"), "inc::k", X(*D) @ X(*C)),
    "a placement frame": (
        "<placement_frame>p</placement_frame>" + pose(D, "l"),
        "inc",
        X(*D) @ inv(X(*C) @ X(*D)),
    ),
    "a placement frame that is a link": ("<placement_frame> k </placement_frame><pose/>", "inc::k", inv(X(*A))),
}


@pytest.mark.parametrize(("inside", "frame", "expected"), INCLUDES.values(), ids=INCLUDES.keys())
def test_frames_of_included_models_resolve(tmp_path: Path, inside: str, frame: str, expected: Matrix) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = f"<link name='l'>{pose(A)}</link><include><uri>model://inc</uri>{inside}</include>"
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", frame), expected, atol=1e-14)


def test_the_placement_frame_of_an_included_model_itself_counts(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED, attributes="placement_frame='k'")
    text = f"<link name='l'/><include><uri>model://inc</uri>{pose(A)}</include>"
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "inc::k"), X(*A), atol=1e-14)


def test_an_old_included_file_keeps_its_own_attribute_of_frames(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", f"<link name='k'>{pose(C)}</link><link name='j'>{pose(D, 'k', 'frame')}</link>", "1.6")
    text = "<link name='l'/><include><uri>model://inc</uri></include>"
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "inc::j"), X(*C) @ X(*D), atol=1e-14)


MERGES = {
    "a link": ("k", X(*B) @ X(*C)),
    "a frame": ("p", X(*B) @ X(*C) @ X(*D)),
    "the merged model's frame": ("_merged__inc__model__", X(*B)),
    "a frame that names __model__": ("q", X(*B) @ X(*D)),
    "a frame of the including model on a merged one": ("own", X(*B) @ X(*C) @ X(*A)),
}


@pytest.mark.parametrize(("frame", "expected"), MERGES.values(), ids=MERGES.keys())
def test_merged_links_and_frames_become_the_including_models_own(tmp_path: Path, frame: str, expected: Matrix) -> None:
    write_model(tmp_path, "inc", INCLUDED + f"<frame name='q'>{pose(D, '__model__')}</frame>")
    text = (
        "<link name='l'/><include merge='true'><uri>model://inc</uri></include>"
        f"<frame name='own' attached_to='k'>{pose(A)}</frame>"
    )
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", frame), expected, atol=1e-14)


def test_the_model_frame_of_the_including_model_stays_its_own(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = f"<link name='l'>{pose(A)}</link><include merge='1'><uri>model://inc</uri>{pose(D)}</include>"
    scope = scope_of(text, tmp_path)
    np.testing.assert_allclose(transform(scope, "l", "k"), inv(X(*A)) @ X(*D) @ X(*C), atol=1e-14)
    np.testing.assert_allclose(transform(scope, "l", "__model__"), inv(X(*A)), atol=1e-14)


def test_a_merged_model_takes_the_name_of_the_include(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = "<link name='l'/><include merge='true'><uri>model://inc</uri><name>new</name></include>"
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "_merged__new__model__"), X(*B), atol=1e-14)


def test_a_merged_model_that_merges_another(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    write_model(tmp_path, "middle", f"{pose(A)}<include merge='true'><uri>model://inc</uri></include>")
    text = "<link name='l'/><include merge='true'><uri>model://middle</uri></include>"
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "k"), X(*A) @ X(*B) @ X(*C), atol=1e-14)


def test_a_merged_model_with_a_placement_frame(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = (
        "<link name='l'/><include merge='true'><uri>model://inc</uri><placement_frame>k</placement_frame>"
        f"{pose(A)}</include>"
    )
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "k"), X(*A), atol=1e-14)


def test_an_include_with_a_placement_frame_and_no_pose_is_an_error_where_its_frames_are_needed(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = (
        f"<link name='l'/><frame name='f'>{pose(A)}</frame>"
        "<include><uri>model://inc</uri><placement_frame>p</placement_frame></include>"
    )
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", "f"), X(*A), atol=1e-15)
    with pytest.raises(FrameError, match="pose"):
        scope_of(text, tmp_path).placement("l", "inc::k")


# What no selected link needs, and what must therefore do no harm. The first kind is not found, the others are damaged.
HARMLESS = {
    "not found": "<include><uri>model://lost</uri><name>x</name></include>",
    "not found, without a name": "<include><uri>model://lost</uri></include>",
    "not well-formed": "<include><uri>broken.sdf</uri><name>x</name></include>",
    "without uri": "<include><name>x</name></include>",
    "of a scheme that is not supported": "<include><uri>ftp://x/y</uri><name>x</name></include>",
    "placement frame without pose": "<include><uri>model://inc</uri><name>x</name><placement_frame>p</placement_frame></include>",
}

NEEDED = {
    "a frame of the model": ("f", X(*A)),
    "a frame of a nested model": ("n::k", X(*B) @ X(*C)),
    "a frame of another include": ("good::k", X(*D) @ X(*C)),
}


@pytest.mark.parametrize("include", HARMLESS.values(), ids=HARMLESS.keys())
@pytest.mark.parametrize(("frame", "expected"), NEEDED.values(), ids=NEEDED.keys())
def test_an_include_that_is_not_needed_does_no_harm(tmp_path: Path, include: str, frame: str, expected: Matrix) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    (tmp_path / "broken.sdf").write_text("<sdf><model name='x'></sdf>")
    text = (
        f"{include}<link name='l'/><frame name='f'>{pose(A)}</frame>"
        f"<model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>"
        f"<include><uri>model://inc</uri><name>good</name>{pose(D)}</include>"
    )
    np.testing.assert_allclose(transform(scope_of(text, tmp_path), "l", frame), expected, atol=1e-14)


@pytest.mark.parametrize("frame", ["f", "n", "n::k", "l", "__model__", "n::__model__"])
def test_an_include_that_nobody_needs_is_never_opened(frame: str) -> None:
    text = (
        "<sdf><model name='m'><include><uri>model://a</uri><name>a</name></include>"
        "<include><uri>model://b</uri></include><link name='l'/><frame name='f'/>"
        "<model name='n'><include><uri>model://c</uri></include><link name='k'/></model></model></sdf>"
    )
    [model] = SdfRoot(Document(text.encode(), "m.sdf")).models()

    def open_nothing(include: object) -> object:
        raise AssertionError("an include was opened")

    PoseGraph(FrameScope(model.root, model.element, model.name, open_nothing)).placement("l", frame)  # type: ignore[arg-type]


def test_an_include_of_another_name_is_not_opened_for_one_that_is_needed(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = (
        "<sdf><model name='m'><link name='l'/><include><uri>model://lost</uri><name>a</name></include>"
        "<include><uri>model://inc</uri><name>b</name></include></model></sdf>"
    )
    [model] = SdfRoot(Document(text.encode(), str(tmp_path / "m.sdf"))).models()
    opened = []
    resources = Resources(environment={})

    def load(include):  # type: ignore[no-untyped-def]
        opened.append(include.child("name").text())
        return resources.load_include(include)

    PoseGraph(FrameScope(model.root, model.element, model.name, load)).placement("l", "b::k")
    assert opened == ["b"]


def test_an_include_that_is_needed_and_not_found_is_an_error(tmp_path: Path) -> None:
    scope = scope_of("<link name='l'/><include><uri>model://lost</uri><name>x</name></include>", tmp_path)
    with pytest.raises(ResourceError, match="model://lost") as caught:
        scope.placement("l", "x::k")
    assert caught.value.location is not None


def test_files_that_include_themselves_end_in_an_error(tmp_path: Path) -> None:
    for merge in ("true", "false"):
        name = f"loop_{merge}"
        write_model(tmp_path, name, f"<include merge='{merge}'><uri>model://{name}</uri></include>")
        scope = scope_of(f"<link name='l'/><include merge='{merge}'><uri>model://{name}</uri></include>", tmp_path)
        with pytest.raises(SdfInertiaError):
            scope.placement("l", f"{name}::{name}::{name}::k")
        with pytest.raises(SdfInertiaError):
            scope_of(
                f"<link name='l'/><include merge='{merge}'><uri>model://{name}</uri></include>", tmp_path
            ).placement("l", "k")


def test_a_model_included_twice_under_two_names_is_two_models(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = "<link name='l'/>" + "".join(
        f"<include><uri>model://inc</uri><name>{name}</name>{pose(numbers)}</include>"
        for name, numbers in (("a", A), ("b", D))
    )
    scope = scope_of(text, tmp_path)
    np.testing.assert_allclose(transform(scope, "l", "a::k"), X(*A) @ X(*C), atol=1e-14)
    np.testing.assert_allclose(transform(scope, "l", "b::k"), X(*D) @ X(*C), atol=1e-14)
