import pytest

from sdfinertia.errors import SdfInertiaError, TextError, ValueTextError
from sdfinertia.links.context import Context
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, given
from sdfinertia.sdf import Robot
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.root import SdfRoot
from sdfinertia.sdf.values import read_density


def root_of(text: str) -> SdfRoot:
    return SdfRoot(Document(text.encode(), "m.sdf"))


def links_of(inside: str) -> list[Link]:
    robot = Robot(Document(f"<sdf version='1.11'>{inside}</sdf>".encode(), "m.sdf"))
    return [link for model in robot.models() for link in model.all_links()]


@pytest.mark.parametrize(
    ("inside", "names"),
    [
        ("<model name='m'><link name='a'/><link name='b'/></model>", ["m::a", "m::b"]),
        ("<world name='w'><model name='m'><link name='a'/></model></world>", ["m::a"]),
        ("<model name='m'><model name='n'><link name='a'/></model><link name='a'/></model>", ["m::a", "m::n::a"]),
        ("<model name=' m '><link name='\ta\n'/></model>", ["m::a"]),
        ("<model name='m'><link name='a'/></model><model name='n'><link name='b'/></model>", ["m::a", "n::b"]),
        # Look-alikes.
        ("<model name='m'><plugin><link name='a'/><model name='n'><link name='b'/></model></plugin></model>", []),
        ("<world name='w'><state><model name='m'><link name='a'/></model></state></world>", []),
        ("<world name='w'><plugin><model name='m'><link name='a'/></model></plugin></world>", []),
        ("<model name='m'><!-- <link name='a'/> --></model>", []),
        ("<model name='m'><![CDATA[<link name='a'/>]]></model>", []),
        ("<model name='m'><joint name='j'><link name='a'/></joint></model>", []),
        ("<model name='m'><include><link name='a'/></include></model>", []),
        ("<link name='a'/>", []),
        ("<world name='w'><link name='a'/></world>", []),
        ("<model name='m'><gz:link name='a'/></model>", []),
        ("<model name='m'><Link name='a'/></model>", []),
        ("<actor name='m'><link name='a'/></actor>", []),
        ("<model name='m'><link name='a'><link name='b'/></link></model>", ["m::a"]),
    ],
)
def test_a_link_is_a_child_of_a_model_and_nothing_else(inside: str, names: list[str]) -> None:
    assert sorted(link.scoped_name for link in links_of(inside)) == sorted(names)


@pytest.mark.parametrize(
    "inside",
    [
        "<sensor name='s'><contact><collision>c</collision></contact></sensor>",
        "<plugin><collision name='c'/><inertial auto='true'/></plugin>",
        "<!-- <inertial/> <collision name='c'/> -->",
        "<![CDATA[<inertial/><collision name='c'/>]]>",
        "<visual name='v'><inertial/><collision name='c'/></visual>",
        "<gz:inertial/><gz:collision/>",
    ],
)
def test_an_inertial_and_a_collision_are_children_of_a_link(inside: str) -> None:
    [link] = links_of(f"<model name='m'><link name='a'>{inside}</link></model>")
    assert link.inertial is None
    assert not link.has_solids(COLLISION)
    assert link.solids(COLLISION) == []


def test_of_repeated_elements_the_first_counts() -> None:
    [link] = links_of(
        "<model name='m'><link name='a'><inertial auto='1'/><inertial auto='0'/><collision name='c'>"
        "<density>2</density><density>3</density><pose>1 0 0 0 0 0</pose><pose>2 0 0 0 0 0</pose>"
        "<auto_inertia_params><a/></auto_inertia_params><auto_inertia_params><b/></auto_inertia_params>"
        "</collision></link></model>"
    )
    assert link.inertial.element.attribute("auto") == "1"
    [collision] = link.solids(COLLISION)
    assert collision.density == 2.0
    assert collision.placement(Context(Options()))[0].steps[0].pose.numbers[0] == 1.0
    assert given(collision.parameters).others == (("a", ""),)


@pytest.mark.parametrize("version", ["1.2", "1.6", "1.7", "1.9", "1.10", "1.11", "1.12"])
def test_every_version_from_1_2_to_1_12_is_read_without_a_note(version: str) -> None:
    root = root_of(f"<sdf version=' {version} '/>")
    assert f"{root.version[0]}.{root.version[1]}" == version
    assert root.notes == []


@pytest.mark.parametrize(
    ("attribute", "said"),
    [
        *((attribute, "1.12") for attribute in ("", "version=''", "version='  '", "xmlns='x'")),
        *((f"version='{version}'", version) for version in ("1.13", "1.99", "2.0", "10.1")),
    ],
)
def test_a_missing_or_newer_version_is_read_as_1_12_with_a_note(attribute, said):
    root = root_of(f"<sdf {attribute}/>")
    assert root.version == (1, 12)
    [note] = root.notes
    assert said in note
    assert "1.12" in note


@pytest.mark.parametrize("version", ["1.0", "1.1", "0.9"])
def test_versions_older_than_1_2_are_refused_by_name(version: str) -> None:
    with pytest.raises(TextError) as caught:
        root_of(f"\n<sdf version='{version}'/>")
    assert version in caught.value.problem
    assert caught.value.location == ("m.sdf", 2, 1)


@pytest.mark.parametrize("version", ["one", "1,6", "1.x", "1.-2", "nan", "\uff11.\uff16", "1" * 10_000 + ".2"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(SdfInertiaError) as caught:
        root_of(f"<sdf version='{version}'/>")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["<robot name='r'/>", "<gazebo version='1.0'/>", "<model name='m'/>", "<SDF/>"])
def test_a_root_that_is_not_sdf_is_refused(text: str) -> None:
    with pytest.raises(TextError, match="<sdf>"):
        root_of(text)


@pytest.mark.parametrize(
    ("inside", "static"),
    [
        ("<static>true</static>", True),
        ("<static> 1 </static>", True),
        ("<static>TRUE</static>", True),
        ("<static>false</static><static>true</static>", False),
        ("<static/>", False),
        ("", False),
        ("<plugin><static>true</static></plugin>", False),
    ],
)
def test_a_model_is_static_if_it_says_so(inside: str, static: bool) -> None:
    [link] = links_of(f"<model name='m'><link name='a'/>{inside}</model>")
    assert link.is_static is static
    [nested] = links_of(f"<model name='m'>{inside}<model name='n'><link name='a'/></model></model>")
    assert nested.is_static is static
    [link] = links_of("<model name='m'><static>yes</static><link name='a'/></model>")
    with pytest.raises(ValueTextError, match="static"):
        _ = link.is_static


def test_links_of_a_model_and_collisions_of_a_link_with_the_same_name_are_told() -> None:
    links = links_of("<model name='m'><link name='a'/><link name=' a'/><link name='b'/></model>")
    assert [link.naming is not None for link in links] == [True, True, False]
    # Names are scoped: another model may use them again.
    links = links_of("<model name='m'><link name='a'/><model name='n'><link name='a'/></model></model>")
    assert all(link.naming is None for link in links)
    [link] = links_of("<model name='m'><link name='a'><collision name='c'/><collision name='c '/></link></model>")
    with pytest.raises(ValueTextError, match="'c'"):
        link.solids(COLLISION)


@pytest.mark.parametrize(
    ("text", "density"),
    [
        *(
            *[("7850", 7850.0), (" 7.85e3\n", 7850.0), ("0", 0.0), ("", 1000.0)],
            *[("  ", 1000.0), ("<!-- steel -->", 1000.0)],
        ),
        *((text, None) for text in ("-1", "nan", "inf", "-inf", "7850 kg/m3", "1,2", "1 2", "1e999")),
    ],
)
def test_a_blank_density_counts_as_1000_given_and_one_that_is_none_is_an_error(text, density):
    element = Document(f"<sdf><density>{text}</density></sdf>".encode(), "m.sdf").roots[0].children[0]
    if density is None:
        with pytest.raises(ValueTextError, match="<density>"):
            read_density(element)
    else:
        assert read_density(element) == density
