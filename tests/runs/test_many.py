"""`fill_many` and `check_many`: results in the order of the input, for any executor; no file harms another."""

from __future__ import annotations

import os
import sys
import tracemalloc
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import BOX_FILE

from sdfinertia import Options, box, check, check_many, fill, fill_many
from sdfinertia.errors import ConfigurationError, ResourceError, WorkerError
from sdfinertia.runs import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sdfinertia.calculators import CalculatorMesh

BOX = BOX_FILE.replace('name="m"', 'name="NAME"')
CALCULATED = BOX.replace(
    '<inertial auto="true"/>',
    '<inertial auto="true"><auto_inertia_params><sdfinertia:calculator>C</sdfinertia:calculator>'
    "</auto_inertia_params></inertial>",
).replace("<box><size>1 2 3</size></box>", "<mesh><uri>cube.obj</uri></mesh>")
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4 3\nf 5 7 8 6\n"

forked = pytest.mark.skipif(sys.platform != "linux", reason="processes get what the test defines by forking")


def threads() -> Executor:
    return ThreadPoolExecutor(3)


def processes() -> Executor:
    return ProcessPoolExecutor(2, get_context("fork" if sys.platform == "linux" else "spawn"))


@pytest.fixture(params=[None, threads, processes], ids=["none", "threads", "processes"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    if request.param is None:
        yield None
    else:
        with request.param() as started:
            yield started


@pytest.fixture
def boxes(project: Path) -> list[Path]:
    paths = [project / f"m{number:02}.sdf" for number in range(40)]
    for path in paths:
        path.write_text(BOX.replace("NAME", path.stem))
    return paths


def is_filled(path: Path) -> bool:
    return "<mass>6000</mass>" in path.read_text()


# Results --------------------------------------------------------------------------------------------------------------


def test_files_are_filled_as_one_by_one_and_results_come_in_their_order(boxes, executor):
    alone = [fill(path) for path in boxes]
    order = [*boxes[20:], *boxes[:20]]
    results = list(fill_many(order, executor=executor))
    assert [result.path for result in results] == [str(path) for path in order]
    assert all(result.error is None and result.seconds > 0 for result in results)
    expected = [*alone[20:], *alone[:20]]
    assert [result.result and result.result.content for result in results] == [each.content for each in expected]
    assert [path.read_bytes() for path in order] == [each.content for each in expected]


@pytest.mark.parametrize("write", ["caller", "worker", None])
def test_files_are_written_by_whom_it_is_asked(boxes: list[Path], executor: Executor | None, write: Any) -> None:
    results = list(fill_many(boxes, executor=executor, write=write))
    assert all(result.result is not None and result.result.changed for result in results)
    assert all(is_filled(path) == (write is not None) for path in boxes)
    assert not list(boxes[0].parent.glob(".sdfinertia-*"))


def test_the_caller_writes_a_file_when_its_result_is_taken_and_what_is_not_taken_is_not_done(boxes: list[Path]) -> None:
    results = fill_many(boxes)
    assert next(results).path == str(boxes[0])
    assert [is_filled(path) for path in boxes[:2]] == [True, False]
    del results
    assert sum(map(is_filled, boxes)) == 1


MACROS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="arm">{0}</xacro:macro>
<xacro:macro name="leg">{0}</xacro:macro>
</robot>""".format(
    '<link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    '<collision><geometry><box size="1 2 3"/></geometry></collision></link>'
)
ROBOT = """<robot name="{0}" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="macros.xacro"/><xacro:{0}/></robot>"""


@pytest.mark.parametrize("write", ["caller", "worker"])
def test_robots_that_share_a_file_are_filled_one_after_the_other(boxes, quick_xacro, executor, write):
    pytest.importorskip("xacro")
    project = boxes[0].parent
    (project / "macros.xacro").write_text(MACROS)
    robots = [project / "arm.urdf.xacro", project / "leg.urdf"]
    for path in robots:
        path.write_text(ROBOT.format(path.name.partition(".")[0]))
    order = [robots[0], boxes[0], robots[1], boxes[1]]
    results = list(fill_many(order, Options(all=True), executor=executor, write=write))
    assert [(result.path, result.error) for result in results] == [(str(path), None) for path in order]
    assert (project / "macros.xacro").read_text().count("sdfinertia: mass=given") == 2
    assert is_filled(boxes[1])


def test_a_writer_or_a_rule_that_there_is_not_is_refused_before_anything_is_done(boxes: list[Path]) -> None:
    with pytest.raises(ConfigurationError, match="write must be"):
        fill_many(boxes, write="nobody")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="SDI999"):
        check_many(boxes, Options(select=("SDI999",)))


def test_files_are_checked_as_one_by_one(boxes: list[Path], executor: Executor | None) -> None:
    boxes[3].write_text("<sdf version='1.9'><model>")
    fill(boxes[5]).write()
    results = list(check_many(boxes, executor=executor))
    assert [list(result.result or ()) for result in results] == [check(path) for path in boxes]
    assert [len(result.result or ()) for result in results[3:6]] == [1, 1, 0]


def test_directories_stand_for_the_models_below_them(boxes: list[Path], executor: Executor | None) -> None:
    project = boxes[0].parent
    (project / "empty").mkdir()
    (project / "below").mkdir()
    (project / "below/n.sdf").write_text(BOX)
    results = list(fill_many(["below", "empty", boxes[2]], Options(exclude=("m03.sdf",)), executor=executor))
    assert [os.path.basename(result.path) for result in results] == ["n.sdf", "empty", "m02.sdf"]
    assert "no SDF, URDF or MJCF file in this directory" in str(results[1].error)
    everything = list(fill_many([project], Options(exclude=("m03.sdf",)), executor=executor))
    assert len(everything) == 40
    assert not is_filled(boxes[3])


def cube_of_one_kilogram(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> Any:
    return box((1.0, 1.0, 1.0), 1.0)


def test_options_and_calculators_reach_every_worker(boxes: list[Path], executor: Executor | None) -> None:
    for result in fill_many(boxes, Options(density=1.0), executor=executor):
        assert "<mass>6</mass>" in Path(result.path).read_text()
    (boxes[0].parent / "cube.obj").write_text(CUBE)
    for path in boxes:
        path.write_text(CALCULATED)
    for result in fill_many(boxes, executor=executor, calculators={"C": cube_of_one_kilogram}):
        assert result.result.errors == ()
        assert "<mass>1</mass>" in Path(result.path).read_text()
    for checked in check_many(boxes, executor=executor, calculators={"C": cube_of_one_kilogram}):
        assert checked.result == ()


# What goes wrong ------------------------------------------------------------------------------------------------------


def test_a_bad_file_is_an_error_of_its_own(boxes: list[Path], executor: Executor | None) -> None:
    boxes[7].write_text("<sdf version='1.9'><model>")
    boxes[9].unlink()
    results = list(fill_many(boxes, executor=executor))
    assert [index for index, result in enumerate(results) if result.error is not None] == [7, 9]
    assert isinstance(results[9].error, ResourceError)
    assert results[7].result is None
    assert sum(map(is_filled, (path for path in boxes if path.exists()))) == 38


@pytest.mark.parametrize("write", ["caller", "worker"])
def test_a_file_that_cannot_be_written_is_an_error_of_its_own(boxes, executor, write):
    outside = boxes[0].parent.parent / "outside.sdf"
    outside.write_text(BOX)
    boxes[4].unlink()
    boxes[4].symlink_to(outside)
    results = list(fill_many(boxes, Options(confine="."), executor=executor, write=write))
    assert [index for index, result in enumerate(results) if result.error is not None] == [4]
    assert "outside" in str(results[4].error)
    assert outside.read_text() == BOX


def test_a_file_that_changes_meanwhile_is_left_alone(boxes: list[Path]) -> None:
    results = fill_many(boxes, executor=_AllAtOnce())
    next(results)
    changed = BOX.replace("1 2 3", "3 2 1")
    boxes[1].write_text(changed)
    second = next(results)
    assert "changed on disk" in str(second.error)
    assert second.result is not None
    assert boxes[1].read_text() == changed
    assert all(result.error is None for result in results)


class _AllAtOnce(Executor):
    """Does what it is given at once; what is given to those below may end otherwise."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self.done(function, *arguments, **named))
        except TypeError as error:
            future.set_exception(error)
        return future

    def done(self, function: Any, *arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)


def broken_on(path: str, real: Callable[..., Any], source: Any, *given: Any, **named: Any) -> Any:
    if str(source).endswith(path):
        raise ZeroDivisionError("secret")
    return real(source, *given, **named)


@forked
@pytest.mark.parametrize("many", [fill_many, check_many])
def test_a_mistake_of_the_program_is_an_error_of_its_file(boxes, monkeypatch, many):
    for module in ("runs", "runs.checking"):
        monkeypatch.setattr(f"sdfinertia.{module}.open_document", partial(broken_on, "m11.sdf", _opened()))
    for make in (None, threads, processes):
        results = list(many(boxes, executor=make() if make is not None else None))
        assert [index for index, result in enumerate(results) if result.error is not None] == [11]
        assert isinstance(results[11].error, WorkerError)
        assert "m11.sdf: internal error: ZeroDivisionError in " in str(results[11].error)
        assert "secret" not in str(results[11].error)


def _opened() -> Callable[..., Any]:
    from sdfinertia.documents import open_document

    return open_document


def test_what_cannot_be_sent_is_an_error_of_each_file_and_ends_nothing(boxes: list[Path]) -> None:
    with processes() as executor:
        results = list(fill_many(boxes[:3], executor=executor, calculators={"C": lambda *_: None}))
    assert [type(result.error) for result in results] == [WorkerError] * 3
    assert not any(map(is_filled, boxes))


# Memory ---------------------------------------------------------------------------------------------------------------


class _Refusing(_AllAtOnce):
    """Refuses every file, so that only the caller's part of the work takes memory."""

    def done(self, function: Any, *arguments: Any, **named: Any) -> Any:
        return Outcome(arguments[-1], ResourceError("is refused", file=arguments[-1].path), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("many", [fill_many, check_many])
def test_the_memory_of_the_caller_does_not_grow_with_the_files(project, many):
    def peak(number: int) -> int:
        tracemalloc.start()
        try:
            done = sum(1 for _ in many((f"{index}.sdf" for index in range(number)), executor=_Refusing(), workers=2))
            assert done == number
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1000)
    # Bytes a file; what is known of one would show.
    assert (peak(30000) - peak(1000)) / 29000 < 10
