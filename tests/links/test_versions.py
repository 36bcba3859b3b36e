from pathlib import Path

import pytest

from sdfinertia.links.versions import VersionIndex


def write(path: Path, *names: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<robot name='r'>" + "".join(f'<link name="{name}"/>' for name in names) + "</robot>")
    return str(path)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def index(**options: object) -> VersionIndex:
    return VersionIndex((".urdf", ".sdf"), options.get("exclude", ()), options.get("confine"))  # type: ignore[arg-type]


def test_the_files_that_name_a_link_are_found_the_nearest_first(repository: Path) -> None:
    own = write(repository / "a" / "v1" / "r.urdf", "base", "arm")
    far = write(repository / "b" / "r.urdf", "arm")
    near = write(repository / "a" / "v1" / "s.sdf", "arm")
    middle = write(repository / "a" / "v2" / "r.urdf", "arm")
    write(repository / "a" / "v2" / "t.urdf", "leg")
    assert index().files_naming("arm", own) == [near, middle, far]
    assert index().files_naming("base", own) == []


@pytest.mark.parametrize("left_out", ["build", ".hidden", "ignored"])
def test_what_is_built_hidden_or_ignored_is_passed_over(repository: Path, left_out: str) -> None:
    own = write(repository / "r.urdf", "arm")
    (repository / ".gitignore").write_text("ignored/\n")
    write(repository / left_out / "s.urdf", "arm")
    assert index().files_naming("arm", own) == []


def test_a_file_outside_of_repositories_and_standard_input_have_no_other_versions(tmp_path: Path) -> None:
    own = write(tmp_path / "r.urdf", "arm")
    write(tmp_path / "s.urdf", "arm")
    assert index().files_naming("arm", own) == index().files_naming("arm", "<stdin>") == []


def test_what_is_excluded_or_outside_the_confinement_is_passed_over(repository, monkeypatch):
    monkeypatch.chdir(repository)
    own = write(repository / "a" / "r.urdf", "arm")
    other = write(repository / "old" / "s.urdf", "arm")
    assert index().files_naming("arm", own) == [other]
    assert index(exclude=("old/*",)).files_naming("arm", own) == []
    assert index(confine=str(repository / "a")).files_naming("arm", own) == []


def test_a_file_is_read_once(repository: Path) -> None:
    found = index()
    calls: list[str] = []
    for _ in range(3):
        assert found.remembered("a.urdf", lambda path: calls.append(path) or len(calls)) == 1
    assert calls == ["a.urdf"]
