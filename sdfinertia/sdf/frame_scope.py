"""The frames that can be named inside a model: its own, those of nested and included models, and merged ones.

Everything is looked up when it is asked for, never before: an include that nobody needs is never opened.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from sdfinertia.description.numbers import shorten
from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.model import SdfRoot
from sdfinertia.sdf.values import read_boolean

MODEL_FRAME = "__model__"


class IncludedModel(NamedTuple):
    """The model of an included file: its document, its `<model>`, and the path that tells one file from another."""

    root: SdfRoot
    element: Element
    path: str


LoadInclude = Callable[[Element], IncludedModel]


class Frame(NamedTuple):
    """A named frame of a scope before its pose is read.

    Attributes:
        root: the document whose version says how poses are written.
        default: the name of the frame its pose is relative to where it does not say.
        model_frame: what `__model__` means to it: a merged frame means the frame of the model it came in.
        nested: the scope inside, if it is a model; then `placement_frame` may name a frame in there.
        lacks_pose: whether it is an include that places a frame and does not say where.
    """

    element: Element
    root: SdfRoot
    pose_element: Element | None
    default: str
    model_frame: str = MODEL_FRAME
    nested: FrameScope | None = None
    placement_frame: str = ""
    lacks_pose: bool = False


class _Include(NamedTuple):
    """An `<include>` that was not opened yet: the document and model it stands in, and the files on the way there."""

    root: SdfRoot
    element: Element
    model_frame: str
    including: tuple[str, ...]


class FrameScope:
    """The frames that can be named inside one model.

    Args:
        root: the document the model stands in.
        model: the `<model>` element.
        name: the model's name, for messages.
        load_include: opens what an `<include>` names.
        including: paths of the files on the way here, so that a file that includes itself is noticed.
    """

    def __init__(
        self, root: SdfRoot, model: Element, name: str, load_include: LoadInclude, including: tuple[str, ...] = ()
    ) -> None:
        self._root = root
        self._model = model
        self.name = name
        self._load_include = load_include
        self._including = including
        self._unopened: list[_Include] = []
        self._failed_includes: list[SdfInertiaError] = []

    def locate(self, name: str) -> tuple[FrameScope, str, str]:
        """The scope that a name leads into, the name there, and what stood before it (`outer::inner::`, or nothing).

        Raises:
            FrameError: a model on the way does not exist.
        """
        scope, prefix = self, ""
        # SDFormat up to 1.7 flattened nested models into names such as a::b, so the whole name goes first.
        while "::" in name and name not in scope._frames:
            head, _, rest = name.partition("::")
            frame = scope._find(head)
            if frame is None or frame.nested is None or not rest:
                raise scope._unknown(name)
            scope, prefix, name = frame.nested, f"{prefix}{head}::", rest
        return scope, name, prefix

    def frame(self, name: str) -> Frame:
        """The frame of a name that leads into no other scope.

        Raises:
            FrameError: there is none.
            ResourceError: there may be one in an included file, but that cannot be found.
        """
        frame = self._find(name)
        if frame is None:
            raise self._unknown(name)
        return frame

    @cached_property
    def _frames(self) -> dict[str, Frame]:
        """The frames known so far by name: at first those of the model's own text."""
        frames: dict[str, Frame] = {}
        self._collect(frames, self._root, self._model, MODEL_FRAME, self._including)
        return frames

    def _collect(
        self, frames: dict[str, Frame], root: SdfRoot, model: Element, model_frame: str, including: tuple[str, ...]
    ) -> None:
        """Adds the frames of a model, this one's own or one merged into it."""
        # A name is unique since SDFormat 1.7; before, a link went before all others of the same name.
        for kind in ("link", "model", "frame", "joint"):
            for element in model.children:
                if element.name == kind:
                    name = element.attribute("name") or ""
                    if name not in frames:
                        frames[name] = self._frame(kind, element, root, model_frame, including)
        for element in model.children:
            if element.name == "include":
                self._unopened.append(_Include(root, element, model_frame, including))

    def _frame(self, kind: str, element: Element, root: SdfRoot, model_frame: str, including: tuple[str, ...]) -> Frame:
        default, nested, placement_frame = model_frame, None, ""
        if kind == "model":
            name = element.attribute("name") or ""
            nested = FrameScope(root, element, name, self._load_include, including)
            placement_frame = element.attribute("placement_frame") or ""
        elif kind == "frame":
            default = element.attribute("attached_to") or model_frame
        elif kind == "joint":
            child = element.child("child")
            default = child.text() if child is not None else ""
        return Frame(element, root, element.child("pose"), default, model_frame, nested, placement_frame)

    def _find(self, name: str) -> Frame | None:
        """The frame of that name; opens includes that may bring it, in order, until it turns up."""
        while name not in self._frames:
            include = self._include_for(name)
            if include is None:
                break
            self._unopened.remove(include)
            try:
                self._open(*include)
            except SdfInertiaError as error:
                # It matters only if the name is in no other.
                self._failed_includes.append(error)
        return self._frames.get(name)

    def _include_for(self, name: str) -> _Include | None:
        """An include that may bring a name: one that says so, else one that is merged or does not tell its name."""
        possible = [include for include in self._unopened if _may_bring(include.element, name)]
        certain = [
            include for include in possible if not is_merged(include.element) and _text_of(include.element, "name")
        ]
        return next(iter(certain or possible), None)

    def _open(self, root: SdfRoot, include: Element, model_frame: str, including: tuple[str, ...]) -> None:
        included = self._load_include(include)
        if included.path in including:
            raise FrameError("the included files include each other", location=include.location())
        including = (*including, included.path)
        own_name = included.element.attribute("name") or ""
        name = name_of_include(include, included)
        pose_element = include.child("pose")
        placement_frame = _text_of(include, "placement_frame")
        lacks_pose = bool(placement_frame) and pose_element is None
        if pose_element is None:
            pose_element, pose_root = included.element.child("pose"), included.root
        else:
            pose_root = root
        nested = FrameScope(included.root, included.element, own_name, self._load_include, including)
        frame = Frame(
            include,
            pose_root,
            pose_element,
            model_frame,
            model_frame,
            nested,
            placement_frame or included.element.attribute("placement_frame") or "",
            lacks_pose,
        )
        if is_merged(include):
            name = f"_merged__{name}__model__"
            self._collect(self._frames, included.root, included.element, name, including)
        self._frames.setdefault(name, frame)

    def _unknown(self, name: str) -> SdfInertiaError:
        if self._failed_includes:
            return self._failed_includes[0]
        problem = f"there is no frame {shorten(name)!r} in model {self.name!r}"
        return FrameError(problem, remedy=self._advice(name))

    def _advice(self, name: str) -> str:
        if name == self.name:
            return f"inside a model its own frame is called {MODEL_FRAME}"
        near = [known for known in self._frames if known.casefold() == name.casefold()]
        if near:
            return f"did you mean {near[0]!r}? Case counts"
        return ""


def _text_of(element: Element, name: str) -> str:
    child = element.child(name)
    return child.text() if child is not None else ""


def _may_bring(include: Element, name: str) -> bool:
    own_name = _text_of(include, "name")
    return is_merged(include) or not own_name or own_name == name


def is_merged(include: Element) -> bool:
    """Whether the frames of an included model become frames of the model that includes it."""
    return read_boolean(include.attribute("merge") or "", "the attribute merge", include, default=False)


def name_of_include(include: Element, included: IncludedModel) -> str:
    """The name that an included model has where it is included."""
    return _text_of(include, "name") or included.element.attribute("name") or ""
