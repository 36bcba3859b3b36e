import math
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from builders import rigid_bodies
from builders.bodies import transform_matrix

from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError
from sdfinertia.files.finder import Finder
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.markup import Document
from sdfinertia.robot import given
from sdfinertia.robot.poses import Placement, Pose, PoseStep, product
from sdfinertia.sdf import Robot
from sdfinertia.sdf.frames import Frames
from sdfinertia.sdf.model import Model
from sdfinertia.sdf.root import load_include

Matrix = npt.NDArray[np.float64]


X, inv = rigid_bodies.pose, np.linalg.inv

# Poses of the frames below: general ones, so that nothing commutes by accident.
A = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
B = (-0.5, 0.4, 0.2, 0.7, -0.3, 0.2)
C = (0.3, 0.0, -1.0, -0.4, 0.1, 1.2)
D = (0.25, -2.0, 0.5, 0.2, 0.9, -0.6)


def pose(numbers: tuple[float, ...], relative_to: str | None = None, name: str = "relative_to") -> str:
    attribute = "" if relative_to is None else f" {name}='{relative_to}'"
    return f"<pose{attribute}>{' '.join(map(repr, numbers))}</pose>"


def scope_of(inside: str, directory: Path | None = None, version: str = "1.11", name: str = "m") -> Frames:
    text = f"<sdf version='{version}'><model name='{name}'>{inside}</model></sdf>"
    robot = Robot(Document(text.encode(), str((directory or Path("/nowhere")) / "m.sdf")))
    [model] = robot.models()
    return scope_of_model(model)


def scope_of_model(model: Model) -> Frames:
    return Frames(model.element, model.root.frame_attribute, partial(load_include, Finder(environment={})))


def placement(scope: Frames, link: str, frame: str) -> Placement:
    return given(scope.placement(link, frame))


def transform(scope: Frames, link: str, frame: str) -> Matrix:
    return transform_matrix(product(placement(scope, link, frame)))


def agree(scope: Frames, frame: str, expected: Matrix) -> None:
    np.testing.assert_allclose(transform(scope, "l", frame), expected, atol=1e-14, err_msg=frame)


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
    assert len(placement(scope, "l", "k")[0].steps) == 1, "what both share is not gone through there and back"


L, K = f"<link name='l'>{pose(A)}</link>", f"<link name='k'>{pose(B)}</link>"
NC = f"<model name='n'>{pose(B)}<link name='k'>{pose(C)}</link></model>"
X_LM = inv(X(*A))
RULES = {
    "a link's pose is relative to __model__": (L, "__model__", X_LM),
    "another link": (f"{L}<link name='f'>{pose(B)}</link>", "f", X_LM @ X(*B)),
    "a link relative to a link": (f"<link name='l'>{pose(A, 'f')}</link><link name='f'>{pose(B)}</link>", "f", X_LM),
    "blank relative_to is unset": (f"{L}<link name='f'>{pose(B, ' ')}</link>", "f", X_LM @ X(*B)),
    "relative_to __model__": (
        f"<link name='l'>{pose(A, '__model__')}</link><frame name='f' attached_to='l'>{pose(B, '__model__')}</frame>",
        *("f", X_LM @ X(*B)),
    ),
    "names are trimmed": (
        f"<link name=' l '>{pose(A)}</link><frame name=' f ' attached_to=' l '>{pose(B)}</frame>",
        *("f", X(*B)),
    ),
    "a frame without attached_to is in __model__": (f"{L}<frame name='f'>{pose(B)}</frame>", "f", X_LM @ X(*B)),
    "a frame is in its attached_to": (
        f"{L}{K}<frame name='f' attached_to='k'>{pose(C)}</frame>",
        *("f", X_LM @ X(*B) @ X(*C)),
    ),
    "blank attached_to is unset": (f"{L}<frame name='f' attached_to=''>{pose(C)}</frame>", "f", X_LM @ X(*C)),
    "relative_to goes before attached_to": (
        f"{L}{K}<link name='j'>{pose(D)}</link><frame name='f' attached_to='k'>{pose(C, 'j')}</frame>",
        *("f", X_LM @ X(*D) @ X(*C)),
    ),
    "a chain of frames": (
        f"{L}<frame name='f' attached_to='g'>{pose(B)}</frame>"
        f"<frame name='g' attached_to='h'>{pose(C)}</frame><frame name='h' attached_to='l'>{pose(D)}</frame>",
        *("f", X(*D) @ X(*C) @ X(*B)),
    ),
    "a joint's pose is relative to its child": (
        f"{L}{K}<joint name='j' type='fixed'>{pose(C)}<parent>l</parent><child> k </child></joint>",
        *("j", X_LM @ X(*B) @ X(*C)),
    ),
    "a joint's child may be a frame": (
        f"{L}<frame name='k' attached_to='l'>{pose(B)}</frame>"
        f"<joint name='j' type='fixed'>{pose(C)}<parent>world</parent><child>k</child></joint>",
        *("j", X(*B) @ X(*C)),
    ),
    "a joint's relative_to": (
        f"{L}{K}<joint name='j' type='fixed'>{pose(C, 'l')}<parent>l</parent><child>k</child></joint>",
        *("j", X(*C)),
    ),
    "no pose is the identity": (f"{L}<frame name='f' attached_to='l'/>", "f", np.eye(4)),
    "a nested model's pose is relative to __model__": (L + NC, "n", X_LM @ X(*B)),
    "a link of a nested model": (L + NC, "n::k", X_LM @ X(*B) @ X(*C)),
    "the frame of a nested model": (L + NC, "n::__model__", X_LM @ X(*B)),
    "a model nested twice": (
        f"{L}<model name='n'>{pose(B)}<model name='o'>{pose(C)}<frame name='f'>{pose(D)}</frame></model></model>",
        *("n::o::f", X_LM @ X(*B) @ X(*C) @ X(*D)),
    ),
    "a nested model relative to a link": (
        f"{L}<model name='n'>{pose(B, 'l')}<link name='k'>{pose(C)}</link></model>",
        *("n::k", X(*B) @ X(*C)),
    ),
    "a frame attached inside a nested model": (
        f"{L}<frame name='f' attached_to='n::k'>{pose(D)}</frame>{NC}",
        *("f", X_LM @ X(*B) @ X(*C) @ X(*D)),
    ),
    "a nested model placed by a frame in it": (
        f"{L}<model name='n' placement_frame='p'>{pose(B)}<link name='k'>{pose(C)}</link>"
        f"<frame name='p' attached_to='k'>{pose(D)}</frame></model>",
        *("n", X_LM @ X(*B) @ inv(X(*C) @ X(*D))),
    ),
    "the placement frame itself": (
        f"{L}<model name='n' placement_frame='p'>{pose(B, 'l')}"
        f"<link name='k'>{pose(C)}</link><frame name='p' attached_to='k'>{pose(D)}</frame></model>",
        *("n::p", X(*B)),
    ),
    "a placement frame two models down": (
        f"<link name='l'/><model name='n' placement_frame='o::k'>{pose(B)}<model name='o'>{pose(C)}"
        f"<link name='k'>{pose(D)}</link></model></model>",
        *("n", X(*B) @ inv(X(*C) @ X(*D))),
    ),
    "degrees": (
        "<link name='l'/><frame name='f'><pose degrees='true'>1 2 3 10 20 30</pose></frame>",
        *("f", X(1, 2, 3, *map(math.radians, (10, 20, 30)))),
    ),
    "quaternion": (
        "<link name='l'/><frame name='f'><pose rotation_format='quat_xyzw'>1 2 3 0 0 1 1</pose></frame>",
        *("f", X(1, 2, 3, 0, 0, math.pi / 2)),
    ),
    "the link itself": (L, "l", np.eye(4)),
    "the pose of a root model counts for nothing": (pose(B) + L, "__model__", X_LM),
    "a cycle elsewhere": (
        f"{L}<frame name='f' attached_to='l'>{pose(B)}</frame><frame name='g' attached_to='g'/>",
        *("f", X(*B)),
    ),
}


@pytest.mark.parametrize(("inside", "frame", "expected"), RULES.values(), ids=RULES.keys())
def test_frames_resolve_by_the_rules(inside: str, frame: str, expected: Matrix) -> None:
    agree(scope_of(inside), frame, expected)


@pytest.mark.parametrize(("version", "counts"), [("1.2", True), ("1.6", True), ("1.7", False), ("1.12", False)])
def test_versions_up_to_1_6_name_the_frame_of_a_pose_by_frame(version: str, counts: bool) -> None:
    inside = f"{L}<link name='f'>{pose(B, 'l', 'frame')}</link>"
    expected = X(*B) if counts else X_LM @ X(*B)
    agree(scope_of(inside, version=version), "f", expected)


@pytest.mark.parametrize(
    "name", ["world", "__root__", "m", "c", "L", "m::l", "n::m", "n::x", "x::n", "::l", "l::", "l::x", "l::__model__"]
)
def test_other_names_are_no_frames_of_the_model(name: str) -> None:
    scope = scope_of("<link name='l'><collision name='c'/></link><model name='n'><link name='k'/></model>")
    with pytest.raises(FrameError) as caught:
        placement(scope, "l", name)
    assert repr(name) in str(caught.value) or repr(name.partition("::")[2]) in str(caught.value)


def test_frames_of_the_parent_are_not_those_of_a_nested_model() -> None:
    text = "<sdf><model name='m'><link name='p'/><model name='n'><link name='l'/></model></model></sdf>"
    [outer] = Robot(Document(text.encode(), "m.sdf")).models()
    [inner] = outer.nested
    for name in ("p", "m", "n"):
        with pytest.raises(FrameError):
            placement(scope_of_model(inner), "l", name)


def test_a_missing_frame_is_named_with_the_chain_that_needs_it_on_one_line() -> None:
    scope = scope_of("<link name='l'/><frame name='f' attached_to='g'/><frame name='g' attached_to='lost'/>")
    with pytest.raises(FrameError) as caught:
        placement(scope, "l", "f")
    message = str(caught.value)
    assert "'lost'" in message
    assert "f -> g" in message
    graph = scope_of("<link name='l'/><frame name='f\ng' attached_to='h'/><frame name='h' attached_to='f\ng'/>")
    with pytest.raises(FrameError) as caught:
        placement(graph, "l", "h")
    assert "\n" not in str(caught.value)
    assert "h -> f\\ng -> h" in str(caught.value)


CYCLES = {
    "of the link": ("<link name='l'><pose relative_to='f'/></link><frame name='f' attached_to='l'/>", "l -> f -> l"),
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
        placement(scope_of(inside), "l", "f")
    assert loop in caught.value.problem


def nested_models_placed_by_the_innermost(levels: int) -> str:
    inside = f"<link name='k'>{pose(C)}</link>"
    for level in range(levels, 0, -1):
        placing = "::".join([*(f"n{deeper}" for deeper in range(level + 1, levels + 1)), "k"])
        inside = f"<model name='n{level}' placement_frame='{placing}'>{pose(A)}{inside}</model>"
    return f"<link name='l'>{pose(B)}</link>{inside}"


@pytest.mark.parametrize("levels", [1, 2, 16, 300])
def test_nested_placement_frames_cost_no_more_than_their_number_and_no_recursion(levels: int) -> None:
    graph = scope_of(nested_models_placed_by_the_innermost(levels))
    innermost = "::".join(f"n{level}" for level in range(1, levels + 1)) + "::k"
    paths = placement(graph, "l", innermost)
    # Each model's pose is that of k in the model around it, so only the outermost counts.
    agree(graph, innermost, inv(X(*B)) @ X(*A))
    assert sum(len(path.steps) for path in paths) == 2
    if levels == 2:
        # X_M1 = A; X_N1 = X_M1 X_N1K⁻¹ with X_N1K = A; X_N2K = C.
        agree(graph, "n1", inv(X(*B)))
        agree(graph, "n1::n2", inv(X(*B)) @ X(*A) @ inv(X(*C)))


def test_a_placement_frame_turns_only_the_way_to_it(tmp_path: Path) -> None:
    inside = (
        f"<link name='l'/><model name='n' placement_frame='q'>{pose(A)}<frame name='p'>{pose(B)}</frame>"
        f"<frame name='q' attached_to='p'>{pose(C)}</frame><frame name='r' attached_to='p'>{pose(D)}</frame></model>"
    )
    X_MN = X(*A) @ inv(X(*B) @ X(*C))
    expected = {"n": X_MN, "n::q": X(*A), "n::p": X_MN @ X(*B), "n::r": X_MN @ X(*B) @ X(*D)}
    for order in (list(expected), list(reversed(expected))):
        graph = scope_of(inside)
        for frame in order:
            agree(graph, frame, expected[frame])


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("<frame name='p' attached_to='q'/><frame name='q' attached_to='p'/>", "n::p -> n::q -> n::p"),
        ("<frame name='p' attached_to='lost'/>", "'lost'"),
        ("<frame name='q'/>", "'p'"),
        ("<frame name='p'><pose>1 2</pose></frame>", "6 numbers"),
    ],
)
def test_what_is_wrong_on_the_way_to_a_placement_frame_is_told_each_time(inside: str, problem: str) -> None:
    graph = scope_of(f"<link name='l'/><model name='n' placement_frame='p'>{inside}<link name='k'/></model>")
    for frame in ("n::k", "n", "n::k"):
        with pytest.raises(SdfInertiaError) as caught:
            placement(graph, "l", frame)
        assert problem in caught.value.problem


def test_the_text_of_a_long_way_is_chained_by_sixteen_from_its_start() -> None:
    frames = "".join(
        f"<frame name='f{i}' attached_to='f{i + 1}'><pose>1 0 {i / 7} 0 {i / 9} 0.1</pose></frame>" for i in range(600)
    )
    inside = f"{frames}<frame name='f600'/><link name='l'>{pose(A, 'f0')}</link><link name='k'>{pose(B)}</link>"
    for start, end in (("l", "f595"), ("l", "f300"), ("l", "f600"), ("k", "f0"), ("k", "f400")):
        *_, path = placement(scope_of(inside), start, end)
        steps = [PoseStep(Pose((1.0, 0.0, i / 7, 0.0, i / 9, 0.1)), start == "l") for i in range(600)]
        ends = int(end[1:])
        if start == "l":
            steps = [PoseStep(Pose(A, "rpy", "f0"), True), *steps[:ends]]
        else:
            steps = [PoseStep(Pose()), *steps[: ends - 1 if ends else None : -1]]
        texts = [f"{step.pose.form} {step.is_inverted} {step.pose.numbers}" for step in steps]
        *before, last = (";".join(texts[i : i + 16]) for i in range(0, len(texts), 16))
        digest = ""
        for part in before:
            digest = sha256(f"{digest};{part}".encode()).hexdigest()
        assert path.text == (f"{digest};{last}" if len(texts) > 256 else ";".join(texts))
        product = RigidTransform()
        for step in steps:
            product = product @ (step.pose.transform().inverse() if step.is_inverted else step.pose.transform())
        if len(texts) > 256:
            # Up to a frame it is that of the way back, inverted.
            for entries in ("rotation", "translation"):
                assert getattr(path.transform, entries) == pytest.approx(getattr(product, entries), abs=1e-11)
        else:
            assert path.transform == product


# Names that SDFormat 1.7 made of nested models ------------------------------------------------------------------------

FLATTENED = (
    f"<link name='l'/><frame name='n::__model__' attached_to='n::k'>{pose(A, '__model__')}</frame>"
    f"<link name='n::k'>{pose(B, 'n::__model__')}</link><frame name='n::o::__model__'>{pose(C, 'n::k')}</frame>"
)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [("n::__model__", X(*A)), ("n::k", X(*A) @ X(*B)), ("n::o::__model__", X(*A) @ X(*B) @ X(*C))],
)
def test_a_flattened_name_is_looked_up_whole_before_it_is_taken_apart(tmp_path, frame, expected):
    agree(scope_of(FLATTENED), frame, expected)
    # A model beside it that bears the first part of the name changes nothing.
    beside = f"{FLATTENED}<model name='n'>{pose(D)}<link name='j'/></model>"
    agree(scope_of(beside), frame, expected)
    agree(scope_of(beside), "n::j", X(*D))
    # So in an included file, and in one that is merged.
    write_model(tmp_path, "inc", FLATTENED)
    included = scope_of("<link name='l'/><include><uri>model://inc</uri></include>", tmp_path)
    agree(included, f"inc::{frame}", expected)
    merged = scope_of("<link name='x'/><include merge='1'><uri>model://inc</uri></include>", tmp_path)
    np.testing.assert_allclose(transform(merged, "x", frame), expected, atol=1e-14)


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
    "a placement frame": ("<placement_frame>p</placement_frame>" + pose(D, "l"), "inc", X(*D) @ inv(X(*C) @ X(*D))),
    "a placement frame that is a link": ("<placement_frame> k </placement_frame><pose/>", "inc::k", inv(X(*A))),
}


@pytest.mark.parametrize(("inside", "frame", "expected"), INCLUDES.values(), ids=INCLUDES.keys())
def test_frames_of_included_models_resolve(tmp_path: Path, inside: str, frame: str, expected: Matrix) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = f"<link name='l'>{pose(A)}</link><include><uri>model://inc</uri>{inside}</include>"
    agree(scope_of(text, tmp_path), frame, expected)


def test_an_included_file_keeps_its_own_placement_frame_and_attribute_of_frames(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED, attributes="placement_frame='k'")
    text = f"<link name='l'/><include><uri>model://inc</uri>{pose(A)}</include>"
    agree(scope_of(text, tmp_path), "inc::k", X(*A))
    write_model(tmp_path, "old", f"<link name='k'>{pose(C)}</link><link name='j'>{pose(D, 'k', 'frame')}</link>", "1.6")
    text = "<link name='l'/><include><uri>model://old</uri></include>"
    agree(scope_of(text, tmp_path), "old::j", X(*C) @ X(*D))


PLAIN = "<include merge='true'><uri>model://inc</uri></include>"
PLACED = f"<include merge='true'><uri>model://inc</uri><placement_frame>k</placement_frame>{pose(A)}</include>"
NAMED = "<include merge='true'><uri>model://inc</uri><name>new</name></include>"
POSED = f"<include merge='1'><uri>model://inc</uri>{pose(D)}</include>"
MERGES = {
    "a link": (PLAIN, "k", X(*B) @ X(*C)),
    "a frame": (PLAIN, "p", X(*B) @ X(*C) @ X(*D)),
    "the merged model's frame": (PLAIN, "_merged__inc__model__", X(*B)),
    "a frame that names __model__": (PLAIN, "q", X(*B) @ X(*D)),
    "a frame of the including model on a merged one": (PLAIN, "own", X(*B) @ X(*C) @ X(*A)),
    "the name of the include": (NAMED, "_merged__new__model__", X(*B)),
    "the pose of the include": (POSED, "k", X(*D) @ X(*C)),
    "the frame of the including model": (POSED, "__model__", np.eye(4)),
    "a merged model that merges another": (PLAIN.replace("//inc", "//middle"), "k", X(*A) @ X(*B) @ X(*C)),
    "a placement frame": (PLACED, "k", X(*A)),
}


@pytest.mark.parametrize(("include", "frame", "expected"), MERGES.values(), ids=MERGES.keys())
def test_merged_links_and_frames_become_the_including_models_own(tmp_path, include, frame, expected):
    write_model(tmp_path, "inc", INCLUDED + f"<frame name='q'>{pose(D, '__model__')}</frame>")
    write_model(tmp_path, "middle", f"{pose(A)}{PLAIN}")
    text = f"<link name='l'/>{include}<frame name='own' attached_to='k'>{pose(A)}</frame>"
    agree(scope_of(text, tmp_path), frame, expected)
    moved = text.replace("<link name='l'/>", L)
    agree(scope_of(moved, tmp_path), frame, X_LM @ expected)


def test_an_include_that_is_not_found_or_has_no_pose_is_an_error_where_its_frames_are_needed(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    text = (
        f"<link name='l'/><frame name='f'>{pose(A)}</frame>"
        "<include><uri>model://inc</uri><placement_frame>p</placement_frame></include>"
    )
    agree(scope_of(text, tmp_path), "f", X(*A))
    with pytest.raises(FrameError, match="pose"):
        placement(scope_of(text, tmp_path), "l", "inc::k")
    scope = scope_of("<link name='l'/><include><uri>model://lost</uri><name>x</name></include>", tmp_path)
    with pytest.raises(ResourceError, match="model://lost") as caught:
        placement(scope, "l", "x::k")
    assert caught.value.location is not None


# What no selected link needs, and what must therefore do no harm. The first kind is not found, the others are damaged.
HARMLESS = {
    "not found": "<include><uri>model://lost</uri><name>x</name></include>",
    "not found, without a name": "<include><uri>model://lost</uri></include>",
    "not well-formed": "<include><uri>broken.sdf</uri><name>x</name></include>",
    "without uri": "<include><name>x</name></include>",
    "of a scheme that is not supported": "<include><uri>ftp://x/y</uri><name>x</name></include>",
    "placement frame without pose": "<include><uri>model://inc</uri><name>x</name><placement_frame>p</placement_frame></include>",
}


@pytest.mark.parametrize("include", HARMLESS.values(), ids=HARMLESS.keys())
def test_an_include_that_is_not_needed_does_no_harm(tmp_path: Path, include: str) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    (tmp_path / "broken.sdf").write_text("<sdf><model name='x'></sdf>")
    text = f"{include}<link name='l'/><include><uri>model://inc</uri><name>good</name>{pose(D)}</include>"
    agree(scope_of(text, tmp_path), "good::k", X(*D) @ X(*C))


@pytest.mark.parametrize("frame", ["f", "n", "n::k", "l", "__model__", "n::__model__"])
def test_an_include_that_nobody_needs_is_never_opened(frame: str) -> None:
    text = (
        "<sdf><model name='m'><include><uri>model://a</uri><name>a</name></include>"
        "<include><uri>model://b</uri></include><link name='l'/><frame name='f'/>"
        "<model name='n'><include><uri>model://c</uri></include><link name='k'/></model></model></sdf>"
    )
    [model] = Robot(Document(text.encode(), "m.sdf")).models()

    def open_nothing(include: object) -> object:
        raise AssertionError("an include was opened")

    placement(Frames(model.element, model.root.frame_attribute, open_nothing), "l", frame)  # type: ignore[arg-type]


@pytest.mark.parametrize("merge", ["true", "false"])
def test_files_that_include_themselves_end_in_an_error(tmp_path: Path, merge: str) -> None:
    include = f"<include merge='{merge}'><uri>model://loop</uri></include>"
    write_model(tmp_path, "loop", include)
    for frame in ("loop::loop::loop::k", "k"):
        with pytest.raises(SdfInertiaError):
            placement(scope_of(f"<link name='l'/>{include}", tmp_path), "l", frame)


def test_a_model_included_twice_under_two_names_is_two_models(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", INCLUDED)
    include = "<include><uri>model://inc</uri><name>{}</name>{}</include>"
    scope = scope_of(f"<link name='l'/>{include.format('a', pose(A))}{include.format('b', pose(D))}", tmp_path)
    agree(scope, "a::k", X(*A) @ X(*C))
    agree(scope, "b::k", X(*D) @ X(*C))


def test_more_included_models_than_anyone_has_are_an_error_that_says_where_and_what_to_do(tmp_path: Path) -> None:
    write_model(tmp_path, "inc", "<link name='k'/>")
    includes = "<include><uri>model://inc</uri></include>\n" * 1001
    with pytest.raises(ResourceError, match="1,000 models are included") as caught:
        placement(scope_of(f"<link name='l'/>\n{includes}", tmp_path), "l", "lost")
    assert caught.value.location == (str(tmp_path / "m.sdf"), 1002, 1)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("front_axl", "did you mean 'front_axle'?"),
        ("frnt_axle", "did you mean 'front_axle'?"),
        ("Front_Axle", "did you mean 'front_axle'?"),
        ("n::whel", "did you mean 'wheel'?"),
        ("griper", "did you mean 'gripper'?"),
        ("m", "inside a model its own frame is called __model__"),
        ("lost", ""),
    ],
)
def test_a_frame_that_is_missing_comes_with_the_one_that_was_meant(tmp_path: Path, name: str, advice: str) -> None:
    inside = (
        "<link name='l'/><frame name='front_axle'/><model name='n'><link name='wheel'/></model>"
        "<include><uri>model://inc</uri><name>gripper</name></include>"
    )
    with pytest.raises(FrameError) as caught:
        placement(scope_of(inside, tmp_path), "l", name)
    assert caught.value.remedy == advice


# Joints ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "link"),
    [
        *[("l", "l"), ("f", "l"), ("g", "l"), ("j", "l"), ("n::k", "k"), ("n::f", "k"), ("n", None)],
        *[("__model__", None), ("lost", None), ("loop", None), ("world", None)],
    ],
)
def test_a_name_stands_for_the_link_that_it_is_attached_to(name: str, link: str | None) -> None:
    graph = scope_of(
        f"<link name='l'/><frame name='f' attached_to='g'>{pose(A, 'lost')}</frame><frame name='g' attached_to='j'/>"
        "<joint name='j' type='fixed'><parent>world</parent><child>l</child></joint>"
        "<frame name='loop' attached_to='pool'/><frame name='pool' attached_to='loop'/>"
        "<model name='n'><link name='k'/><frame name='f' attached_to='k'/></model>"
    )
    for _ in range(2):
        found = graph.link_of(name)
        assert (found and found.attribute("name")) == link
