import subprocess
import sys

import numpy as np
import pytest
from builders.meshes import TETRAHEDRON

from sdfinertia.errors import MeshError, install_advice
from sdfinertia.mesh import optional_library
from sdfinertia.mesh.boolean_union import united, without_those_before
from sdfinertia.mesh.convex_hulls import decomposed
from sdfinertia.mesh.solid_moments import voxel_moments

VERTICES = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float64)

BODY = VERTICES, TETRAHEDRON
UNITING = "uniting solids that overlap needs the library manifold3d"
CUTTING = "cutting a solid out of another needs the library manifold3d"
USES = {
    "voxel": (lambda: voxel_moments(*BODY), "igl", "the method voxel needs the library libigl"),
    "decomposition": (lambda: decomposed(*BODY), "vhacdx", "the convex decomposition needs the library vhacdx"),
    "union": (lambda: united([BODY]), "manifold3d", UNITING),
    "difference": (lambda: list(without_those_before([BODY, BODY])), "manifold3d", CUTTING),
}


@pytest.mark.parametrize("use", USES)
def test_a_missing_library_is_named_with_the_command_that_installs_it(use, monkeypatch):
    call, module, problem = USES[use]
    monkeypatch.setitem(sys.modules, module, None)  # what makes Python say that there is no such module
    with pytest.raises(MeshError) as caught:
        call()
    assert caught.value.problem == problem
    assert caught.value.remedy == install_advice("robust")


@pytest.mark.parametrize(
    "failure",
    [ImportError("libGL.so.1: cannot open shared object file"), ModuleNotFoundError("No module named 'x'", name="x")],
)
def test_a_library_that_does_not_load_says_why(failure, monkeypatch, tmp_path):
    (tmp_path / "igl.py").write_text(f"raise {type(failure).__name__}({str(failure)!r}, name={failure.name!r})\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "igl", raising=False)
    with pytest.raises(MeshError) as caught:
        optional_library("igl", "the method voxel")
    assert str(failure) in caught.value.problem
    assert "libigl" in caught.value.problem


def test_the_modules_load_without_the_libraries():
    program = """
import sys
sys.modules |= dict.fromkeys(("igl", "vhacdx", "manifold3d"))
from sdfinertia.mesh import boolean_union, convex_hulls, solid_moments
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
