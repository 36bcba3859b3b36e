"""A collision or visual of a primitive is matched whole, and is to every reader what its elements say."""

from collections.abc import Callable
from typing import Any

import pytest
from builders.trees import tree

from sdfinertia.errors import SdfInertiaError, TextError
from sdfinertia.markup import text
from sdfinertia.markup.document import Document, Element, PlainSolid
from sdfinertia.options import Options

SDF = '<sdf version="1.11"><model name="m"><link name="l">{}</link></model></sdf>'
URDF = '<robot name="r"><link name="l">{}</link></robot>'

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
ROD = "<geometry><cylinder><radius>1</radius> <length>2</length></cylinder></geometry>"

PLAIN = {
    "box": f'<collision name="c"><pose>1 2 3 0.1 0.2 0.3</pose>{BOX}</collision>',
    "on lines": '<collision name="c">\n <geometry>\n <sphere><radius> 2 </radius></sphere>\n</geometry></collision>',
    "cylinder": f"<visual name='v'><pose></pose>{ROD}</visual>",
    "URDF": '<collision ><origin xyz="0 0 1" rpy="0 0 0" /><geometry><box size="1 2 3"/></geometry></collision>',
    "no pose": '<visual><geometry><cylinder radius="1" length="2"/></geometry></visual>',
    "a length of a box": "<collision><geometry><box><size>1 2 3</size><length>1</length></box></geometry></collision>",
    "no length": "<collision><geometry><cylinder><radius>1</radius></cylinder></geometry></collision>",
    "a radius of a box": "<collision><geometry><box><radius>1</radius></box></geometry></collision>",
    "two numbers": "<collision><geometry><sphere><radius>1 2</radius></sphere></geometry></collision>",
    "no number": "<collision><pose>1 2</pose><geometry><sphere><radius>-</radius></sphere></geometry></collision>",
    "no size": '<collision><pose>0 0 0 0 0 9</pose><geometry><box size=""/></geometry></collision>',
    "both": '<collision><origin rpy="9 0 0"/><geometry><box><size>1 2 3e400</size></box></geometry></collision>',
}
OTHERS = {
    "a density": "<collision><density>1</density><geometry><box><size>1 2 3</size></box></geometry></collision>",
    "a surface": "<collision><geometry><box><size>1 2 3</size></box></geometry><surface/></collision>",
    "two shapes": '<collision><geometry><box size="1 2 3"/><box size="1 2 3"/></geometry></collision>',
    "a comment": '<collision><!-- sdfinertia: density=2 --><geometry><box size="1 2 3"/></geometry></collision>',
    "a frame": f'<collision><pose relative_to="x">0 0 0 0 0 0</pose>{BOX}</collision>',
    "a mesh": '<collision><geometry><mesh filename="a.stl"/></geometry></collision>',
    "another end": '<collision><geometry><box size="1 2 3"/></geometry></visual>',
}


def solid_of(solid: str, around: str = SDF) -> Element:
    element = Document(around.format(solid).encode(), "model").roots[0]
    while element.name not in ("collision", "visual"):
        element = element.children[0]
    return element


def _described(element: Element) -> dict[str, Any]:
    children = {name: element.child(name) for name in ("pose", "origin", "geometry", "density", "material")}
    return {
        "children": {name: child and tree(child) for name, child in children.items()},
        "names": element.child_names(),
        "comments": list(element.comments()),
        "tree": tree(element),
    }


def each_way(monkeypatch: pytest.MonkeyPatch, look: Callable[[], Any]) -> tuple[Any, Any]:
    """What comes of it where solids are matched whole, and where they are read element by element."""
    found = []
    for pays in (-1, 10**9):
        monkeypatch.setattr(text, "_SOLIDS_THAT_PAY", pays)
        found.append(look())
    return found[0], found[1]


@pytest.mark.parametrize("solid", PLAIN.values(), ids=PLAIN)
def test_a_primitive_is_matched_whole_and_its_elements_are_those_of_the_file(solid, monkeypatch):
    whole, apart = each_way(monkeypatch, lambda: solid_of(solid))
    assert isinstance(whole, PlainSolid)
    assert not isinstance(apart, PlainSolid)
    assert _described(whole) == _described(apart)


@pytest.mark.parametrize("solid", list(OTHERS.values())[:-1], ids=list(OTHERS)[:-1])
def test_any_other_is_read_element_by_element(solid, monkeypatch):
    assert not isinstance(each_way(monkeypatch, lambda: solid_of(solid))[0], PlainSolid)


def _judged(content: str) -> list[object]:
    """What is found in a file, and what filling it comes to."""
    from sdfinertia.documents.checking import check
    from sdfinertia.documents.filling import fill

    try:
        filled = fill(content.encode(), Options(all=True, missing=True, keep_going=True), filename="model.sdf")
        outcome: object = filled.content, [(each.status, each.remarks, str(each.error)) for each in filled.links]
    except SdfInertiaError as error:
        outcome = str(error)
    return [*map(str, check(content.encode(), Options(select=("ALL",)), filename="model.sdf")), outcome]


@pytest.mark.parametrize("around", [SDF, URDF], ids=["SDF", "URDF"])
@pytest.mark.parametrize("solid", [*PLAIN.values(), *OTHERS.values()], ids=[*PLAIN, *OTHERS])
def test_it_is_judged_and_filled_alike(solid, around, monkeypatch):
    whole, apart = each_way(monkeypatch, lambda: _judged(around.format(solid)))
    assert whole == apart


@pytest.mark.parametrize(
    "solid",
    [
        '<collision name="a" name="b"><geometry><box size="1 2 3"/></geometry></collision>',
        '<collision><origin xyz="0" xyz="0"/><geometry><box size="1 2 3"/></geometry></collision>',
        '<collision><geometry><box size="1 2 3" size="1"/></geometry></collision>',
    ],
)
def test_an_attribute_given_twice_is_refused_alike(solid, monkeypatch):
    def refusal() -> str:
        with pytest.raises(TextError, match="gives an attribute twice") as caught:
            solid_of(solid, URDF)
        return str(caught.value)

    whole, apart = each_way(monkeypatch, refusal)
    assert whole == apart
