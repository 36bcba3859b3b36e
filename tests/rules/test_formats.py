"""One body has one verdict, whatever the format that describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from builders import meshes
from builders.meshes import obj
from builders.thoroughness import trials
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sdfinertia.documents.checking import check
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("ixx", "iyy", "izz")


class Part(NamedTuple):
    """A box, or a cube of 1 m as a mesh, whose moments are multiplied and whose centre is moved along x.

    A mesh may be drawn alone, with a ball for its collision; MuJoCo gives what is drawn a mass, unless told not to.
    """

    size: tuple[float, float, float]
    is_mesh: bool
    mass: float
    factors: tuple[float, float, float]
    x: float
    stands_in: bool
    in_mujoco: str

    @property
    def moments(self) -> tuple[float, ...]:
        x, y, z = (1.0, 1.0, 1.0) if self.is_mesh else self.size
        exact = (y * y + z * z, x * x + z * z, x * x + y * y)
        return tuple(self.mass / 12.0 * one * factor for one, factor in zip(exact, self.factors, strict=True))


edges = st.sampled_from((0.1, 0.2, 0.5, 1.0))
factors = st.sampled_from((0.0, 1e-6, 0.05, 0.5, 1.0, 1.0, 2.0, 5.0, 100.0))
parts = st.builds(
    Part,
    st.tuples(edges, edges, edges),
    st.booleans(),
    st.sampled_from((0.01, 1.0, 20.0, 500.0, 1e5)),
    st.one_of(st.tuples(factors, factors, factors), factors.map(lambda factor: (factor,) * 3)),
    st.sampled_from((0.0, 0.0, 0.01, 3.0)),
    st.booleans(),
    st.sampled_from(("", "mass='0'", "group='2'")),
)


def sdf(robot: list[Part]) -> bytes:
    def link(k: int, part: Part) -> str:
        tensor = "".join(f"<{n}>{v!r}</{n}>" for n, v in zip(NAMES, part.moments, strict=True))
        box = f"<box><size>{part.size[0]} {part.size[1]} {part.size[2]}</size></box>"
        shape = "<mesh><uri>cube.obj</uri></mesh>" if part.is_mesh else box
        block = (
            f"<inertial><pose>{part.x} 0 0 0 0 0</pose><mass>{part.mass}</mass><inertia>{tensor}</inertia></inertial>"
        )
        joint = f"<joint name='j{k}' type='revolute'><parent>l0</parent><child>l{k}</child><axis/></joint>" if k else ""
        solid = f"<collision name='c'><geometry>{shape}</geometry></collision>"
        if part.is_mesh and part.stands_in:
            ball = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"
            solid = f"<visual name='v'><geometry>{shape}</geometry></visual>{ball}"
        return f"<link name='l{k}'>{block}{solid}</link>{joint}"

    return f"<sdf version='1.9'><model name='m'>{''.join(map(link, range(9), robot))}</model></sdf>".encode()


def urdf(robot: list[Part]) -> bytes:
    def link(k: int, part: Part) -> str:
        tensor = " ".join(f"{n}='{v!r}'" for n, v in zip(NAMES, part.moments, strict=True))
        box = f"<box size='{part.size[0]} {part.size[1]} {part.size[2]}'/>"
        shape = "<mesh filename='cube.obj'/>" if part.is_mesh else box
        block = f"<origin xyz='{part.x} 0 0'/><mass value='{part.mass}'/><inertia {tensor} ixy='0' ixz='0' iyz='0'/>"
        joint = f"<joint name='j{k}' type='continuous'><parent link='l0'/><child link='l{k}'/></joint>" if k else ""
        solid = f"<collision><geometry>{shape}</geometry></collision>"
        if part.is_mesh and part.stands_in:
            ball = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
            solid = f"<visual><geometry>{shape}</geometry></visual>{ball}"
        return f"<link name='l{k}'><inertial>{block}</inertial>{solid}</link>{joint}"

    return f"<robot name='m'>{''.join(map(link, range(9), robot))}</robot>".encode()


def mjcf(robot: list[Part]) -> bytes:
    def body(k: int, part: Part) -> str:
        halves = " ".join(repr(edge / 2.0) for edge in part.size)
        geom = "<geom type='mesh' mesh='cube'/>" if part.is_mesh else f"<geom type='box' size='{halves}'/>"
        if part.is_mesh and part.stands_in:
            drawn = f"<geom type='mesh' mesh='cube' contype='0' conaffinity='0' {part.in_mujoco}/>"
            geom = f"{drawn}<geom type='sphere' size='0.1'/>"
        moments = " ".join(map(repr, part.moments))
        block = f"<inertial pos='{part.x} 0 0' mass='{part.mass}' diaginertia='{moments}'/>"
        return f"<body name='l{k}'>{'<joint/>' if k else '<freejoint/>'}{block}{geom}"

    bodies = "</body>".join(map(body, range(9), robot)).replace("</body>", "", 1)
    asset = "<asset><mesh name='cube' file='cube.obj'/></asset>"
    ends = "</body>" * min(len(robot), 2)
    return f"<mujoco model='m'>{asset}<worldbody>{bodies}{ends}</worldbody></mujoco>".encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("formats")
    (path / "cube.obj").write_text(obj(meshes.cube(size=1)))
    return path


@example([Part((1.0, 1.0, 1.0), True, 500.0, (5.0, 5.0, 5.0), 0.0, True, weighs) for weighs in ("", "mass='0'")])
@given(st.lists(parts, min_size=1, max_size=4))
@settings(max_examples=trials(20, 300), deadline=None)
def test_the_same_robot_has_the_same_findings_in_sdf_urdf_and_mjcf(folder: Path, robot: list[Part]) -> None:
    found = {
        name: {
            (finding.link, code)
            for finding in check(content, Options(), why=False, filename=str(folder / name))
            for code in finding.codes
            # MuJoCo needs no libsdformat.
            if code != "SDI107"
        }
        for name, content in (("m.sdf", sdf(robot)), ("m.urdf", urdf(robot)), ("m.xml", mjcf(robot)))
    }
    assert found["m.urdf"] == found["m.sdf"]
    assert found["m.xml"] == found["m.sdf"]
