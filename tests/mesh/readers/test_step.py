"""STEP by Open CASCADE: the solid, how far its triangles are off, and what is refused."""

import math
import os
import sys
import threading
from pathlib import Path

import pytest
from builders.step import step_cylinder

import sdfinertia
from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers import step
from sdfinertia.mesh.readers.step import read_step

PIN = step_cylinder(10, 30)
NO_UNIT = "the STEP file gives no unit of length, and Open CASCADE takes millimetres"
EXACT = sdfinertia.cylinder(0.01, 0.03, 2700.0).shifted((0.0, 0.0, 0.015))


@pytest.fixture(autouse=True)
def cascadio() -> None:
    pytest.importorskip("cascadio", reason="cascadio is not installed: pip install -e .[cad]")


@pytest.mark.parametrize("content", [PIN, pytest.param(step_cylinder(1, 3, ".CENTI."), marks=pytest.mark.slow)])
def test_the_mass_is_right_within_the_uncertainty_that_is_told(content: bytes) -> None:
    body = sdfinertia.mesh(content, density=2700.0, filename="pin.STEP")
    off = abs(body.mass / EXACT.mass - 1.0)
    assert 1e-7 < off < body.uncertainty < 1e-3
    assert body.is_close(EXACT, rtol=body.uncertainty)


def test_the_notes_name_the_product_the_reader_the_chord_error_and_what_it_does_to_the_mass() -> None:
    body = sdfinertia.mesh(step_cylinder(0.01, 0.03, "$"), filename="pin.stp", submesh="pin")
    notes = " ".join(body.notes)
    assert body.faces == len(read_step(PIN).faces)
    assert NO_UNIT not in notes
    assert "STP is read, which Gazebo does not read" in notes
    assert "read by Open CASCADE (cascadio " in notes
    # A hundred thousandth of the diagonal.
    assert f"within {1e-5 * math.hypot(0.02, 0.02, 0.03):.2g} m of curved faces (chord error)" in notes
    assert "so the mass is uncertain by less than that" in notes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"solid", "begins with ISO-10303-21;"),
        (PIN[:-30], "cut off"),
        (PIN.replace(b"#60=ADVANCED", b"#999=ADVANCED"), "refers to #60, which it does not define"),
        (PIN.replace(b"ADVANCED_FACE", b"NO_SUCH_FACE"), "Open CASCADE finds no surface"),
        (b"ISO-10303-21;\njunk\nEND-ISO-10303-21;\n", "Open CASCADE cannot read it: "),
    ],
)
def test_a_damaged_file_is_an_error_and_open_cascade_prints_nothing(content, problem, capfd):
    before = set(threading.enumerate())
    with pytest.raises(MeshError, match=problem):
        sdfinertia.mesh(content, filename="a.step")
    assert capfd.readouterr() == ("", "")
    assert not [thread for thread in set(threading.enumerate()) - before if thread.is_alive()]


@pytest.mark.slow
def test_a_module_of_the_current_directory_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cascadio.py").write_text("open('here', 'w').close()")
    monkeypatch.chdir(tmp_path)
    assert len(read_step(PIN).faces)
    assert not (tmp_path / "here").exists()


def test_without_cascadio_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cascadio.py").write_text("raise ModuleNotFoundError(\"No module named 'cascadio'\", name='cascadio')")
    monkeypatch.setenv("PYTHONPATH", os.fspath(tmp_path))
    with pytest.raises(MeshError, match=r"reading STEP needs the library cascadio; .*\[cad\]"):
        read_step(PIN)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told by their numbers")
def test_a_crash_of_open_cascade_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = step._PROGRAM.replace("import cascadio\n", "os.kill(os.getpid(), 11)\n")
    monkeypatch.setattr(step, "_PROGRAM", crash)
    with pytest.raises(MeshError, match="ended by signal 11"):
        read_step(PIN)


def test_a_tessellation_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "_PROGRAM", "import time\ntime.sleep(60)\n")
    monkeypatch.setattr(step, "_SECONDS", 0.2)
    with pytest.raises(MeshError, match=r"needs more than 0\.2 s"):
        read_step(PIN)


@pytest.mark.slow
def test_a_file_without_a_unit_is_taken_for_millimetres_with_a_note() -> None:
    body = sdfinertia.mesh(PIN.replace(b"((#21,#22,#23))", b"((#22,#23))"), density=2700.0, filename="pin.step")
    assert NO_UNIT in body.notes
    assert body.is_close(EXACT, rtol=1e-3)
