"""Contracts for any bytes as a configuration, a baseline, or the list of a model's files."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from fuzzing.messages import require_message
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.walk import is_excluded
from sdfinertia.options import merged_options
from sdfinertia.rules.baseline import read_baseline
from sdfinertia.runs.configuration import Configurations, read_configuration
from sdfinertia.runs.source_files import source_files
from sdfinertia.sdf.root import model_file_of


def configuration_holds(data: bytes) -> None:
    """Bytes give options, in either of the two files that a configuration may stand in, or a `ConfigurationError`."""
    for name in ("sdfinertia.toml", "pyproject.toml"):
        path = scratch_directory(name) / name
        path.write_bytes(data)
        try:
            values = Configurations().configured_for(str(path.parent / "model.sdf"))
        except ConfigurationError as error:
            require_message(error)
            continue
        options = merged_options({}, values.values)
        assert is_excluded(str(path), options.exclude) in (True, False)
        if name == "sdfinertia.toml":
            assert read_configuration(str(path)) == values


def baseline_holds(data: bytes) -> None:
    """Bytes give a baseline that lists its stale entries, or a `ConfigurationError`."""
    path = scratch_directory("baseline") / "baseline.json"
    path.write_bytes(data)
    try:
        baseline = read_baseline(str(path))
    except ConfigurationError as error:
        require_message(error)
        return
    of_gone_files = baseline.stale_entries(lambda entry: False)
    assert set(of_gone_files) <= set(baseline.stale_entries(lambda entry: True))


def directory_holds(data: bytes) -> None:
    """A directory whose `model.config`, and whose rules of what git ignores, are these bytes is walked, or refused."""
    directory = scratch_directory("model")
    (directory / "model.sdf").write_bytes(b"<sdf version='1.11'/>")
    for name in ("model.config", ".gitignore"):
        (directory / name).write_bytes(data)
    try:
        model_file_of(str(directory), None)
    except SdfInertiaError as error:
        require_message(error)
    try:
        found = source_files(str(directory))
    except SdfInertiaError as error:
        require_message(error)
        return
    assert found


@cache
def scratch_directory(name: str) -> Path:
    """A directory for the files of one kind, of this process alone."""
    directory = Path(tempfile.mkdtemp(prefix=f"sdfinertia-fuzzing-{name}-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory
