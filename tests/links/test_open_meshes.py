"""What becomes of meshes that are not closed, by option and by what the file says; and that nothing of it is silent."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders.meshes import OBJ_BOX, OBJ_OPEN

from sdfinertia.documents.filling import fill
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.mesh import MeshTreatment, convex_hulls, open_policies, solid_moments
from sdfinertia.options import Options

Run = Callable[..., Any]

# An L of three unit cubes, closed: its hull is larger than it is.
L_SHAPE = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for x, y in ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)))
L_SHAPE += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n" + "".join(
    f"f {k + 1} {(k + 1) % 6 + 1} {(k + 1) % 6 + 7} {k + 7}\n" for k in range(6)
)


def model(mesh: str = "box.obj", inertial: str = "", attributes: str = "") -> str:
    return (
        f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'>{inertial}</inertial>"
        f"<collision name='c'><density>1000</density><geometry><mesh{attributes}><uri>{mesh}</uri></mesh></geometry>"
        "</collision></link></model></sdf>"
    )


def parameters(**values: object) -> str:
    inside = "".join(f"<sdfinertia:{name}>{value}</sdfinertia:{name}>" for name, value in values.items())
    return f"<auto_inertia_params>{inside}</auto_inertia_params>"


def fill_in(directory: Path, text: str, options: Options, mesh: str = OBJ_OPEN) -> tuple[LinkResult, bytes]:
    (directory / "box.obj").write_text(mesh)
    path = str(directory / "model.sdf")
    result = fill(text.encode(), options, filename=path)
    (link,) = result.links
    if link.error is None:
        assert not fill(result.content, filename=path).changed, "a second run needs no option"
    return link, result.content


# Options that take the open box, the mass they give, and how near to it.
POLICIES = {
    "convex_hull": ({}, 6000, 1e-9),
    "fill_holes": ({}, 6000, 1e-9),
    "voxel": ({}, 6000, 0.01),
    # Walls of 20 square metres, one millimetre thick.
    "shell": ({"thickness": 0.001}, 20, 1e-9),
}


def require_library(policy: str) -> None:
    if policy == "voxel":
        pytest.importorskip("igl", reason="the extra `robust` is not installed")


@pytest.mark.parametrize("says", ["an option", "the file"])
@pytest.mark.parametrize("policy", POLICIES)
def test_an_option_or_the_file_itself_says_how_an_open_mesh_is_taken(tmp_path: Path, policy: str, says: str) -> None:
    require_library(policy)
    lengths, mass, tolerance = POLICIES[policy]
    if says == "an option":
        link, content = fill_in(tmp_path, model(), Options(open_mesh=policy, **lengths))  # type: ignore[arg-type]
    else:
        text = model(inertial=parameters(open_mesh=policy, **lengths))
        link, content = fill_in(tmp_path, text, Options(open_mesh="error"))
    assert link.inertia is not None, link.error
    assert link.inertia.mass == pytest.approx(mass, rel=tolerance)
    # What the file says need not be recorded.
    assert (f"open-mesh={policy}".encode() in content) == (says == "an option")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_does_nothing_to_a_closed_mesh(tmp_path: Path, policy: str) -> None:
    options = Options(open_mesh=policy, thickness=0.001, voxel_size=0.1)
    link, content = fill_in(tmp_path, model(), options, OBJ_BOX)
    assert link.collisions[0].method == "exact"
    assert b"sdfinertia: inputs=" in content, "nothing but digests is recorded"


METHODS = {"voxel": 0.01, "convex_hull": 1e-9, "convex_decomposition": 0.05, "shell": 1e-9}
LIBRARIES = {"voxel": "igl", "convex_decomposition": "vhacdx"}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_taken_for_a_closed_mesh_too(tmp_path: Path, method: str) -> None:
    if method in LIBRARIES:
        pytest.importorskip(LIBRARIES[method], reason="the extra `robust` is not installed")
    expected = {"convex_hull": 3500.0, "shell": 1.4}.get(method, 3000.0)
    text = model(inertial=parameters(method=method, thickness=0.0001))
    link, _ = fill_in(tmp_path, text, Options(), L_SHAPE)
    assert link.inertia is not None, link.error
    assert link.inertia.mass == pytest.approx(expected, rel=METHODS[method])


def test_the_method_of_a_collision_wins_over_that_of_the_mesh(tmp_path: Path) -> None:
    text = model(inertial=parameters(method="exact"), attributes=" optimization='convex_hull'")
    link, _ = fill_in(tmp_path, text, Options(), L_SHAPE)
    assert link.inertia.mass == pytest.approx(3000.0)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_not_exact_is_named_in_report_json_and_provenance(command: Run, project: Path, policy: str) -> None:
    require_library(policy)
    (project / "box.obj").write_text(OBJ_OPEN)
    (project / "model.sdf").write_text(model())
    thickness = ("--thickness", "0.001") if policy == "shell" else ()
    outcome = command("fill", "model.sdf", "--open-mesh", policy, *thickness, "--report", "report.json")
    assert outcome.status == 0
    assert policy in outcome.messages
    (link,) = json.loads((project / "report.json").read_text())["files"][0]["links"]
    assert link["collisions"][0]["method"] == policy
    assert f"method={policy} " in (project / "model.sdf").read_text()


def test_a_refusal_names_the_policies_and_the_command_that_compares_them(tmp_path, monkeypatch):
    def compute(*_: object, **__: object) -> None:
        raise AssertionError("a refusal computes no alternative")

    monkeypatch.setattr(convex_hulls, "convex_hull", compute)
    monkeypatch.setattr(solid_moments, "voxel_moments", compute)
    link, content = fill_in(tmp_path, model(), Options())
    text = str(link.error)
    assert "4 open edges of 17" in text
    assert "convex_hull, voxel, fill_holes, or shell with a thickness;" in text
    assert f"`sdfinertia mesh {tmp_path / 'box.obj'}` compares" in text
    assert content == model().encode()


def test_a_surface_with_one_side_has_no_lids_and_a_file_whose_name_begins_with_a_dash_is_no_option() -> None:
    assert "choose --open-mesh or <sdfinertia:open_mesh>: convex_hull, voxel, or shell;" in open_policies(
        MeshTreatment(thickness=0.01), "moebius.obj", one_sided=True
    )
    assert "`sdfinertia mesh -- '-a b.obj'`" in open_policies(MeshTreatment(), "-a b.obj", one_sided=False)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ({"method": "guess"}, "must be one of exact, voxel"),
        ({"open_mesh": "ignore"}, "must be one of error, convex_hull"),
        ({"voxel_size": "0"}, "must be a number above zero"),
        ({"thickness": "thin"}, "must be a finite number"),
        ({"method": "shell"}, "a shell needs a thickness"),
        ({"calculator": "mine"}, "no calculator is named 'mine'"),
    ],
)
def test_parameters_that_make_no_sense_are_errors(tmp_path: Path, inside: dict[str, str], words: str) -> None:
    link, _ = fill_in(tmp_path, model(inertial=parameters(**inside)), Options())
    assert words in str(link.error)


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra `robust` is not installed."""
    for name in ("igl", "vhacdx", "manifold3d"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    ("arguments", "inertial", "words"),
    [
        (("--open-mesh", "voxel"), "", "needs the library libigl"),
        ((), parameters(method="convex_decomposition"), "needs the library vhacdx"),
    ],
)
@pytest.mark.usefixtures("without_extra")
def test_without_the_extra_the_message_names_it(command, project, arguments, inertial, words):
    (project / "box.obj").write_text(OBJ_OPEN)
    (project / "model.sdf").write_text(model(inertial=inertial))
    outcome = command("fill", "model.sdf", *arguments)
    assert outcome.status == 2
    assert words in outcome.messages
    assert "[robust]'`" in outcome.messages
