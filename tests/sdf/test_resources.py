import os
from pathlib import Path

import pytest
from conftest import SEARCH_VARIABLES as VARIABLES

from sdfinertia.errors import ResourceError, TextError
from sdfinertia.files.finder import Finder
from sdfinertia.files.walk import ancestors_in_repository
from sdfinertia.markup import Document
from sdfinertia.sdf.root import find_model, load_include, model_file_of, open_root


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
    finder = Finder([str(path) for path in paths], confine and str(confine), environment or {})  # type: ignore[arg-type]
    return Path((find_model if more.get("want_model") else Finder.find)(finder, uri, str(containing)))


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


def test_a_uri_without_a_file_is_an_error_that_names_the_first_paths_tried(repository: Path) -> None:
    other = repository.parent / "other"
    other.mkdir()
    with pytest.raises(ResourceError) as caught:
        find("model://robot/a.stl", repository / "x/y/m.sdf", other, environment={"SDF_PATH": str(repository.parent)})
    message = str(caught.value)
    tried = ", ".join(str(folder / "robot/a.stl") for folder in (other, repository / "x/y", repository / "x"))
    # The repository and the variable; directories above the repository are none of its business.
    assert f"not found: model://robot/a.stl (tried {tried} and 2 more)" in message


@pytest.mark.parametrize("uri", ["model://Robot/Meshes/a.stl", "Robot/meshes/A.STL", "package://robot/meshes/A.stl"])
def test_a_near_match_of_another_case_is_named(repository: Path, uri: str) -> None:
    mesh = touch(repository / "robot/meshes/a.stl")
    with pytest.raises(ResourceError) as caught:
        find(uri, repository / "m.sdf")
    assert str(mesh) in str(caught.value)
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


def test_every_entry_of_a_variable_counts_and_resource_paths_are_searched_in_their_order(repository, tmp_path):
    first, second = touch(tmp_path / "1/robot/a.stl"), touch(tmp_path / "2/robot/a.stl")
    assert find("model://robot/a.stl", repository / "m.sdf", tmp_path / "1", tmp_path / "2") == first
    assert find("model://robot/a.stl", repository / "m.sdf", tmp_path / "2", tmp_path / "1") == second
    mesh = touch(tmp_path / "b/robot/a.stl")
    paths = f"{tmp_path / 'lost'}::{tmp_path / 'b'}:"
    assert find("model://robot/a.stl", repository / "m.sdf", environment={"GAZEBO_MODEL_PATH": paths}) == mesh
    with pytest.raises(ResourceError) as caught:
        find("model://robot/b.stl", repository / "m.sdf", environment={"GAZEBO_MODEL_PATH": paths})
    assert "lost" not in str(caught.value)


def test_a_package_is_found_by_the_name_in_its_package_xml(repository: Path, tmp_path: Path) -> None:
    mesh = touch(repository / "description/meshes/a.stl")
    touch(repository / "description/package.xml", "<package>\n<name> robot_description </name></package>")
    uri = "package://robot_description/meshes/a.stl"
    # From a file inside the package, from a folder beside it, and by a variable.
    assert find(uri, repository / "description/models/m.sdf") == mesh
    assert find(uri, repository / "worlds/w.sdf") == mesh
    assert find(uri, tmp_path / "w.sdf", environment={"ROS_PACKAGE_PATH": str(repository)}) == mesh
    assert find(uri, tmp_path / "w.sdf", environment={"ROS_PACKAGE_PATH": str(repository / "description")}) == mesh


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


def test_the_fuel_cache_is_in_the_home_directory_and_the_server_known_by_its_former_name(tmp_path, repository):
    model = tmp_path / "home/.gz/fuel/fuel.gazebosim.org/openrobotics/models/crate/1"
    touch(model / "model.sdf", "<sdf><model name='crate'/></sdf>")
    touch(model / "model.config", "<model><sdf version='1.6'>model.sdf</sdf></model>")
    found = find(f"{FUEL}/OpenRobotics/models/Crate", repository / "m.sdf", want_model=True)
    assert found == model / "model.sdf"
    mesh = touch(tmp_path / "cache/fuel.ignitionrobotics.org/openrobotics/models/crate/1/a.stl")
    uri = f"{FUEL}/OpenRobotics/models/Crate/1/files/a.stl"
    assert find(uri, repository / "m.sdf", environment={"GZ_FUEL_CACHE_PATH": str(tmp_path / "cache")}) == mesh


@pytest.mark.parametrize("server", ["", "fuel.gazebosim.org"])
@pytest.mark.parametrize("names", ["OpenRobotics/models/Wooden Crate", "openrobotics/models/wooden crate"])
def test_fuel_uris_are_looked_up_in_resource_paths_of_fuels_layout(tmp_path, repository, server, names):
    mesh = touch(tmp_path / "copies" / server / names / "2/meshes/a.stl")
    uri = f"{FUEL}/OpenRobotics/models/Wooden%20Crate/tip/files/meshes/a.stl"
    assert find(uri, repository / "m.sdf", tmp_path / "copies") == mesh
    with pytest.raises(ResourceError):
        find(uri.replace("tip", "3"), repository / "m.sdf", tmp_path / "copies")


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("OpenRobotics/models/Crate", "OpenRobotics/models/Crate"),
        ("OpenRobotics/models/Wooden%20Crate/3/files/a.stl", "OpenRobotics/models/Wooden%20Crate/3"),
        ("OpenRobotics/models/Crate/tip/files/meshes/a.stl", "OpenRobotics/models/Crate"),
    ],
)
def test_a_fuel_uri_that_is_not_there_comes_with_the_command_that_fetches_it(repository, path, url):
    with pytest.raises(ResourceError) as caught:
        find(f"{FUEL}/{path}", repository / "m.sdf", want_model=True)
    assert f"`gz fuel download -u {FUEL}/{url}`" in caught.value.remedy


def test_versions_in_a_fuel_cache_outside_the_confinement_are_not_listed(tmp_path: Path, repository: Path) -> None:
    model = tmp_path / "cache/fuel.gazebosim.org/openrobotics/models/crate"
    touch(model / "37/a.stl")
    environment = {"GZ_FUEL_CACHE_PATH": str(tmp_path / "cache")}
    with pytest.raises(ResourceError, match="outside") as caught:
        find(f"{FUEL}/a/models/b/files/a.stl", repository / "m.sdf", environment=environment, confine=repository)
    assert "37" not in str(caught.value).replace(str(tmp_path), "")


@pytest.mark.parametrize("scheme", ["models", "xyz", "ftp"])
def test_other_schemes_are_searched_as_gazebo_does(repository: Path, tmp_path: Path, scheme: str) -> None:
    uri = f"{scheme}://robot/a.stl"
    with pytest.raises(ResourceError, match=uri):
        find(uri, repository / "m.sdf")
    mesh = touch(tmp_path / "elsewhere/robot/a.stl")
    assert find(uri, repository / "m.sdf", mesh.parent.parent) == mesh
    assert find(uri, repository / "m.sdf", environment={"GAZEBO_MODEL_PATH": str(mesh.parent.parent)}) == mesh


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
        *(None, "", "<model/>", "<model><sdf version='1.99'>a.sdf</sdf></model>"),
        *("<model><sdf>lost.sdf</sdf></model>", "<model>"),
    ],
)
def test_a_directory_without_a_model_is_an_error(tmp_path: Path, config: str | None) -> None:
    touch(tmp_path / "a.sdf")
    if config is not None:
        touch(tmp_path / "model.config", config)
    with pytest.raises(ResourceError):
        model_file_of(str(tmp_path))


def test_a_file_is_read_once_by_whatever_path_and_an_error_where_it_is_no_sdf(repository: Path) -> None:
    file = touch(repository / "a.sdf", "<sdf><model name='x'/></sdf>")
    (repository / "link.sdf").symlink_to(file)
    finder = Finder(environment={})
    assert open_root(finder, str(file)) is open_root(finder, str(repository / "link.sdf"))
    with pytest.raises(ResourceError):
        open_root(Finder(environment={}), str(repository / "lost.sdf"))
    with pytest.raises(TextError):
        open_root(Finder(environment={}), str(touch(repository / "a.sdf", "<robot/>")))


def test_an_included_file_without_a_model_is_an_error(repository: Path) -> None:
    touch(repository / "a.sdf", "<sdf><world name='w'/></sdf>")
    text = b"<sdf>\n<include><uri>a.sdf</uri></include></sdf>"
    [include] = Document(text, str(repository / "m.sdf")).roots[0].children
    with pytest.raises(ResourceError) as caught:
        load_include(Finder(environment={}), include)
    assert caught.value.location == (str(repository / "m.sdf"), 2, 1)


# Confinement ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("git", ["folder", "file"])
def test_ancestors_end_at_the_root_of_the_repository(tmp_path: Path, git: str) -> None:
    top = tmp_path / "top"
    (top / "a/b").mkdir(parents=True)
    (top / ".git").mkdir() if git == "folder" else touch(top / ".git", "gitdir: elsewhere")
    assert ancestors_in_repository(str(top / "a/b")) == [str(top / "a/b"), str(top / "a"), str(top)]


# The index of the repository ------------------------------------------------------------------------------------------

URIS = ["model://robot/meshes/a.stl", "package://robot/meshes/a.stl", "models://robot/meshes/a.stl"]


@pytest.mark.parametrize("uri", URIS)
def test_a_directory_of_the_name_is_found_anywhere_in_the_repository(repository: Path, uri: str) -> None:
    mesh = touch(repository / "src/deep/models/robot/meshes/a.stl")
    assert find(uri, repository / "worlds/w.sdf") == mesh


@pytest.mark.parametrize("uri", URIS)
@pytest.mark.parametrize("config", ["package.xml", "model.config"])
def test_a_directory_is_found_by_the_name_in_its_package_xml_or_model_config(repository, uri, config):
    mesh = touch(repository / "src/deep/description/meshes/a.stl")
    touch(repository / "src/deep/description" / config, "<x><!-- --><name>robot</name></x>")
    assert find(uri, repository / "worlds/w.sdf") == mesh


def test_the_nearest_directory_that_holds_the_file_wins_and_one_of_the_name_before_its_model_config(repository):
    touch(repository / "src/robot_v2/a.stl", "2")
    touch(repository / "src/robot_v2/model.config", "<model><name>robot</name></model>")
    mesh = touch(repository / "src/deep/deeper/robot/a.stl", "1")
    assert find("model://robot/a.stl", repository / "worlds/w.sdf") == mesh
    touch(repository / "a/models/x/robot/a.stl", "1")
    near = touch(repository / "b/models/robot/a.stl", "2")
    touch(repository / "b/robot/other.stl", "3")
    finder = Finder(environment={})
    assert finder.find("model://robot/a.stl", str(repository / "b/worlds/w.sdf")) == str(near)
    assert finder.find("model://robot/a.stl", str(repository / "a/models/w.sdf")) != str(near)


def test_a_model_is_found_anywhere_in_the_repository_which_may_be_the_model_itself(repository: Path) -> None:
    mesh = touch(repository / "meshes/a.stl")
    assert find("model://repository/meshes/a.stl", repository / "urdf/m.sdf") == mesh
    model = touch(repository / "src/deep/robot/model.sdf", "<sdf><model name='x'/></sdf>")
    touch(repository / "src/deep/robot/model.config", "<model><name>Robot</name><sdf>model.sdf</sdf></model>")
    touch(repository / "src/robot/readme")
    assert find("model://robot", repository / "worlds/w.sdf", want_model=True) == model


def test_two_directories_equally_near_are_an_error_that_names_both_unless_they_are_copies(repository: Path) -> None:
    name = "meshes/a.stl"
    one, other = touch(repository / "a/robot" / name, "1"), touch(repository / "b/robot" / name, "2")
    with pytest.raises(ResourceError) as caught:
        find(f"model://robot/{name}", repository / "worlds/w.sdf")
    assert str(one) in caught.value.problem
    assert str(other) in caught.value.problem
    advice, _, folder = caught.value.remedy.partition(", for example --resource-path ")
    assert "--resource-path" in advice
    assert find(f"model://robot/{name}", repository / "worlds/w.sdf", Path(folder)) == one, "the remedy does not help"
    other.write_text("1")
    assert find(f"model://robot/{name}", repository / "worlds/w.sdf") == one


def test_copies_of_a_model_are_the_same_only_if_all_their_files_are(repository: Path) -> None:
    for place in ("a", "b"):
        touch(repository / place / "robot/model.config", "<model><sdf>model.sdf</sdf></model>")
        touch(repository / place / "robot/model.sdf", "<sdf><model name='x'/></sdf>")
        touch(repository / place / "robot/meshes/a.stl", "same")
    assert find("model://robot", repository / "w.sdf", want_model=True) == repository / "a/robot/model.sdf"
    touch(repository / "b/robot/meshes/a.stl", "else")
    with pytest.raises(ResourceError, match="is ambiguous"):
        find("model://robot", repository / "w.sdf", want_model=True)


@pytest.mark.parametrize("place", [".hidden", "build", "install", "ignored", "excluded/deep"])
def test_what_a_walk_leaves_out_is_left_out_of_the_index(repository: Path, place: str) -> None:
    touch(repository / ".gitignore", "ignored/\n")
    touch(repository / place / "x/robot/a.stl")
    finder = Finder(environment={}, exclude=["*/excluded"])
    with pytest.raises(ResourceError):
        finder.find("model://robot/a.stl", str(repository / "m.sdf"))


def test_what_lies_outside_the_repository_is_not_found(repository: Path, tmp_path: Path) -> None:
    touch(tmp_path / "src/deep/robot/a.stl")
    (repository / "link").symlink_to(tmp_path / "src")
    with pytest.raises(ResourceError):
        find("model://robot/a.stl", repository / "m.sdf")
    with pytest.raises(ResourceError):
        find("model://robot/a.stl", tmp_path / "m.sdf")


@pytest.mark.parametrize("uri", ["model://robot/../other/a.stl", "model://../deep/other/a.stl", "model:///a.stl"])
def test_a_name_leads_out_of_no_directory(repository: Path, uri: str) -> None:
    touch(repository / "src/deep/other/a.stl")
    touch(repository / "src/deep/robot/b.stl")
    with pytest.raises(ResourceError):
        find(uri, repository / "m.sdf")


def test_places_named_by_options_and_beside_the_file_go_before_the_index_and_variables_after(repository, tmp_path):
    variable = {"SDF_PATH": str(tmp_path / "variable")}
    touch(tmp_path / "variable/robot/a.stl")
    indexed = touch(repository / "src/deep/robot/a.stl")
    assert find("model://robot/a.stl", repository / "m.sdf", environment=variable) == indexed
    beside = touch(repository / "robot/a.stl")
    assert find("model://robot/a.stl", repository / "m.sdf", environment=variable) == beside


def test_the_repository_is_walked_once_and_only_when_something_is_missing(repository, monkeypatch):
    for i in range(20):
        touch(repository / f"src/r{i}/a.stl")
    touch(repository / "near/a.stl")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (listed.append(str(path)), scandir(path))[1])
    finder = Finder(environment={})
    finder.find("model://near/a.stl", str(repository / "m.sdf"))
    assert not listed
    for i in range(20):
        finder.find(f"model://r{i}/a.stl", str(repository / "worlds/w.sdf"))
    assert len(listed) == len(set(listed)) <= 25


def test_the_index_is_bounded_and_says_so_and_names_with_line_breaks_do_not_break_a_message(repository, monkeypatch):
    monkeypatch.setattr("sdfinertia.files.packages.MAX_DIRECTORIES", 3)
    for name in "abcde":
        touch(repository / f"{name}/deep/robot{name}/a.stl")
    with pytest.raises(ResourceError, match="the first 50,000 directories"):
        find("model://robota/a.stl", repository / "worlds/w.sdf")
    problem_of("model://ro\nbot/a\n.stl", repository / "m.sdf")


def test_a_note_says_once_a_file_what_a_simulator_needs(repository: Path) -> None:
    touch(repository / "src/deep/robot/a.stl")
    touch(repository / "src/deep/robot/b.stl")
    touch(repository / "other/arm/a.stl")
    touch(repository / "near/a.stl")
    touch(repository / "pkg/package.xml", "<package><name>hand</name></package>")
    touch(repository / "x/pkg/a.stl")
    touch(repository / "x/pkg/package.xml", "<package><name>finger</name></package>")
    finder = Finder(environment={})
    file = str(repository / "worlds/w.sdf")
    assert finder.notes_for(file) == ()
    finder.find("model://near/a.stl", file)
    assert finder.notes_for(file) == ()
    for uri in ("model://robot/a.stl", "model://robot/b.stl", "model://arm/a.stl", "package://finger/a.stl"):
        finder.find(uri, file)
        finder.find(uri, file)
    assert finder.notes_for(file) == (
        "model://robot/a.stl and 2 more are found by searching the repository; a simulator needs "
        "GZ_SIM_RESOURCE_PATH=src/deep:other (relative to the root of the repository)",
        "'finger' is x/pkg, by its model.config or package.xml; simulators need a directory of that name",
    )
    assert finder.notes_for(str(repository / "worlds/other.sdf")) == ()


CONFIG = "<model><name>robot</name><sdf>model.sdf</sdf></model>"
OF_OTHER_NAME = "by its model.config or package.xml; simulators need a directory of that name"


@pytest.mark.parametrize("is_repository", [True, False])
@pytest.mark.parametrize("file", ["model.sdf", "worlds/deep/w.sdf"])
def test_a_model_is_found_by_its_own_files_under_whatever_name_it_lies(tmp_path, is_repository, file):
    top = tmp_path / "downloads"
    (top / ".git" if is_repository else top).mkdir(parents=True)
    mesh = touch(top / "robot-1.2/meshes/a.stl")
    touch(top / "robot-1.2/model.config", CONFIG)
    model = touch(top / "robot-1.2/model.sdf")
    # In a repository by its name, but further off.
    touch(top / "far/off/robot/meshes/a.stl", "another")
    containing = str(top / "robot-1.2" / file)
    finder = Finder(environment={})
    assert finder.find("model://robot/meshes/a.stl", containing) == str(mesh)
    assert find_model(finder, "model://robot", containing) == str(model)
    where = "robot-1.2" if is_repository else top / "robot-1.2"
    assert finder.notes_for(containing) == (f"'robot' is {where}, {OF_OTHER_NAME}",)


@pytest.mark.parametrize("place", ["beside it", "given", "confined"])
def test_what_simulators_find_comes_before_a_name_in_model_config(tmp_path: Path, place: str) -> None:
    touch(tmp_path / "copies/mine/meshes/a.stl")
    touch(tmp_path / "copies/mine/model.config", CONFIG)
    containing = tmp_path / "copies/mine/model.sdf"
    if place == "confined":
        # Not even read where it lies outside.
        with pytest.raises(ResourceError):
            find("model://robot/meshes/a.stl", tmp_path / "copies/mine/in/m.sdf", confine=tmp_path / "copies/mine/in")
        return
    folder = tmp_path / ("copies" if place == "beside it" else "models")
    mesh = touch(folder / "robot/meshes/a.stl", "another")
    assert find("model://robot/meshes/a.stl", containing, *([folder] if place == "given" else [])) == mesh


def test_a_name_in_model_config_comes_before_the_variables(tmp_path: Path) -> None:
    mesh = touch(tmp_path / "mine/meshes/a.stl")
    touch(tmp_path / "mine/model.config", CONFIG)
    for name in ("robot", "other"):
        touch(tmp_path / "models" / name / "meshes/a.stl", "another")
    environment = {"GZ_SIM_RESOURCE_PATH": str(tmp_path / "models")}
    assert find("model://robot/meshes/a.stl", tmp_path / "mine/model.sdf", environment=environment) == mesh
    assert find("model://other/meshes/a.stl", tmp_path / "mine/model.sdf", environment=environment).exists()


def test_the_index_keeps_to_the_confinement_and_reads_no_package_xml_outside(repository: Path, tmp_path: Path) -> None:
    touch(repository / "other/deep/robot/a.stl")
    inside = touch(repository / "tree/deep/arm/a.stl")
    assert find("model://robot/a.stl", repository / "tree/worlds/w.sdf").exists()
    assert find("model://arm/a.stl", repository / "tree/worlds/w.sdf", confine=repository / "tree") == inside
    with pytest.raises(ResourceError):
        find("model://robot/a.stl", repository / "tree/worlds/w.sdf", confine=repository / "tree")
    secret = touch(tmp_path / "secret.xml", "<package><name>leg</name></package>")
    touch(repository / "description/a.stl")
    (repository / "description/package.xml").symlink_to(secret)
    assert find("package://leg/a.stl", repository / "m.sdf").exists()
    with pytest.raises(ResourceError):
        find("package://leg/a.stl", repository / "m.sdf", confine=repository)


# What is not found ----------------------------------------------------------------------------------------------------


def problem_of(uri: str, containing: Path, **more: object) -> ResourceError:
    with pytest.raises(ResourceError) as caught:
        find(uri, containing, **more)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("uri", "remedy"),
    [
        (
            "model://robot/a.stl",
            "give the directory that holds 'robot' with --resource-path or in GZ_SIM_RESOURCE_PATH",
        ),
        ("package://robot/a.stl", "give the directory that holds 'robot' with --resource-path or in ROS_PACKAGE_PATH"),
        ("a.stl", "correct the path, or give the directory that it starts from with --resource-path"),
    ],
)
def test_what_is_not_found_comes_on_one_line_with_the_remedy(repository: Path, uri: str, remedy: str) -> None:
    error = problem_of(uri, repository / "m.sdf")
    assert error.remedy == remedy
    assert "(tried " in error.problem


def test_a_model_config_of_another_name_is_named(repository: Path) -> None:
    touch(repository / "robot/model.sdf")
    touch(repository / "robot/model.config.in")
    error = problem_of("model://robot", repository / "m.sdf", want_model=True)
    assert "robot (has no model.config, but model.config.in)" in error.problem


def test_ros_package_path_is_crawled_for_packages_but_not_below_them(tmp_path: Path) -> None:
    for folder, name in (("deep/down/leg_v3", "leg"), ("deep/down/leg_v3/inner", "inner"), ("deep/shut/foot", "foot")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
        (tmp_path / folder / "a.stl").write_text("")
    (tmp_path / "deep" / "shut" / "CATKIN_IGNORE").write_text("")
    finder = Finder(environment={"ROS_PACKAGE_PATH": str(tmp_path)})
    for scheme in ("package", "model"):
        assert finder.find(f"{scheme}://leg/a.stl", "/nowhere/r.urdf") == str(tmp_path / "deep/down/leg_v3/a.stl")
    for name in ("inner", "foot"):
        with pytest.raises(ResourceError):
            finder.find(f"package://{name}/a.stl", "/nowhere/r.urdf")
    with pytest.raises(ResourceError):
        Finder(environment={"SDF_PATH": str(tmp_path)}).find("package://leg/a.stl", "/nowhere/r.urdf")
