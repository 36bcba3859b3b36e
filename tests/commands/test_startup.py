"""What a run loads, and the public names."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders.documents import BOX_FILE
from builders.meshes import OBJ_BOX

import sdfinertia

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = (
    *("numpy", "scipy", "lxml", "trimesh", "rich", "pathspec"),
    *("asyncio", "concurrent.futures", "importlib.metadata", "logging", "multiprocessing", "sqlite3"),
)


@pytest.mark.parametrize("command", ["fill", "check"])
def test_a_primitive_loads_no_heavy_library(project: Path, command: str) -> None:
    (project / "m.sdf").write_text(BOX_FILE)
    # What measures coverage is there before.
    program = f"""
import sys
before = {{*sys.modules}}
try:
    from sdfinertia.cli import main
    main(["fill", "-q", "m.sdf"])
except SystemExit as stopped:
    assert stopped.code == 0
assert sum(name.startswith("sdfinertia") for name in sys.modules) <= 85
try:
    main(["{command}", "-q", "m.sdf"])
except SystemExit as stopped:
    assert stopped.code == 0
print([name for name in {HEAVY} if name in sys.modules and name not in before])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=project, check=True)
    assert done.stdout == b"[]\n"
    assert "<mass>" in (project / "m.sdf").read_text()


@pytest.mark.parametrize(("given", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_the_library_of_numpy_starts_no_threads_unless_told_to(project, given, expected):
    (project / "m.sdf").write_text(
        BOX_FILE.replace("<box><size>1 2 3</size></box>", "<mesh><uri>cube.obj</uri></mesh>")
    )
    (project / "cube.obj").write_text(OBJ_BOX)
    program = """
import os
try:
    from sdfinertia.cli import main
    main(["fill", "m.sdf", "-q"])
except SystemExit as stopped:
    assert stopped.code == 0
import sys
assert "numpy" in sys.modules
print(os.environ["OPENBLAS_NUM_THREADS"], len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1)
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=project, check=True, env={**environment, **given}
    )
    threads, running = done.stdout.split()
    assert threads.decode() == expected
    if not given:
        assert running == b"1"


# The public names -----------------------------------------------------------------------------------------------------


def test_every_public_name_is_there() -> None:
    program = "from sdfinertia import *\nimport sdfinertia\nfor name in sdfinertia.__all__: getattr(sdfinertia, name)"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert sdfinertia.mesh.__name__ == "mesh"
    with pytest.raises(AttributeError, match="no_such_name"):
        sdfinertia.no_such_name  # noqa: B018
