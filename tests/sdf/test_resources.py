from __future__ import annotations

from pathlib import Path

import pytest

from sdfinertia.errors import ResourceError, TextError
from sdfinertia.sdf.document import Document
from sdfinertia.sdf.resources import Resources, ancestors_in_repository, model_file_of, package_name

VARIABLES = (
    "SDF_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "GAZEBO_MODEL_PATH",
    "GZ_FUEL_CACHE_PATH",
    "ROS_PACKAGE_PATH",
    "AMENT_PREFIX_PATH",
)


@pytest.fixture(autouse=True)
def _no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home directory, where the Fuel cache is, is one that does not exist."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    return root


def touch(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def find(uri: str, containing: Path, *paths: Path, environment: dict[str, str] | None = None, **more: object) -> Path:
    confine = more.pop("confine", None)
    resources = Resources([str(path) for path in paths], confine and str(confine), environment or {})  # type: ignore[arg-type]
    return Path(resources.find(uri, str(containing), **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("uri", ["meshes/a.stl", "file://meshes/a.stl", "./meshes/a.stl", "../robot/meshes/a.stl"])
def test_a_relative_path_is_taken_from_the_file_containing_it(repository: Path, uri: str) -> None:
    mesh = touch(repository / "robot/meshes/a.stl")
    touch(repository / "meshes/a.stl")
    assert find(uri, repository / "robot/model.sdf") == mesh


@pytest.mark.parametrize("uri", ["robot/meshes/a.stl", "file://robot/meshes/a.stl", "model://robot/meshes/a.stl"])
def test_a_relative_path_is_then_taken_as_a_model_uri(repository: Path, uri: str) -> None:
    mesh = touch(repository / "models/robot/meshes/a.stl")
    assert find(uri, repository / "worlds/w.sdf", repository / "models") == mesh


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_an_absolute_path_is_itself_and_nothing_else(repository: Path, scheme: str) -> None:
    mesh = touch(repository / "a.stl")
    assert find(f"{scheme}{mesh}", repository / "x/m.sdf") == mesh
    with pytest.raises(ResourceError):
        find(f"{scheme}/a.stl", repository / "x/m.sdf", repository)


def test_a_uri_without_a_file_is_an_error_that_lists_every_path_tried(repository: Path) -> None:
    other = repository.parent / "other"
    other.mkdir()
    with pytest.raises(ResourceError) as caught:
        find("model://robot/a.stl", repository / "x/y/m.sdf", other, environment={"SDF_PATH": str(repository.parent)})
    message = str(caught.value)
    assert "'model://robot/a.stl'" in message
    for folder in (other, repository / "x/y", repository / "x", repository, repository.parent):
        assert str(folder / "robot/a.stl") in message
    # Directories above the repository are none of its business.
    assert str(repository.parent.parent / "robot/a.stl") not in message


@pytest.mark.parametrize("uri", ["model://Robot/Meshes/a.stl", "Robot/meshes/A.STL", "package://robot/meshes/A.stl"])
def test_a_near_match_of_another_case_is_named(repository: Path, uri: str) -> None:
    mesh = touch(repository / "robot/meshes/a.stl")
    with pytest.raises(ResourceError) as caught:
        find(uri, repository / "m.sdf")
    assert str(mesh) in str(caught.value)


def test_without_a_near_match_none_is_named(repository: Path) -> None:
    touch(repository / "robot/a.stl")
    with pytest.raises(ResourceError) as caught:
        find("model://robot/b.stl", repository / "m.sdf")
    assert "case" not in str(caught.value)


ORDER = ("resource path", "containing directory", "its parent", *VARIABLES)


@pytest.mark.parametrize("first", range(len(ORDER)), ids=ORDER)
def test_places_are_searched_in_order_and_the_first_match_wins(repository: Path, tmp_path: Path, first: int) -> None:
    folders = [tmp_path / "resources", repository / "worlds", repository]
    folders += [tmp_path / variable for variable in VARIABLES]
    environment = {variable: str(tmp_path / variable) for variable in VARIABLES}
    folders[-1] = tmp_path / "AMENT_PREFIX_PATH" / "share"
    for folder in folders[first:]:
        touch(folder / "robot/a.stl")
    found = find("model://robot/a.stl", repository / "worlds/w.sdf", folders[0], environment=environment)
    assert found == folders[first] / "robot/a.stl"


def test_every_entry_of_a_variable_counts_and_missing_ones_are_passed_over(repository: Path, tmp_path: Path) -> None:
    mesh = touch(tmp_path / "b/robot/a.stl")
    paths = f"{tmp_path / 'lost'}::{tmp_path / 'b'}:"
    assert find("model://robot/a.stl", repository / "m.sdf", environment={"GAZEBO_MODEL_PATH": paths}) == mesh
    with pytest.raises(ResourceError) as caught:
        find("model://robot/b.stl", repository / "m.sdf", environment={"GAZEBO_MODEL_PATH": paths})
    assert "lost" not in str(caught.value)


def test_resource_paths_are_searched_in_their_order(repository: Path, tmp_path: Path) -> None:
    first, second = touch(tmp_path / "1/robot/a.stl"), touch(tmp_path / "2/robot/a.stl")
    assert find("model://robot/a.stl", repository / "m.sdf", tmp_path / "1", tmp_path / "2") == first
    assert find("model://robot/a.stl", repository / "m.sdf", tmp_path / "2", tmp_path / "1") == second


def test_a_package_is_found_by_its_folder(repository: Path) -> None:
    mesh = touch(repository / "src/robot_description/meshes/a.stl")
    assert find("package://robot_description/meshes/a.stl", repository / "m.sdf", repository / "src") == mesh


def test_a_package_is_found_by_the_name_in_its_package_xml(repository: Path, tmp_path: Path) -> None:
    mesh = touch(repository / "description/meshes/a.stl")
    touch(repository / "description/package.xml", "<package>\n<name> robot_description </name></package>")
    uri = "package://robot_description/meshes/a.stl"
    # From a file inside the package, from a folder beside it, and by a variable.
    assert find(uri, repository / "description/models/m.sdf") == mesh
    assert find(uri, repository / "worlds/w.sdf") == mesh
    assert find(uri, tmp_path / "w.sdf", environment={"ROS_PACKAGE_PATH": str(repository)}) == mesh
    assert find(uri, tmp_path / "w.sdf", environment={"ROS_PACKAGE_PATH": str(repository / "description")}) == mesh
    assert package_name(str(repository / "description")) == "robot_description"
    assert package_name(str(repository)) is None


def test_an_installed_package_is_found_in_the_share_folder_of_its_prefix(repository: Path, tmp_path: Path) -> None:
    mesh = touch(tmp_path / "install/share/robot/meshes/a.stl")
    environment = {"AMENT_PREFIX_PATH": str(tmp_path / "install")}
    assert find("package://robot/meshes/a.stl", repository / "m.sdf", environment=environment) == mesh


FUEL = "https://fuel.gazebosim.org/1.0"


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        (f"{FUEL}/openrobotics/models/crate/3/files/a.stl", "3/a.stl"),
        (f"{FUEL}/OpenRobotics/models/Crate/3/files/a.stl", "3/a.stl"),
        (f"{FUEL}/openrobotics/models/crate/tip/files/a.stl", "12/a.stl"),
        (f"{FUEL}/openrobotics/models/crate/files/a.stl", "12/a.stl"),
    ],
)
def test_fuel_uris_are_looked_up_in_the_local_cache(tmp_path: Path, repository: Path, uri: str, place: str) -> None:
    model = tmp_path / "cache/fuel.gazebosim.org/openrobotics/models/crate"
    for version in ("3", "9", "12"):
        touch(model / version / "a.stl")
    assert find(uri, repository / "m.sdf", environment={"GZ_FUEL_CACHE_PATH": str(tmp_path / "cache")}) == model / place


def test_the_fuel_cache_is_in_the_home_directory_by_default(tmp_path: Path, repository: Path) -> None:
    model = tmp_path / "home/.gz/fuel/fuel.gazebosim.org/openrobotics/models/crate/1"
    touch(model / "model.sdf", "<sdf><model name='crate'/></sdf>")
    touch(model / "model.config", "<model><sdf version='1.6'>model.sdf</sdf></model>")
    found = find(f"{FUEL}/OpenRobotics/models/Crate", repository / "m.sdf", want_model=True)
    assert found == model / "model.sdf"


def test_a_fuel_uri_that_is_not_cached_is_an_error_and_nothing_is_downloaded(repository: Path) -> None:
    with pytest.raises(ResourceError, match="cache"):
        find(f"{FUEL}/openrobotics/models/crate", repository / "m.sdf", want_model=True)


@pytest.mark.parametrize("uri", ["ftp://a/b", "data://x", "xyz://robot/a.stl"])
def test_other_schemes_are_refused_by_name(repository: Path, uri: str) -> None:
    with pytest.raises(ResourceError, match=uri.partition(":")[0]):
        find(uri, repository / "m.sdf")


# Models ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "chosen"),
    [
        ("<sdf version='1.6'>b.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.4'>a.sdf</sdf><sdf version='1.6'>b.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.6'>b.sdf</sdf><sdf version='1.4'>a.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.9'>a.sdf</sdf><sdf version='1.10'>b.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.10'>b.sdf</sdf><sdf version='1.99'>a.sdf</sdf>", "b.sdf"),
        ("<sdf>b.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.6'> b.sdf\n</sdf>", "b.sdf"),
        ("<sdf version='1.6'>b.sdf</sdf><!-- <sdf version='1.7'>a.sdf</sdf> -->", "b.sdf"),
    ],
)
def test_model_config_names_the_file_of_the_newest_supported_version(tmp_path: Path, entries: str, chosen: str) -> None:
    touch(tmp_path / "a.sdf")
    touch(tmp_path / "b.sdf")
    touch(tmp_path / "model.config", f"<?xml version='1.0'?>\n<model><name>x</name>{entries}</model>")
    assert model_file_of(str(tmp_path)) == str(tmp_path / chosen)


@pytest.mark.parametrize(
    "config",
    [
        None,
        "",
        "<model/>",
        "<model><sdf version='1.99'>a.sdf</sdf></model>",
        "<model><sdf>lost.sdf</sdf></model>",
        "<model>",
    ],
)
def test_a_directory_without_a_model_is_an_error(tmp_path: Path, config: str | None) -> None:
    touch(tmp_path / "a.sdf")
    if config is not None:
        touch(tmp_path / "model.config", config)
    with pytest.raises(ResourceError):
        model_file_of(str(tmp_path))


def test_an_include_may_name_a_file_as_well_as_a_directory(repository: Path) -> None:
    model = touch(repository / "robot/other.sdf", "<sdf><model name='x'/></sdf>")
    assert find("robot/other.sdf", repository / "m.sdf", want_model=True) == model


def test_a_file_is_read_once_by_whatever_path(repository: Path) -> None:
    file = touch(repository / "a.sdf", "<sdf><model name='x'/></sdf>")
    (repository / "link.sdf").symlink_to(file)
    resources = Resources(environment={})
    assert resources.open(str(file)) is resources.open(str(repository / "link.sdf"))


def test_a_file_that_cannot_be_read_or_is_no_sdf_is_an_error(repository: Path) -> None:
    with pytest.raises(ResourceError):
        Resources(environment={}).open(str(repository / "lost.sdf"))
    with pytest.raises(TextError):
        Resources(environment={}).open(str(touch(repository / "a.sdf", "<robot/>")))


def test_an_included_file_without_a_model_is_an_error(repository: Path) -> None:
    touch(repository / "a.sdf", "<sdf><world name='w'/></sdf>")
    text = b"<sdf>\n<include><uri>a.sdf</uri></include></sdf>"
    [include] = Document(text, str(repository / "m.sdf")).roots[0].children
    with pytest.raises(ResourceError) as caught:
        Resources(environment={}).load_include(include)
    assert caught.value.location == (str(repository / "m.sdf"), 2, 1)


# Confinement ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "uri", ["../outside/a.stl", "{outside}/a.stl", "file://{outside}/a.stl", "link/a.stl", "a.stl"]
)
def test_what_resolves_outside_the_confinement_is_refused(repository: Path, uri: str) -> None:
    outside = touch(repository.parent / "outside/a.stl").parent
    (repository / "link").symlink_to(outside)
    (repository / "a.stl").symlink_to(outside / "a.stl")
    uri = uri.format(outside=outside)
    assert find(uri, repository / "m.sdf").exists()
    with pytest.raises(ResourceError, match="outside"):
        find(uri, repository / "m.sdf", confine=repository)


def test_a_neighbour_whose_name_begins_alike_is_outside(repository: Path) -> None:
    touch(repository.parent / "repository2/a.stl")
    with pytest.raises(ResourceError, match="outside"):
        find("../repository2/a.stl", repository / "m.sdf", confine=repository)


def test_what_is_inside_the_confinement_is_found(repository: Path) -> None:
    mesh = touch(repository / "meshes/a.stl")
    assert find("../meshes/a.stl", repository / "robot/m.sdf", confine=repository) == mesh


@pytest.mark.parametrize("named", ["../../outside/model.sdf", "{outside}/model.sdf", "link.sdf"])
def test_a_model_config_does_not_lead_outside_the_confinement(repository: Path, named: str) -> None:
    outside = touch(repository.parent / "outside/model.sdf", "<sdf><model name='x'/></sdf>").parent
    touch(repository / "robot/model.config", f"<model><sdf>{named.format(outside=outside)}</sdf></model>")
    (repository / "robot/link.sdf").symlink_to(outside / "model.sdf")
    with pytest.raises(ResourceError, match="outside"):
        find("model://robot", repository / "m.sdf", confine=repository, want_model=True)


def test_ancestors_end_at_the_root_of_the_repository(repository: Path) -> None:
    (repository / "a/b").mkdir(parents=True)
    folders = [repository / "a/b", repository / "a", repository]
    assert ancestors_in_repository(str(repository / "a/b")) == [str(folder) for folder in folders]


def test_a_git_file_marks_a_repository_as_a_git_folder_does(tmp_path: Path) -> None:
    touch(tmp_path / "sub/.git", "gitdir: elsewhere")
    (tmp_path / "sub/a").mkdir()
    assert ancestors_in_repository(str(tmp_path / "sub/a")) == [str(tmp_path / "sub/a"), str(tmp_path / "sub")]
