"""The text of one `<inertial>`, read as in a file of its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.documents.opened import described
from sdfinertia.errors import FrameError, SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup.document import Document, Element

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.link import Link

# A file of each format with a link of that one element; of a version that has all of its forms.
_FILES = {
    "SDF": '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>',
    "URDF": '<robot name="m" version="1.2"><link name="l">{}</link></robot>',
    "MJCF": '<mujoco><worldbody><body name="l">{}</body></worldbody></mujoco>',
}
# Of MJCF: their meaning depends on the <compiler> of the file.
_ANGLES = ("euler", "axisangle")


def body_of(text: str, title: str) -> SpatialInertia:
    """The body that an `<inertial>` of a format describes, in the frame of its link.

    Raises:
        SdfInertiaError: it is none, lacks or repeats values, or depends on its file.
    """
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
    """Refuses attributes whose meaning depends on the whole file."""
    pose = inertial.child("pose")
    frame = (pose.attribute("relative_to") or pose.attribute("frame")) if pose is not None else None
    if frame:
        raise FrameError(f"the <pose> is relative to {frame!r}, which is not known here", remedy="read the whole file")
    for name in _ANGLES:
        if inertial.attribute(name) is not None:
            problem = f"{name} depends on the <compiler> of its file, which is not known"
            raise ValueTextError(problem, remedy="write quat")
