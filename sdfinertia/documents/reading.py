"""Text as a robot, in the format of its root element; other content is named."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import FrameError, Location, SdfInertiaError, TemplateError, TextError, ValueTextError
from sdfinertia.markup.document import Document, Element
from sdfinertia.robot.names import SDF_SUFFIXES, URDF_SUFFIXES

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.robot import Robot


class Format(NamedTuple):
    """A format of robot descriptions; `module` has its class `Robot`, `has_parts` if one may be several files."""

    title: str
    suffixes: tuple[str, ...]
    module: str
    has_parts: bool = False


# The formats by root element; the module of each is loaded with the first file of it.
FORMATS = {
    "sdf": Format("SDF", SDF_SUFFIXES, "sdfinertia.sdf.robot"),
    "robot": Format("URDF", URDF_SUFFIXES, "sdfinertia.urdf.robot"),
    "mujoco": Format("MJCF", (), "sdfinertia.mjcf.robot", has_parts=True),
}

# Other contents that are robot descriptions: by root element, else by the first bytes.
_OTHER_ROOTS = {
    "COLLADA": ("a COLLADA mesh", "rename it to .dae, and try `sdfinertia mesh`"),
    "launch": ("a ROS launch file", "give the robot description that it loads"),
    "package": ("a ROS package manifest", "give its directory"),
    "model": ("SDF without its <sdf> element, or a model.config", 'write <sdf version="1.9"> around it'),
    "world": ("SDF without its <sdf> element", 'write <sdf version="1.9"> around it'),
    "html": ("a web page (HTML)", "download the file itself"),
}
_OTHER_STARTS = (
    (b"#usda", "USD", "convert it to SDF or URDF first"),
    (b"PXR-USDC", "binary USD", "convert it to SDF or URDF first"),
    (b"PK\x03\x04", "a ZIP archive", "unpack it first"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"<!doctype html", "a web page (HTML)", "download the file itself"),
    (b"version https://git-lfs", "a Git LFS pointer", "fetch the file with Git LFS (`git lfs pull`)"),
)
# Where the engines of templates put values: Jinja and its like, xacro and Empy's like, ERB.
_TEMPLATE_MARKS = (b"{{", b"${", b"<%")


def described(document: Document, confine: str | None = None) -> Robot:
    """In the format of the first known root element; parts outside `confine` are not read."""
    found = None
    for root in document.roots:
        found = found or FORMATS.get(root.name)
    if found is None:
        raise _no_known_root(document)
    read = import_module(found.module).Robot
    robot: Robot = read(document, confine) if found.has_parts else read(document)
    name = document.path.lower()
    if not name.endswith(found.suffixes):
        other = next((each for each in FORMATS.values() if name.endswith(each.suffixes)), None)
        if other is not None:
            robot.notes.append(f"is read as {found.title}, by its root element, although its name says {other.title}")
    return robot


def _no_known_root(document: Document) -> TextError:
    location = document.location(0)
    if not document.data.strip():
        return TextError("the file is empty: there is no <sdf>, <robot> or <mujoco> root element", location=location)
    if any(root.name == "mujocoinclude" for root in document.roots):
        raise TemplateError(
            "the file is part of an MJCF model, and is read through the files that include it",
            location=location,
            remedy="name one of those",
        )
    root = next((root.name for root in document.roots if root.name in _OTHER_ROOTS), None)
    if root is None:
        # The name of any other is not quoted: the file may be confidential.
        return TextError("there is no <sdf>, <robot> or <mujoco> root element", location=location)
    title, remedy = _OTHER_ROOTS[root]
    return TextError(
        f"is {title} (<{root}>), not SDF (<sdf>), URDF (<robot>) or MJCF (<mujoco>)", location=location, remedy=remedy
    )


def refuse_other(data: bytes, path: str, place: Location | None) -> None:
    """Says what content is that no parser reads, where its first bytes tell, or a template's marks."""
    other = next((each for each in _OTHER_STARTS if data[:64].lstrip().lower().startswith(each[0].lower())), None)
    if other is not None:
        _, title, remedy = other
        raise TextError(f"is {title}, not SDF, URDF or MJCF", location=Location(path, 1, 1), remedy=remedy) from None
    has_root = any(b"<" + root.encode() in data for root in FORMATS)
    if not has_root and any(mark in data for mark in _TEMPLATE_MARKS):
        problem = "the file is part of a template: it has placeholders, and no <sdf>, <robot> or <mujoco> root element"
        remedy = "expand the template and use the result, or skip this file with --exclude"
        raise TemplateError(problem, location=place, remedy=remedy) from None


# The text of one <inertial>, read as in a file of its format --------------------------------------------------------

# A file of each format with a link of that one element; of a version that has all of its forms.
_FILES = {
    "SDF": '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>',
    "URDF": '<robot name="m" version="1.2"><link name="l">{}</link></robot>',
    "MJCF": '<mujoco><worldbody><body name="l">{}</body></worldbody></mujoco>',
}
# Of MJCF: their meaning depends on the <compiler> of the file.
_ANGLES = ("euler", "axisangle")


def body_of(text: str, title: str) -> SpatialInertia:
    """The body that an `<inertial>` of a format describes, in the frame of its link."""
    if not isinstance(text, str):
        raise TextError(f"expected the text of an <inertial>, not a {type(text).__name__}")
    try:
        _require_inertial(Document(text.encode("utf-8", "surrogatepass"), "<inertial>"))
        document = Document(_FILES[title].format(text).encode("utf-8", "surrogatepass"), "<inertial>")
        [link] = [link for model in described(document).models() for link in model.all_links()]
        return _body(link)
    except SdfInertiaError as error:
        # Without the location, which is in the made-up file around the text.
        raise type(error)(error.problem, remedy=error.remedy) from None


def _require_inertial(document: Document) -> None:
    names = [root.name for root in document.roots]
    if names != ["inertial"]:
        found = f"<{names[0][:40]}>" if len(names) == 1 else f"{len(names)} elements"
        raise TextError(
            f"expected the text of an <inertial>, and found {found}",
            remedy="`sdfinertia.inertials` reads the links of a file",
        )


def _body(link: Link) -> SpatialInertia:
    if link.asks_to_be_filled():
        raise ValueTextError('the <inertial> has auto="true": its numbers are computed by `fill`')
    assert link.inertial is not None, "it was required"
    _refuse_dependence(link.inertial.element)
    # First: errors of reading name the element itself.
    written = link.written_inertia()
    assert written is not None, "it was required"
    problem = next(link.malformations(), None)
    if problem is not None:
        # Some messages go on from the name of the link.
        subject = "it " if problem.message.startswith(("has ", "gives ")) else ""
        raise ValueTextError(subject + problem.message, remedy=problem.remedy)
    return written.inertia


def _refuse_dependence(inertial: Element) -> None:
    pose = inertial.child("pose")
    frame = (pose.attribute("relative_to") or pose.attribute("frame")) if pose is not None else None
    if frame:
        raise FrameError(f"the <pose> is relative to {frame!r}, which is not known here", remedy="read the whole file")
    for name in _ANGLES:
        if inertial.attribute(name) is not None:
            problem = f"{name} depends on the <compiler> of its file, which is not known"
            raise ValueTextError(problem, remedy="write quat")
