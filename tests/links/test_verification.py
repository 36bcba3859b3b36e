"""What counts as stale: each number on its own scale."""

import re

import pytest
from builders.documents import AUTO, one_link, solid

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options


def rod(size: str, rpy: str = "0 0 0") -> bytes:
    return one_link(AUTO, solid(f"<box><size>{size}</size></box>", f"0 0 0 {rpy}", more="<density>1000</density>"))


def filled(source: bytes, **options: object) -> bytes:
    result = fill(source, Options(**options), filename="/nowhere/m.sdf")  # type: ignore[arg-type]
    assert result.errors == ()
    return result.content


def refilled(managed: bytes) -> list[str]:
    return [link.status for link in fill(managed, filename="/nowhere/m.sdf").links]


@pytest.mark.parametrize("options", [{}, {"axes": "principal"}], ids=["link", "principal"])
@pytest.mark.parametrize("rpy", ["0 0 0", "0 0 1.5707963267948966", "0.3 0.4 0.5", "0 0.001 0"])
@pytest.mark.parametrize("thin", ["1e-3", "1e-5", "1e-7"])
def test_a_rod_twice_as_thick_is_stale(thin: str, rpy: str, options: dict[str, object]) -> None:
    # With the mass kept, the moment about its axis is due four times larger, and the others hardly change.
    twice = f"{2.0 * float(thin):g}"
    source = rod(f"1 {thin} {thin}", rpy).replace(
        b"<inertial auto='true'/>", b"<inertial auto='true'><mass>2</mass></inertial>"
    )
    managed = filled(source, **options)
    assert refilled(managed) == []
    changed = managed.replace(f"1 {thin} {thin}".encode(), f"1 {twice} {twice}".encode())
    assert refilled(changed) == ["refilled"]
    [finding] = [each for each in check(changed, filename="/nowhere/m.sdf") if each.code == "SDI002"]
    assert re.search(r"changed: .*(i[xyz][xyz]|principal moments) \S+", finding.message), finding.message
    again = fill(changed, filename="/nowhere/m.sdf").content
    assert refilled(again) == []


@pytest.mark.parametrize("rpy", ["0 0 0", "0.3 0.4 0.5"])
@pytest.mark.parametrize("size", ["1 2 3", "1 1e-3 1e-3", "1 1 1e-5", "1 1e-5 1e-5", "1 1e-7 1e-6"])
@pytest.mark.parametrize("options", [{}, {"axes": "principal"}, {"digits": 5}], ids=["link", "principal", "few"])
def test_numbers_that_hold_are_clean_though_the_file_reads_otherwise(size, rpy, options):
    managed = filled(rod(size, rpy), **options)
    first = size.split(maxsplit=1)[0]
    other = managed.replace(f"<size>{first} ".encode(), f"<size>{float(first) * (1 + 1e-14)!r} ".encode())
    assert other != managed
    assert refilled(other) == []
