"""The constraints say what pyproject.toml says: the oldest versions are its bounds, the newest lie within them."""

import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = {requirement.name: requirement for requirement in map(Requirement, PROJECT["dependencies"])}


def pins(name: str) -> dict[str, str]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_the_oldest_versions_are_those_that_are_allowed() -> None:
    oldest = pins("oldest.txt")
    assert oldest.keys() == REQUIREMENTS.keys()
    for name, requirement in REQUIREMENTS.items():
        (bound,) = (entry.version for entry in requirement.specifier if entry.operator == ">=")
        padded = ".".join([*bound.split("."), "0", "0"][:3])
        assert oldest[name] == padded


@pytest.mark.parametrize("name", sorted(pins("newest.txt")))
def test_the_newest_versions_are_allowed(name: str) -> None:
    assert pins("newest.txt")[name] in REQUIREMENTS[name].specifier
