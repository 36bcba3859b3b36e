"""The frames that can be named in a model, nested, included and merged ones too; no include is opened in vain."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cached_property

from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import shorten
from sdfinertia.sdf.root import MODEL_FRAME, SdfRoot
from sdfinertia.sdf.values import read_boolean


class IncludedModel(NamedTuple):
    """The path tells one file from another."""

    root: SdfRoot
    element: Element
    path: str


LoadInclude = Callable[[Element], IncludedModel]


class Frame(NamedTuple):
    """A named frame of a scope, its pose unread.

    Attributes:
        frame_attribute: of poses in its version of SDFormat.
        default: the frame its pose is relative to where it does not say.
        model_frame: what `__model__` means to it: for a merged frame that of the included model.
        nested: the scope inside, if it is a model; `placement_frame` is looked up there.
        lacks_pose: whether it is an include with a placement frame and no pose.
    """

    element: Element
    frame_attribute: str
    pose_element: Element | None
    default: str
    model_frame: str = MODEL_FRAME
    nested: FrameScope | None = None
    placement_frame: str = ""
    lacks_pose: bool = False


class _Include(NamedTuple):
    """An `<include>` that was not opened yet, and the files on the way to it."""

    frame_attribute: str
    element: Element
    model_frame: str
    including: tuple[str, ...]


# Files that include each other manifold could stand for more models than there is memory.
MAX_INCLUDES = 1000
# Elements of these models, however often each file is included: some four seconds.
_MAX_ELEMENTS = 500_000


class IncludeBudget:
    """Limits the models included in one, at whatever depth."""

    def __init__(self) -> None:
        self._opened = self._elements = 0

    def take(self, include: Element) -> None:
        self._opened += 1
        if self._opened > MAX_INCLUDES:
            raise ResourceError(
                f"more than {MAX_INCLUDES:,} models are included in one, this one among them",
                location=include.location(),
                remedy="look whether included files take each other several times over, or put their links in one file",
            )

    def take_elements(self, include: Element, model: Element) -> None:
        self._elements += len(model.children)
        if self._elements > _MAX_ELEMENTS:
            raise ResourceError(
                f"the included models have more than {_MAX_ELEMENTS:,} links, joints and frames",
                location=include.location(),
                remedy="include large models less often",
            )


class FrameScope:
    """The frames that can be named inside one model."""

    def __init__(
        self,
        model: Element,
        frame_attribute: str,
        load_include: LoadInclude,
        including: tuple[str, ...] = (),
        budget: IncludeBudget | None = None,
    ) -> None:
        self._model = model
        self._frame_attribute = frame_attribute
        self.name = model.attribute("name") or ""
        self._load_include = load_include
        self._including = including
        self._budget = budget or IncludeBudget()
        # Of the includes not opened yet: those that were not looked at, those that say their name, and the others,
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
                # It matters only if the name is in no other.
                self._failed_includes.append(error)
        return self._frames[name]

    def declares(self, name: str) -> bool:
        """As far as includes were opened."""
        return name in self._frames

    @cached_property
    def _frames(self) -> dict[str, Frame]:
        frames: dict[str, Frame] = {}
        self._collect(frames, self._frame_attribute, self._model, MODEL_FRAME, self._including)
        return frames

    def _collect(
        self,
        frames: dict[str, Frame],
        attribute: str,
        model: Element,
        model_frame: str,
        including: tuple[str, ...],
    ) -> None:
        # A name is unique since SDFormat 1.7; before, a link went before all others of the same name.
        for kind in ("link", "model", "frame", "joint"):
            for element in model.children:
                if element.name == kind:
                    name = element.attribute("name") or ""
                    if name not in frames:
                        frames[name] = self._frame(kind, element, attribute, model_frame, including)
        for element in model.children:
            if element.name == "include":
                self._unread.append(_Include(attribute, element, model_frame, including))

    def _frame(
        self, kind: str, element: Element, attribute: str, model_frame: str, including: tuple[str, ...]
    ) -> Frame:
        default, nested, placement_frame = model_frame, None, ""
        if kind == "model":
            nested = FrameScope(element, attribute, self._load_include, including, self._budget)
            placement_frame = element.attribute("placement_frame") or ""
        elif kind == "frame":
            default = element.attribute("attached_to") or model_frame
        elif kind == "joint":
            default = element.child_text("child")
        return Frame(element, attribute, element.child("pose"), default, model_frame, nested, placement_frame)

    def _include_for(self, name: str) -> _Include | None:
        """An include named so, else one that is merged or whose name is not known."""
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
        name = name_of_include(include, included)
        pose_element = include.child("pose")
        placement_frame = include.child_text("placement_frame")
        lacks_pose = bool(placement_frame) and pose_element is None
        attribute = included.root.frame_attribute
        nested = FrameScope(included.element, attribute, self._load_include, including, self._budget)
        if pose_element is None:
            pose_element, frame_attribute = included.element.child("pose"), attribute
        frame = Frame(
            include,
            frame_attribute,
            pose_element,
            model_frame,
            model_frame,
            nested,
            placement_frame or included.element.attribute("placement_frame") or "",
            lacks_pose,
        )
        if is_merged(include):
            name = f"_merged__{name}__model__"
            # The frames of a file that was merged before have their names already, and keep them.
            if included.path not in self._merged:
                self._merged.add(included.path)
                self._collect(self._frames, attribute, included.element, name, including)
        self._frames.setdefault(name, frame)

    def unknown(self, name: str) -> SdfInertiaError:
        """Why a name was not found."""
        if self._failed_includes:
            # Whoever catches an error adds to it, and this one is raised for every name that is missing.
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
        # To compare each missing name with each known one is work for a file of some mistakes, not of thousands.
        self._guesses += 1
        if self._guesses > _MAX_GUESSES or len(self._frames) > _MAX_COMPARED or len(name) > _LONGEST_COMPARED:
            return []
        # Loaded where something is missing.
        from difflib import get_close_matches

        names = [known for known in (*self._frames, *self._named) if known and len(known) <= _LONGEST_COMPARED]
        return get_close_matches(name, names, n=1, cutoff=_ALIKE)


# Names that share three quarters of their letters are slips of each other more often than not: `front_axl`, `whel_fl`.
_ALIKE = 0.75
_MAX_GUESSES, _MAX_COMPARED, _LONGEST_COMPARED = 20, 2000, 80


def is_merged(include: Element) -> bool:
    return read_boolean(include.attribute("merge") or "", "the attribute merge", include, default=False)


def name_of_include(include: Element, included: IncludedModel) -> str:
    return include.child_text("name") or included.element.attribute("name") or ""
