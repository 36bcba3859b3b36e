"""The walks of CONTRIBUTING.md, done: each touches a copy of the package where it says, and nowhere else."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from math import pi
from pathlib import Path

import pytest

import sdfinertia

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


class Checkout:
    """A copy of the package that a walk changes, and models to try it on."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.package = place / "checkout" / "sdfinertia"
        # With what Python compiled of it before, or every run would compile it anew.
        shutil.copytree(Path(sdfinertia.__file__).parent, self.package)

    def add(self, path: str, text: str) -> None:
        """A new module."""
        assert not (self.package / path).exists()
        (self.package / path).write_text(text, encoding="utf-8")

    def put(self, path: str, anchor: str, text: str) -> None:
        """Text in place of an anchor that stands in a module once."""
        module = self.package / path
        before = module.read_text(encoding="utf-8")
        assert before.count(anchor) == 1, f"{path} has {before.count(anchor)} times {anchor!r}"
        module.write_text(before.replace(anchor, text), encoding="utf-8")

    def run(self, *words: str, status: int = 0) -> str:
        """What the changed command prints."""
        return self.python("-m", "sdfinertia", *words, status=status)

    def python(self, *words: str, status: int = 0) -> str:
        """What a run of Python with the changed package prints."""
        environment = os.environ | {"PYTHONPATH": str(self.package.parent)}
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.place,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == status, done.stdout
        return done.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def require_told(*paths: str) -> None:
    """The walk names the files that a test touches."""
    for path in paths:
        assert path in CONTRIBUTING, path


RULE = """

@rule(
    "SDI399",
    is_default=False,
    what="A mass has no decimals.",
    why="Nobody weighed it.",
    example="<mass>1</mass>",
    fix="Weigh it.",
)
def round_mass(study):
    inertia = study.hand_written
    if inertia is not None and inertia.mass == round(inertia.mass):
        yield Problem("has a mass without decimals", "weigh it")
"""
FIRST_RULE = '\n\n@rule(\n    "SDI201"'
MODEL = """<sdf version="1.9"><model name="m"><link name="a">
  <inertial>{mass}<inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
  <collision name="c"><geometry>{shape}</geometry></collision>
</link></model></sdf>
"""
BOX = "<box><size>2 2 2</size></box>"


def test_a_rule_is_one_declaration(checkout: Checkout) -> None:
    require_told("sdfinertia/rules/", "rules/__init__.py", "docs/examples/rules/CODE/wrong.sdf")
    checkout.put("rules/plausibility.py", FIRST_RULE, RULE + FIRST_RULE)
    (checkout.place / "m.sdf").write_text(MODEL.format(mass="<mass>3</mass>", shape=BOX))
    found = checkout.run("check", "--select", "round-mass", "m.sdf", status=1)
    assert "SDI399 m::a: has a mass without decimals\n  fix: weigh it" in found
    assert "SDI399" not in checkout.run("check", "m.sdf")
    assert "Nobody weighed it." in checkout.run("rules", "SDI399")


TORUS = '''

def torus(ring, tube, density):
    """m = 2 π² ρ R r², Izz = m (R² + 3/4 r²), Ixx = m (R² / 2 + 5/8 r²) (Meriam and Kraige, table D/4)."""
    require_dimensions("torus", density, ("ring", ring), ("tube", tube))
    mass = 2 * pi * pi * density * ring * tube * tube
    across = mass * (ring * ring / 2 + 5 / 8 * tube * tube)
    along = mass * (ring * ring + 3 / 4 * tube * tube)
    return SpatialInertia(mass, (0.0, 0.0, 0.0), InertiaTensor(across, across, along))
'''
TORUS_ROW = """
        PrimitiveKind(
            "torus",
            (("ring", 1), ("tube", 1)),
            lambda size, to: (hypot(*to[:2]) * size[0] + size[1],) * 2,
        ),
"""


def test_a_primitive_is_a_formula_and_a_row(checkout: Checkout) -> None:
    require_told("inertia/solids.py", "shapes.py", "mesh/tessellation.py", "sdf/edits.py")
    checkout.put("inertia/solids.py", "\n\ndef require_dimensions(", TORUS + "\n\ndef require_dimensions(")
    last = '        PrimitiveKind("ellipsoid", (("radii", 3),), _ellipsoid_extent),\n'
    checkout.put("shapes.py", last, last + TORUS_ROW)
    checkout.put("sdf/edits.py", '("capsule", "ellipsoid")', '("capsule", "ellipsoid", "torus")')
    torus = "<torus><ring>0.5</ring><tube>0.1</tube></torus>"
    (checkout.place / "m.sdf").write_text(MODEL.format(mass="", shape=torus))
    text = checkout.run("fill", "--all", "--quiet", "-o", "-", "m.sdf")
    mass = float(text.partition("<mass>")[2].partition("<")[0])
    assert mass == pytest.approx(2 * pi * pi * 1000 * 0.5 * 0.01, rel=1e-11)
    checkout.run("check", "--select", "SDI901,SDI108", "m.sdf")


READER = '''"""Triangles as nine numbers a line."""

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.triangle_mesh import TriangleMesh


def read_raw(data):
    try:
        corners = np.array(data.split(), dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise MeshError("holds something else than triangles of nine numbers") from None
    if len(corners) % 3:
        raise MeshError("ends within a triangle")
    return TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))
'''
TETRAHEDRON = """0 0 0  0 1 0  1 0 0
0 0 0  1 0 0  0 0 1
0 0 0  0 0 1  0 1 0
1 0 0  0 1 0  0 0 1
"""


def test_a_mesh_format_is_a_module_and_a_line(checkout: Checkout) -> None:
    require_told("sdfinertia/mesh/readers/", "mesh/readers/__init__.py")
    checkout.add("mesh/readers/raw.py", READER)
    last = '        MeshFormat(".stp", "step.read_step", is_read_by_gazebo=False, libraries=("cascadio",)),\n'
    checkout.put(
        "mesh/readers/__init__.py",
        last,
        f'{last}        MeshFormat(".raw", "raw.read_raw", is_read_by_gazebo=False),\n',
    )
    (checkout.place / "t.raw").write_text(TETRAHEDRON)
    (checkout.place / "cut.raw").write_text("0 0 0  0 1 0")
    assert "166.667 kg at 1000 kg/m³, exact" in checkout.run("mesh", "--no-cache", "t.raw")
    refused = checkout.run("mesh", "--no-cache", "cut.raw", status=2)
    assert refused == "cut.raw: ends within a triangle\n"


def test_an_option_is_a_field_a_row_and_its_use(checkout: Checkout) -> None:
    require_told("sdfinertia/options.py")
    checkout.put(
        "options.py",
        "    tolerance: float = 0.1\n",
        "    heaviest: float = 100.0\n    tolerance: float = 0.1\n",
    )
    row = '        Option("heaviest", float, "Mass that SDI203 lets pass.", "rules", "check", "KG"),\n'
    checkout.put("options.py", '        Option("tolerance"', f'{row}        Option("tolerance"')
    checkout.put(
        "rules/plausibility.py",
        FIRST_RULE,
        RULE.replace("inertia.mass == round(inertia.mass)", "inertia.mass > study.options.heaviest") + FIRST_RULE,
    )
    (checkout.place / "m.sdf").write_text(MODEL.format(mass="<mass>3</mass>", shape=BOX))
    select = ("check", "--select", "SDI399", "m.sdf")
    checkout.run(*select)
    checkout.run(*select, "--heaviest", "2", status=1)
    assert "must be a number above zero" in checkout.run(*select, "--heaviest", "0", status=2)
    (checkout.place / "sdfinertia.toml").write_text("heaviest = 2.5\n")
    checkout.run(*select, status=1)
    script = "import sys; sys.path += sys.argv[1:]; import option_tables; print(option_tables.options_table('rules'))"
    assert "| `--heaviest KG` | Mass that SDI203 lets pass. | check |" in checkout.python(
        "-c", script, str(ROOT / "docs" / "hooks")
    )


TABLE = '''"""Findings as CSV."""

import csv
import io


def findings_csv(report):
    text = io.StringIO()
    csv.writer(text).writerows((finding.code, finding.link, finding.location.line) for finding in report.findings)
    return text.getvalue()
'''


def test_a_format_of_reports_is_a_module_and_a_line(checkout: Checkout) -> None:
    require_told("sdfinertia/report/", "report/__init__.py")
    checkout.add("report/tables.py", TABLE)
    line = 'ReportFormat("csv", ".csv", "tables", ("findings",)),'
    checkout.put("report/__init__.py", "\nFORMATS = (\n", f"\nFORMATS = (\n    {line}\n")
    (checkout.place / "m.sdf").write_text(MODEL.format(mass="<mass>-3</mass>", shape=BOX))
    checkout.run("check", "--report", "out.csv", "m.sdf", status=1)
    with (checkout.place / "out.csv").open(newline="", encoding="utf-8") as file:
        assert ["SDI101", "m::a", "2"] in list(csv.reader(file))
    assert ".csv" in checkout.run("fill", "--report", "out.csv", "m.sdf", status=2)
