"""What is gathered of links of several files, number by number, as `cases.txt` has it.

Written anew by `SDFINERTIA_WRITE_PAGES=1 .venv/bin/python -m pytest tests/causes/test_exact_cases.py`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders.meshes import box as box_mesh
from builders.pages import compare, read_pages
from causes.test_gathering import LEFT, TWINS, ZEROS, box, gathering, urdf_link, write_obj

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sdfinertia.causes.case import Case
    from sdfinertia.causes.case_file import CaseFile
    from sdfinertia.links.written_block import WrittenBlock

_CASES = Path(__file__).with_name("cases.txt")
_RIGHT = ("2e-3", "-1e-5", "-2e-5", "1.5e-3", "-3e-5", "1e-3")
_NEAR_LEFT = ("1.6e-3", "1e-5", "-2e-5", "2.6e-3", "3e-5", "2.2e-3")


def _numbers(values: Any) -> str:
    return " ".join(f"{value + 0.0:.7g}" for value in values)


def _block(block: WrittenBlock) -> str:
    texts = "|".join((*block.entry_texts, block.mass_text, *block.centre_texts, *block.angle_texts))
    return f"{_numbers((block.mass, *block.centre, *block.tensor, *block.rotation))} {texts}"


def _case(case: Case) -> Iterator[str]:
    yield f"{case.name}: {_block(case.written)}"
    if case.box is not None:
        yield f"box {_numbers((*case.box.lower, *case.box.upper))}"
    for body in case.bodies:
        inertia = body.inertia
        numbers = _numbers((inertia.mass, *inertia.p_BoBcm_B, *inertia.I_BBcm_B, body.volume))
        yield f"{body.kind.element} {body.filling} {body.is_exact_mesh} {body.faces} {numbers}"
    for one in case.relatives:
        facts = f"{one.relation.value} {one.is_near_geometry} {one.has_same_geometry} {one.key is None}"
        yield f"{one.name}: {facts} {_block(one.block)} as {_block(one.verbatim)}"
    for frame in case.frames:
        yield f"{frame.name}: {_numbers((*frame.pose.translation, *frame.pose.rotation))}"
    if case.file is not None:
        file = case.file
        habit = file.habits.of(case) if file.habits is not None else None
        yield f"file {[name for name, _ in file.blocks]} {file.has_no_centres} {file.step} {file.is_rough} {habit}"
        yield f"identified {file.says_identified} {file.is_identified}"


def _of(gathered: CaseFile, links: Mapping[str, Any]) -> Iterator[str]:
    """The cases of a file, of some links where it has many."""
    for link in [*links.values()][:: max(1, len(links) // 2)] if len(links) > 5 else links.values():
        case, other = gathered.case(link), gathered.beside_meshes(link)
        lines = list(_case(case)) if case is not None else [f"{link.scoped_name}: none"]
        yield from lines
        beside = (line for line in (_case(other) if other is not None else ()) if line not in lines)
        yield from (f"  beside meshes {line}" for line in beside)
        yield f"  twins {[one.name for one in gathered.twins(link)]}"


def _robot(*links: str, root: str = "r") -> str:
    """Each but the first on a joint of the first, a step aside."""
    names = [link.partition('name="')[2].partition('"')[0] for link in links]
    joints = (
        f'<joint name="j{k}" type="revolute"><origin xyz="0 {0.1 * k * (-1) ** k:g} 0.05"/><parent link="{names[0]}"/>'
        f'<child link="{name}"/></joint>'
        for k, name in enumerate(names[1:], 1)
    )
    return f'<robot name="{root}">{"".join((*links, *joints))}</robot>'


def _sides(*names: str) -> str:
    shape = box("0.1 0.06 0.08", "0.1 0.2 0.3")
    return _robot(*(urdf_link(name, tensor=LEFT if k else ZEROS, shape=shape) for k, name in enumerate(names)))


def _sdf(inside: str) -> str:
    return f"<sdf version='1.11'><model name='m'>{inside}</model></sdf>"


def _sdf_link(name: str, six: str, mass: str = "2", pose: str = "0 0 0 0 0 0", shape: str = "") -> str:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    entries = "".join(f"<{entry}>{text}</{entry}>" for entry, text in zip(names, six.split(), strict=True))
    inertial = f"<inertial><pose>0.1 0.2 0.3 0.4 0 0</pose><mass>{mass}</mass><inertia>{entries}</inertia></inertial>"
    return f"<link name='{name}'><pose>{pose}</pose>{inertial}{shape}</link>"


_LEFT_SDF, _BIG = " ".join(LEFT), "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
FILES: dict[str, str] = {
    "twins": TWINS,
    "three sides and more": _sides("fl_hip", "fr_hip", "rl_hip", "rr_hip", "hl_hip"),
    "twins of other shapes": _robot(
        urdf_link("base", mass="5", tensor=LEFT),
        urdf_link("left_arm", tensor=_NEAR_LEFT, shape=box("0.1 0.06 0.08", "0.1 0.2 0.3")),
        urdf_link("right_arm", tensor=LEFT, shape=box("0.1 0.06 0.085", "0.1 0.2 0.3")),
    ),
    "a twin that lies otherwise": _robot(
        urdf_link("left_arm", tensor=_NEAR_LEFT, shape=box("0.1 0.06 0.08", "0.1 0.2 0.3")),
        urdf_link("right_arm", tensor=LEFT, shape=box("0.06 0.1 0.08", "0.3 0.2 0.3")),
    ),
    "a twin without numbers": _robot(
        urdf_link("left_arm", tensor=LEFT), '<link name="right_arm"/>', urdf_link("arm", mass="1e-70", tensor=LEFT)
    ),
    "many copies": _robot(*(urdf_link(f"arm{k}", mass=f"{k + 1}", tensor=LEFT) for k in range(9))),
    "copies times ten": _robot(
        urdf_link("one", tensor=LEFT, shape=box("0.1 0.06 0.08")),
        urdf_link("other", tensor=[f"{10 * float(text):g}" for text in LEFT], shape=box("0.1 0.06 0.08", "0 0 1")),
        urdf_link("last", tensor=LEFT, shape=box("0.1 0.06 0.1")),
    ),
    "few digits": _robot(*(urdf_link(name, tensor=("1", "0", "0", "1", "0", "1")) for name in ("one", "other"))),
    "many frames": _robot(*(urdf_link(f"part{k}", mass=f"{k + 1}", tensor=ZEROS) for k in range(16))),
    "a frame far away": TWINS.replace('xyz="0 0 1"', 'xyz="0 0 1e70"'),
    "names twice": _sdf(_sdf_link("left", _LEFT_SDF) + _sdf_link("left", _LEFT_SDF) + _sdf_link("right", _LEFT_SDF)),
    "turned and nested": _sdf(
        _sdf_link("left", _LEFT_SDF, pose="1 0 0 0 0 0.5", shape=_BIG)
        + f"<model name='n'>{_sdf_link('right', _LEFT_SDF, pose='0 1 0 0 0.3 0')}</model>"
        + _sdf_link("right", _LEFT_SDF, pose="0 -1 0 0.2 0 0", shape=_BIG)
    ),
    "an include": _sdf(_sdf_link("left", _LEFT_SDF) + "<include><uri>model://none</uri></include>"),
    "a frame that is missing": _sdf(_sdf_link("left", _LEFT_SDF) + "<frame name='f' attached_to='none'/>"),
    "comments": _sdf("<!-- its inertial parameters were identified -->" + _sdf_link("left", _LEFT_SDF)),
    "other comments": _sdf("<!-- identified. Its inertial parameters --><!--x-->" + _sdf_link("left", _LEFT_SDF)),
    "no mass": _sdf(_sdf_link("left", _LEFT_SDF, mass="0", shape=_BIG) + _sdf_link("up", _LEFT_SDF, mass="-1")),
}


def _mesh(uri: str) -> str:
    return f'<visual><geometry><mesh filename="{uri}"/></geometry></visual>'


def _laid(directory: Path) -> Iterator[str]:
    """Meshes of one shape in other places, with parameters beside the file."""
    vertices, faces = box_mesh((0.3, 0.2, 0.1))
    vertices = vertices + np.where(np.all(vertices == [0.3, 0.2, 0.1], axis=1)[:, None], [0.05, 0.03, 0.02], 0.0)
    write_obj(directory / "one.obj", vertices, faces)
    write_obj(directory / "moved.obj", vertices + np.array([0.5, 0.0, 0.0]), faces)
    write_obj(directory / "mirror.obj", vertices[::-1] * [1.0, -1.0, 1.0], len(vertices) - 1 - faces[:, ::-1])
    write_obj(directory / "open.obj", vertices, faces[1:])
    (directory / "dynamics.yaml").write_text("# identified dynamic parameters\n")
    (directory / "dynamics.txt").write_text("identified inertia\n")
    for first, second, uris in (
        ("part_a", "part_b", ("one.obj", "moved.obj", "mirror.obj", "open.obj", "none.obj")),
        ("left_part", "right_part", ("moved.obj", "mirror.obj")),
    ):
        for uri in uris:
            text = _robot(
                urdf_link("base", mass="4", centre="0 0 0", tensor=ZEROS, shape=_mesh("one.obj")),
                urdf_link(first, centre="0 0 0", tensor=LEFT, shape=_mesh("one.obj")),
                urdf_link(second, centre="0 0 0", tensor=_RIGHT, shape=_mesh(uri)),
            )
            yield f"-- {second} {uri}"
            yield from _of(*gathering(text, str(directory / "r.urdf")))


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    **{name: partial(lambda text: _of(*gathering(text)), text) for name, text in FILES.items()},
}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    pages = PAGES | {"laid": lambda: _laid(tmp_path_factory.mktemp("laid"))}
    return read_pages(_CASES, pages, lambda name: pages[name]())


@pytest.mark.parametrize("name", PAGES)
def test_all_that_is_gathered_is_what_it_was(name: str, known: dict[str, list[str]]) -> None:
    compare(list(PAGES[name]()), known[name])


def test_meshes_that_are_laid_on_each_other_are_what_they_were(tmp_path: Path, known: dict[str, list[str]]) -> None:
    compare(list(_laid(tmp_path)), known["laid"])
    assert list(known) == [*PAGES, "laid"]
