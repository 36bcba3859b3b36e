"""The frames that can be named in a model, nested, included and merged ones too; no include is opened in vain."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.poses import Pose, PoseStep
from sdfinertia.sdf.root import MODEL_FRAME, IncludeBudget, IncludedModel, is_merged, name_of_include

LoadInclude = Callable[[Element], IncludedModel]

_UNREAD = PoseStep(Pose())


class Frame:
    """A named frame, and once its pose is read, its place in the tree of all frames.

    Attributes:
        model: the frame of the model that has it; None for the outermost model.
        frame_attribute: of its pose, by its version of SDFormat.
        model_frame: its `__model__`; for a merged frame that of the included model.
        scope: the names inside a model.
        above: the frame that its pose is relative to; itself until that is read.
        depth: number of frames above; negative where unknown.
        stop: the frame above at which its way up ends short of the root, by a fault or in a cycle.
        is_placed: whether, as a model, it hangs on the frame of its placement frame's pose.
    """

    __slots__ = (
        *("above", "depth", "element", "fault", "frame_attribute", "is_placed", "model", "model_frame", "name"),
        *("pose_element", "scope", "step", "stop"),
    )

    def __init__(
        self,
        model: Frame | None,
        name: str,
        element: Element,
        pose_element: Element | None = None,
        frame_attribute: str = "",
        model_frame: str = MODEL_FRAME,
    ) -> None:
        self.model = model
        self.name = name
        self.element = element
        self.pose_element = pose_element
        self.frame_attribute = frame_attribute
        self.model_frame = model_frame
        self.scope: FrameScope | None = None
        self.above = self
        self.step = _UNREAD
        self.depth = -1
        self.stop: Frame | None = None
        self.fault: SdfInertiaError | None = None
        self.is_placed = False

    @property
    def is_read(self) -> bool:
        return self.step is not _UNREAD

    @property
    def default(self) -> str:
        """The name of the frame that its pose is relative to where it does not say."""
        if self.element.name == "joint":
            return self.element.child_text("child")
        attached_to = self.element.attribute("attached_to") if self.element.name == "frame" else None
        return attached_to or self.model_frame

    @property
    def placement_frame(self) -> str:
        """The name inside it, if it is a model, of the frame that its pose is of; "" for its own."""
        if self.scope is None:
            return ""
        said = self.element.child_text("placement_frame") if self.element.name == "include" else ""
        return said or self.scope.model.attribute("placement_frame") or ""

    def full_name(self) -> str:
        names = [self.name]
        model = self.model
        while model is not None and model.model is not None:
            names.append(model.name)
            model = model.model
        return "::".join(reversed(names))


class _Include(NamedTuple):
    frame_attribute: str
    element: Element
    model_frame: str
    including: tuple[str, ...]


class FrameScope:
    """The frames that can be named inside one model.

    Attributes:
        own: the frame of the model.
    """

    def __init__(
        self,
        model: Element,
        frame_attribute: str,
        load_include: LoadInclude,
        including: tuple[str, ...] = (),
        budget: IncludeBudget | None = None,
        own: Frame | None = None,
    ) -> None:
        self.model = model
        self.name = model.attribute("name") or ""
        self.own = own or Frame(None, MODEL_FRAME, model)
        self.own.scope = self
        self._frame_attribute = frame_attribute
        self._load_include = load_include
        self._including = including
        self._budget = budget or IncludeBudget()
        # Of the includes not opened yet: the unread ones, those that say their name, and the others,
        # which may bring any.
        self._unread: list[_Include] = []
        self._named: dict[str, deque[_Include]] = {}
        self._nameless: deque[_Include] = deque()
        self._merged: set[str] = set()
        self._failed_includes: list[SdfInertiaError] = []
        self._guesses = 0

    def frame(self, name: str) -> Frame | None:
        """The frame of a name without `::` that leads inside; includes that may bring it are opened until one does."""
        while name not in self._frames:
            include = self._include_for(name)
            if include is None:
                return None
            try:
                self._open(*include)
            except SdfInertiaError as error:
                # Raised only if no other include has the name.
                self._failed_includes.append(error)
        return self._frames[name]

    def declares(self, name: str) -> bool:
        return name in self._frames

    @cached_property
    def _frames(self) -> dict[str, Frame]:
        frames: dict[str, Frame] = {}
        self._collect(frames, self._frame_attribute, self.model, MODEL_FRAME, self._including)
        return frames

    def _collect(
        self, frames: dict[str, Frame], attribute: str, model: Element, model_frame: str, including: tuple[str, ...]
    ) -> None:
        # A name is unique since SDFormat 1.7; before, a link went before all others of the same name.
        for kind in ("link", "model", "frame", "joint"):
            for element in model.children_named(kind):
                name = element.attribute("name") or ""
                if name not in frames:
                    frames[name] = Frame(self.own, name, element, element.child("pose"), attribute, model_frame)
                    if kind == "model":
                        self._nest(frames[name], element, attribute, including)
        for element in model.children_named("include"):
            self._unread.append(_Include(attribute, element, model_frame, including))

    def _nest(self, own: Frame, model: Element, attribute: str, including: tuple[str, ...]) -> None:
        FrameScope(model, attribute, self._load_include, including, self._budget, own)

    def _include_for(self, name: str) -> _Include | None:
        for include in self._unread:
            try:
                own_name = "" if is_merged(include.element) else include.element.child_text("name")
            except SdfInertiaError as error:
                self._failed_includes.append(error)
                continue
            (self._named.setdefault(own_name, deque()) if own_name else self._nameless).append(include)
        self._unread = []
        waiting = self._named.get(name) or self._nameless
        return waiting.popleft() if waiting else None

    def _open(self, frame_attribute: str, include: Element, model_frame: str, including: tuple[str, ...]) -> None:
        self._budget.take(include)
        included = self._load_include(include)
        if included.path in including:
            raise FrameError("the included files include each other", location=include.location())
        self._budget.take_elements(include, included.element)
        including = (*including, included.path)
        attribute = included.root.frame_attribute
        name = name_of_include(include, included)
        if is_merged(include):
            name = f"_merged__{name}__model__"
        pose_element = include.child("pose")
        if pose_element is None:
            pose_element, frame_attribute = included.element.child("pose"), attribute
        frame = Frame(self.own, name, include, pose_element, frame_attribute, model_frame)
        self._nest(frame, included.element, attribute, including)
        # The frames of a file that was merged before have their names already, and keep them.
        if is_merged(include) and included.path not in self._merged:
            self._merged.add(included.path)
            self._collect(self._frames, attribute, included.element, name, including)
        self._frames.setdefault(name, frame)

    def unknown(self, name: str) -> SdfInertiaError:
        if self._failed_includes:
            # Handlers of an error add to it, and this one is raised for every missing name.
            return self._failed_includes[0].copied()
        problem = f"there is no frame {shorten(name)!r} in model {self.name!r}"
        return FrameError(problem, remedy=self._advice(name))

    def _advice(self, name: str) -> str:
        if name == self.name:
            return f"inside a model its own frame is called {MODEL_FRAME}"
        near = [known for known in self._frames if known.casefold() == name.casefold()]
        if near:
            return f"did you mean {near[0]!r}? Case counts"
        near = self._like(name)
        return f"did you mean {near[0]!r}?" if near else ""

    def _like(self, name: str) -> list[str]:
        # Comparing missing names with known ones pays for some mistakes, not for thousands.
        self._guesses += 1
        if self._guesses > _MAX_GUESSES or len(self._frames) > _MAX_COMPARED or len(name) > _LONGEST_COMPARED:
            return []

        names = [known for known in (*self._frames, *self._named) if known and len(known) <= _LONGEST_COMPARED]
        return get_close_matches(name, names, n=1, cutoff=_ALIKE)


# Names that share three quarters of their letters are slips of each other more often than not: `front_axl`, `whel_fl`.
_ALIKE = 0.75
_MAX_GUESSES, _MAX_COMPARED, _LONGEST_COMPARED = 20, 2000, 80
