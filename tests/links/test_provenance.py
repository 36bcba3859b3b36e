import re
from pathlib import Path

import pytest
from builders.documents import AUTO, BOX, collision
from builders.meshes import CORNERS, SIDES, cube, joined, obj

from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.inputs import Provenance
from sdfinertia.options import Options


def cube_obj(size: float = 1.0, form: str = "{:g}", end: str = "\n") -> str:
    points = ["v " + " ".join(map(form.format, corner)) for corner in size * CORNERS]
    return end.join([*points, *("f {} {} {}".format(*face) for face in SIDES + 1), ""])


def model(inertial: str, *collisions: str, more: str = "") -> str:
    return (
        f"<sdf version='1.11'>\n<model name='m'>\n<link name='l'>{inertial}\n" + "\n".join(collisions) + "</link>\n"
        f"{more}\n</model>\n</sdf>\n"
    )


def run(text: str | bytes, directory: Path | None = None, **options: object) -> FillResult:
    data = text.encode() if isinstance(text, str) else text
    return fill(data, Options(**options), filename=str((directory or Path("/nowhere")) / "m.sdf"))  # type: ignore[arg-type]


def managed(text: str, directory: Path | None = None, **options: object) -> str:
    """The text with its links filled, which must succeed and be stable without the options."""
    result = run(text, directory, **options)
    assert result.errors == ()
    assert result.changed
    again = run(result.content, directory)
    assert again.errors == ()
    assert again.content == result.content
    assert again.links == ()
    return result.content.decode()


def comment_of(text: str) -> str:
    [comment] = re.findall("<!-- sdfinertia: (.*?) -->", text)
    return str(comment)


def mass_of(text: str) -> float:
    [mass] = re.findall("<mass>(.*?)</mass>", text)
    return float(mass)


GIVEN = "<inertial auto='true'><mass>12</mass></inertial>"
DENSITY = "<density>500</density>"
FORMS = {
    "density of the collision": (model(AUTO, collision(DENSITY + BOX)), {}, "", 3000),
    "density of the link": (model(f"<inertial auto='true'>{DENSITY}</inertial>", collision()), {}, "", 3000),
    "density by option": (model(AUTO, collision()), {"density": 500.0}, "density=500", 3000),
    "density by an option of many digits": (model(AUTO, collision()), {"density": 0.1 + 0.2}, None, 1.8),
    "a tiny density by option": (model(AUTO, collision()), {"density": 1e-7}, "density=1e-07", 6e-7),
    "an option that is not needed": (model(AUTO, collision(DENSITY + BOX)), {"density": 7.0}, "", 3000),
    "default density": (model(AUTO, collision()), {}, "", 6000),
    "the default density by option": (model(AUTO, collision()), {"density": 1000.0}, "density=1000", 6000),
    "blank density": (model(AUTO, collision("<density/>" + BOX)), {"density": 7.0}, "", 6000),
    "mass": (model(GIVEN, collision()), {}, "mass=given", 12),
    "mass and density": (model(GIVEN, collision(DENSITY + BOX)), {}, "mass=given", 12),
    "mass and densities": (
        model(GIVEN, collision(DENSITY + BOX), collision("<density>7</density><pose>5 0 0 0 0 0</pose>" + BOX, "d")),
        *({}, "mass=given", 12),
    ),
    "mass and density by option": (model(GIVEN, collision()), {"density": 500.0}, None, 12),
    "skip-unsupported": (
        model(AUTO, collision(), collision("<geometry><plane/></geometry>", "d")),
        *({"skip_unsupported": True}, "skip-unsupported=true", 6000),
    ),
    "skip-unsupported not needed": (model(AUTO, collision()), {"skip_unsupported": True}, "", 6000),
    "axes": (
        model(AUTO, collision("<pose>0 0 0 0.1 0.2 0.3</pose>" + BOX)),
        *({"axes": "principal"}, "axes=principal", 6000),
    ),
    "digits": (model(AUTO, collision("<density>0.12345678</density>" + BOX)), {"digits": 4}, "digits=4", 0.7407),
    "one digit of a turned box": (
        model(AUTO, collision("<pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>" + BOX)),
        *({"digits": 1}, "digits=1", 6000),
    ),
    "total mass": (model(AUTO, collision()), {"total_mass": 3.0}, "mass=given", 3),
    "several": (
        model(AUTO, collision(), collision("<geometry><empty/></geometry>", "d")),
        {"digits": 5, "density": 2.5, "axes": "principal", "skip_unsupported": True},
        "axes=principal density=2.5 digits=5 skip-unsupported=true",
        15,
    ),
    "missing": (model("", collision()), {"missing": True}, "", 6000),
}


@pytest.mark.parametrize(("text", "options", "recorded", "mass"), FORMS.values(), ids=FORMS.keys())
def test_a_filled_block_stands_for_itself_without_options(text, options, recorded, mass):
    filled = managed(text, **options)
    assert mass_of(filled) == pytest.approx(mass, rel=1e-11)
    match = re.fullmatch("(.*?) ?inputs=[0-9a-f]{12} values=[0-9a-f]{12}", comment_of(filled))
    assert match is not None
    if recorded is not None:
        assert match[1] == recorded


@pytest.mark.parametrize(("text", "options"), [form[:2] for form in FORMS.values()], ids=FORMS.keys())
def test_a_filled_block_refilled_from_itself_gives_the_same_bytes(text: str, options: dict[str, object]) -> None:
    filled = managed(text, **options)
    assert run(filled, all=True).content.decode() == filled
    assert run(filled.replace("<inertial>", "<inertial auto='true'>")).content.decode() == filled
    # An edited digit, overwritten, gives the block again, although the options are not given again.
    edited = filled.replace("<ixx>", "<ixx>9")
    assert run(edited, overwrite_edited=True).content.decode() == filled
    # So does a change of what it is computed from, taken back.
    changed = run(filled.replace("1 2 3<", "1 2 4<")).content.decode()
    assert changed != filled.replace("1 2 3<", "1 2 4<")
    assert run(changed.replace("1 2 4<", "1 2 3<")).content.decode() == filled


def test_options_of_a_later_run_do_not_touch_a_clean_block() -> None:
    filled = managed(model(AUTO, collision()))
    others = {"density": 5.0, "digits": 3, "axes": "principal", "overlaps": "union"}
    for options in ({name: value} for name, value in {**others, "require_density": False}.items()):
        assert run(filled, **options).content.decode() == filled


def test_provenance_decides_whether_a_mass_was_given() -> None:
    computed = managed(model(AUTO, collision()))
    given = managed(model("<inertial auto='true'><mass>6000</mass></inertial>", collision()))
    assert computed.replace(comment_of(computed), "") == given.replace(comment_of(given), "")
    grown = {
        name: run(text.replace("1 2 3", "1 2 6")).content.decode() for name, text in (("c", computed), ("g", given))
    }
    assert mass_of(grown["c"]) == 12000
    assert mass_of(grown["g"]) == 6000


CHAIN = (
    "<frame name='f' attached_to='g'><pose>1 0 0 0 0 0</pose></frame>"
    "<frame name='g' attached_to='l'><pose>0 1 0 0 0 0</pose></frame><frame name='h'><pose>7 7 7 0 0 0</pose></frame>"
)
SEVERAL = model(
    AUTO,
    collision("<density>100</density><pose relative_to='f'>0.25 0 0 0 0 0</pose>" + BOX),
    more=CHAIN
    + "<link name='k'><inertial auto='true'><density>7.5</density></inertial><collision name='c'><pose>0.5 0 0 0 0 0"
    "</pose><geometry><cylinder><radius>0.125</radius><length>4</length></cylinder></geometry></collision></link>"
    "<link name='p'><inertial auto='true'><mass>3</mass></inertial><collision name='c'><geometry><polyline>"
    "<point>0 0</point><point>2 0</point><point>0 2</point><height>5</height></polyline></geometry></collision></link>",
)

CHANGES = {
    "a dimension": ("1 2 3", "1 2 3.5", "m::l"),
    "a density of a collision": ("<density>100<", "<density>101<", "m::l"),
    "a pose of a collision": ("'f'>0.25 0 0", "'f'>0.26 0 0", "m::l"),
    "a rotation": ("'f'>0.25 0 0 0 0 0", "'f'>0.25 0 0 0 0 1", "m::l"),
    "the frame of a pose": ("relative_to='f'", "relative_to='g'", "m::l"),
    "a frame of the chain": ("<pose>1 0 0 0 0 0</pose>", "<pose>1 0 1 0 0 0</pose>", "m::l"),
    "a frame further up": ("<pose>0 1 0 0 0 0</pose>", "<pose degrees='true'>0 1 0 45 0 0</pose>", "m::l"),
    "the frame a frame is attached to": ("attached_to='g'", "attached_to='l'", "m::l"),
    "a radius": ("<radius>0.125<", "<radius>0.25<", "m::k"),
    "a length": ("<length>4<", "<length>4.5<", "m::k"),
    "a density of a link": ("<density>7.5<", "<density>7.25<", "m::k"),
    "a shape": ("cylinder>", "capsule>", "m::k"),
    "a point of a polyline": ("<point>2 0<", "<point>2 1<", "m::p"),
    "a height": ("<height>5<", "<height>6<", "m::p"),
}


@pytest.mark.parametrize(("old", "new", "link"), CHANGES.values(), ids=CHANGES.keys())
def test_a_change_refills_exactly_the_link_it_concerns(old: str, new: str, link: str) -> None:
    filled = managed(SEVERAL)
    assert old in filled
    changed = filled.replace(old, new)
    result = run(changed)
    assert [(one.name, one.status) for one in result.links] == [(link, "refilled")]
    # Only its block changed: what stands outside is as it was.
    assert re.sub("(?s)<inertial.*?</inertial>", "", result.content.decode()) == re.sub(
        "(?s)<inertial.*?</inertial>", "", changed
    )
    blocks = [re.findall("(?s)<inertial.*?</inertial>", text) for text in (changed, result.content.decode())]
    assert sum(before != after for before, after in zip(*blocks, strict=True)) == 1
    # Filled afresh it is the same, and once is enough.
    assert run(result.content).content == result.content
    left = run(changed, refresh=False)
    assert left.content.decode() == changed
    assert [(one.name, one.status) for one in left.links] == [(link, "stale")]


NO_CHANGES = {
    "a frame nobody uses": ("<pose>7 7 7 0 0 0</pose>", "<pose>8 7 7 0 0 0</pose>"),
    "a number written otherwise": ("<density>100<", "<density> 1.00e2 <"),
    "a dimension written otherwise": ("1 2 3", "1.0\n2. <!-- high --> +3"),
    "the name of a collision": ("<collision name='c'", "<collision name='other'"),
    "a visual": ("<link name='k'>", "<link name='k'><visual name='v'/>"),
    "a pose of the link": ("<link name='k'>", "<link name='k'><pose>1 2 3 0 0 0</pose>"),
    "line endings": ("\n", "\r\n"),
    "an attribute": ("<collision name=", "<collision gz:seen='1' name="),
    "a comment": ("</link>", "<!-- seen -- today --></link>"),
    "another link": ("<link name='k'>", "<link name='z'/><link name='k'>"),
    "the version": ("version='1.11'", "version='1.9'"),
    # The chain is another, the numbers are the same.
    "a frame in between": (
        "attached_to='g'><pose>1 0 0 0 0 0</pose>",
        "attached_to='g'><pose degrees='1'>1 0 0 0 0 0</pose>",
    ),
    "a frame that is not turned": (
        "<pose>0 1 0 0 0 0</pose>",
        "<pose rotation_format='quat_xyzw'>0 1 0 0 0 0 1</pose>",
    ),
    "a blank pose": ("<collision name='c'><geometry><poly", "<collision name='c'><pose/><geometry><poly"),
}


@pytest.mark.parametrize(("old", "new"), NO_CHANGES.values(), ids=NO_CHANGES.keys())
def test_what_does_not_shape_the_numbers_is_no_change(old: str, new: str) -> None:
    filled = managed(SEVERAL)
    assert old in filled
    changed = filled.replace(old, new)
    result = run(changed)
    assert result.content.decode() == changed
    assert result.links == ()


EDITS = {
    "a late digit": ("<ixx>6500<", "<ixx>6500.000001<"),
    "a digit of the tensor": ("<ixx>6500<", "<ixx>6501<"),
    "the mass": ("<mass>6000<", "<mass>6001<"),
    "the centre": ("<pose>0 0 0", "<pose>0.1 0 0"),
    "the rotation": ("<pose>0 0 0 0 0 0", "<pose>0 0 0 0 0 1"),
    "a product": ("<ixy>0<", "<ixy>1<"),
    "an element is gone": ("<iyz>0</iyz>", ""),
    "the mass is gone": ("<mass>6000</mass>", ""),
    "a word": ("<izz>2500<", "<izz>a<"),
    "an attribute of the pose": ("<pose>0", "<pose relative_to='x'>0"),
    "an empty element": ("<mass>6000</mass>", "<mass/>"),
}


@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=EDITS.keys())
def test_an_edit_by_hand_is_reported_and_kept_unless_asked_otherwise(old: str, new: str) -> None:
    filled = managed(model(AUTO, collision()))
    edited = filled.replace(old, new)
    assert edited != filled
    for options in ({}, {"all": True}, {"refresh": False}, {"density": 2.0}):
        result = run(edited, **options)
        assert result.content.decode() == edited
        assert [(link.name, link.status) for link in result.links] == [("m::l", "edited")]
        assert result.errors == ()
    mended = run(edited, overwrite_edited=True)
    assert mended.errors == ()
    assert run(mended.content).content == mended.content
    assert comment_of(mended.content.decode()) == comment_of(filled)
    for number in ("<mass>6000<", "<pose>0 0 0 0 0 0<", "<ixx>6500<", "<izz>2500<", "<iyz>0<"):
        assert number in mended.content.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<ixx>6500<", "<ixx> 6.5e3 <"),
        ("<mass>6000<", "<mass>6000.0<!-- kg --><"),
        ("<pose>0 0", "<pose>\n0.0 -0"),
        ("<ixy>0<", "<ixy>-0.0<"),
    ],
)
def test_a_number_written_otherwise_is_no_edit(old: str, new: str) -> None:
    text = managed(model(AUTO, collision())).replace(old, new)
    result = run(text)
    assert result.content.decode() == text
    assert result.links == ()


def test_an_edited_given_mass_is_an_edit_and_then_the_given_mass_and_what_is_stale_too_is_not_overwritten() -> None:
    filled = managed(model(GIVEN, collision()))
    edited = filled.replace("<mass>12<", "<mass>24<")
    assert [link.status for link in run(edited).links] == ["edited"]
    mended = run(edited, overwrite_edited=True).content.decode()
    assert "<mass>24</mass>" in mended
    assert "<ixx>26</ixx>" in mended
    filled = managed(model(AUTO, collision()))
    changed = filled.replace("1 2 3", "1 2 4").replace("<ixx>6500<", "<ixx>1<")
    assert run(changed).content.decode() == changed
    assert mass_of(run(changed, overwrite_edited=True).content.decode()) == 8000


BOTH = "inputs=0123456789ab values=0123456789ab"
DAMAGED = [
    *("inputs=zzz values=zzz", "inputs=0123456789ab", "values=0123456789ab", "", "inputs=a=b values=c=d"),
    *(f"density={text} {BOTH}" for text in ("abc", "-5", "nan", "inf")),
    *(f"digits={text} {BOTH}" for text in ("many", "99", "-1", "9" * 5000)),
    *(f"{words} {BOTH}" for words in ("axes=sideways", "skip-unsupported=perhaps", "unknown-option=7")),
    *(f"mass=perhaps {BOTH}", f"mass=given mass=given {BOTH}", f"{BOTH} inputs=0123456789ab"),
    *("inputs = 0123456789ab values = 0123456789ab", "INPUTS=0123456789ab VALUES=0123456789ab"),
    *("inputs=\udcff\udcfe values=0123456789ab", "ignore SDI301 because inputs=1 values=2"),
]


@pytest.mark.parametrize("damage", DAMAGED, ids=[item[:30] for item in DAMAGED])
@pytest.mark.parametrize(
    "options", [{}, {"all": True}, {"overwrite_edited": True}, {"all": True, "overwrite_edited": True}], ids=str
)
@pytest.mark.parametrize("auto", ["", " auto='true'"], ids=["managed", "auto"])
def test_a_damaged_provenance_comment_ends_in_a_result_or_one_clear_error(damage, options, auto):
    filled = managed(model(AUTO, collision())).replace("<inertial>", f"<inertial{auto}>")
    damaged = filled.replace(comment_of(filled), damage).encode("utf-8", "surrogateescape")
    try:
        result = run(damaged, **options)
    except SdfInertiaError as error:
        raise AssertionError("only the link is at fault, not the file") from error
    assert all(len(str(error)) < 600 for error in result.errors)
    if not result.errors:
        # Whatever it is now, it stays so.
        assert run(result.content, **options).content == result.content
        assert b"<izz>2500</izz>" in result.content
    else:
        assert result.content == damaged


@pytest.mark.parametrize(
    "damage",
    [
        *("", "inputs=0123456789ab", "values=0123456789ab", "inputs = 0123456789ab values = 0123456789ab"),
        *("nonsense", "not sdfinertia: inputs=0123456789ab values=0123456789ab"),
    ],
)
def test_a_block_with_a_comment_that_is_no_provenance_is_hand_written(damage: str) -> None:
    filled = managed(model(AUTO, collision()))
    damaged = filled.replace(comment_of(filled), damage).replace("<ixx>6500<", "<ixx>1<")
    result = run(damaged)
    assert result.content.decode() == damaged
    assert result.links == ()


def test_suppression_comments_are_no_provenance_and_stay() -> None:
    note = "<!-- sdfinertia: ignore SDI301 because it spins -->"
    filled = run(model(f"<inertial auto='true'>{note}</inertial>", collision())).content.decode()
    assert note in filled
    assert run(filled).content.decode() == filled
    assert note in run(filled.replace("1 2 3", "1 2 4")).content.decode()


@pytest.mark.parametrize(
    "hidden",
    [
        "<gz:x><!-- sdfinertia: inputs=0123456789ab values=0123456789ab --></gz:x>",
        "<![CDATA[<!-- sdfinertia: inputs=0123456789ab values=0123456789ab -->]]>",
        "<inertia><!-- sdfinertia: inputs=0123456789ab values=0123456789ab --></inertia>",
    ],
)
def test_only_a_comment_directly_in_the_block_is_provenance(hidden: str) -> None:
    text = model(f"<inertial>{hidden}<mass>7</mass></inertial>", collision())
    result = run(text)
    assert result.links == ()
    assert result.content.decode() == text


def test_a_comment_reads_back_as_what_it_was_written_from_and_no_name_of_a_method_ends_it() -> None:
    provenance = Provenance(True, {"digits": "4", "density": "2.5"}, ("shell", "voxel"), "0" * 12, "f" * 12)
    assert provenance.comment() == (
        "<!-- sdfinertia: mass=given density=2.5 digits=4 method=shell,voxel "
        "inputs=000000000000 values=ffffffffffff -->"
    )
    comment = Provenance(False, {}, ("calculator:a --> b",), "0" * 12, "f" * 12).comment()
    assert comment.count("--") == 2


# Meshes ---------------------------------------------------------------------------------------------------------------


def mesh_model(inside: str = "", name: str = "cube.obj") -> str:
    return model(
        AUTO,
        collision(f"<geometry><mesh><uri>{name}</uri>{inside}</mesh></geometry>"),
        more=f"<link name='k'>{AUTO}{collision()}</link>",
    )


def test_other_content_of_a_mesh_refills_its_link_and_another_place_with_the_same_content_does_not(tmp_path):
    (tmp_path / "cube.obj").write_text(cube_obj())
    filled = managed(mesh_model(), tmp_path)
    assert "<mass>1000</mass>" in filled
    (tmp_path / "cube.obj").write_text(cube_obj(2.0))
    result = run(filled, tmp_path)
    assert [(link.name, link.status) for link in result.links] == [("m::l", "refilled")]
    assert b"<mass>8000</mass>" in result.content
    (tmp_path / "cube.obj").write_text(cube_obj())
    filled = managed(mesh_model(), tmp_path)
    (tmp_path / "cube.obj").rename(tmp_path / "box.obj")
    moved = filled.replace("cube.obj", "box.obj")
    assert run(moved, tmp_path).content.decode() == moved


@pytest.mark.parametrize(
    ("form", "end", "more"),
    [("{:.6f}", "\n", ""), ("{:g}", "\r\n", ""), ("{:e}", "\n", "# exported again\n")],
    ids=["more digits", "line endings", "comment"],
)
def test_a_mesh_exported_again_with_the_same_numbers_is_no_change(tmp_path, form, end, more):
    (tmp_path / "cube.obj").write_text(cube_obj())
    filled = managed(mesh_model(), tmp_path)
    (tmp_path / "cube.obj").write_bytes((more + cube_obj(1.0, form, end)).encode())
    result = run(filled, tmp_path)
    assert result.links == ()
    assert result.content.decode() == filled


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<scale>1 1 2</scale>", "<scale>1 1 3</scale>"),
        ("<scale>1 1 2</scale>", "<scale>1 1 -2</scale>"),
        ("<scale>1 1 2</scale>", ""),
    ],
)
def test_another_scale_refills_exactly_its_link(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "cube.obj").write_text(cube_obj())
    filled = managed(mesh_model("<scale>1 1 2</scale>"), tmp_path)
    result = run(filled.replace(old, new), tmp_path)
    assert [(link.name, link.status) for link in result.links] == [("m::l", "refilled")]
    assert run(result.content, tmp_path).content == result.content


def test_a_managed_block_whose_mesh_is_gone_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / "cube.obj").write_text(cube_obj())
    filled = managed(mesh_model(), tmp_path)
    (tmp_path / "cube.obj").unlink()
    result = run(filled, tmp_path)
    assert len(result.errors) == 1
    assert "cube.obj" in str(result.errors[0])
    assert result.content.decode() == filled


def test_another_method_of_a_mesh_refills_its_link_if_the_numbers_differ(tmp_path: Path) -> None:
    # Two cubes apart: their hull is more than they are.
    (tmp_path / "cube.obj").write_text(obj(joined(cube(), cube((4, 0, 0)))))
    filled = managed(mesh_model(), tmp_path)
    assert "<mass>2000</mass>" in filled
    for old, new in (
        ("<mesh>", "<mesh optimization='convex_hull'>"),
        (
            "<collision name='c'><geometry><mesh>",
            "<collision name='c'><auto_inertia_params><sdfinertia:method>convex_hull</sdfinertia:method>"
            "</auto_inertia_params><geometry><mesh>",
        ),
    ):
        result = run(filled.replace(old, new), tmp_path)
        assert [(link.name, link.status) for link in result.links] == [("m::l", "refilled")]
        assert b"<mass>5000</mass>" in result.content
