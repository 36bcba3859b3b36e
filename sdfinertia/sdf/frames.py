"""The frames that can be named in a model, nested, included and merged ones too, and the poses between them.

Frames are nodes of one tree. Each hangs on the frame that its pose is relative to, up to `__model__`. A nested model
hangs by its `placement_frame`: the frames from there to its own are turned round. A way between two frames leaves out
their common part, and keeps the poses as written, so that a digest needs no trigonometry. An include is opened when a
name may be its own; chains may be long, so nothing recurs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from sdfinertia.errors import FrameError, SdfInertiaError, printable, shorten
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.markup import Element
from sdfinertia.robot import attempt
from sdfinertia.robot.poses import (
    MAX_POSES_IN_TEXT,
    POSES_IN_PART,
    Placement,
    PosePath,
    PoseStep,
    ReversePath,
    chained_text,
)
from sdfinertia.robot.problems import similar_name
from sdfinertia.sdf.root import MODEL_FRAME, IncludedModel, Includes, is_merged
from sdfinertia.sdf.values import read_pose

# Paths kept at a time, of some 1 kB: ways down from many frames share nothing.
_MAX_PATHS = 1 << 16
# Characters of a chain of frames in a message.
_LONGEST_CHAIN = 300
# Names that share three quarters of their letters are slips of each other more often than not: `front_axl`, `whel_fl`.
# Comparing missing names with known ones pays for some mistakes, not for thousands.
_ALIKE = 0.75
_MAX_GUESSES, _MAX_COMPARED = 20, 2000


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """A named frame, and once its pose is read, its place in the tree of all frames.

    Attributes:
        model: the frame of the model that has it; None for the outermost model.
        frame_attribute: of its pose, by its version of SDFormat.
        model_frame: its `__model__`; for a merged frame that of the included model.
        scope: the names inside a model.
        above, step: the frame that its pose is relative to, and the pose; None until it is read.
        depth: number of frames above; negative where unknown.
        problem, stop: why its way up ends short of the root, and the frame where it does; no problem is a cycle.
        is_placed, misplaced: whether, as a model, it hangs by its placement frame, or why it cannot.
    """

    model: Frame | None
    name: str
    element: Element
    pose_element: Element | None = None
    frame_attribute: str = ""
    model_frame: str = MODEL_FRAME
    scope: FrameScope | None = None
    above: Frame = None  # type: ignore[assignment]
    step: PoseStep = None  # type: ignore[assignment]
    depth: int = -1
    problem: SdfInertiaError | None = None
    stop: Frame | None = None
    is_placed: bool = False
    misplaced: SdfInertiaError | None = None

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
        models = [model.name for model in self.models_around() if model.model is not None and model is not self]
        return "::".join([*reversed(models), self.name])

    def models_around(self) -> Iterator[Frame]:
        """The models that it lies in, itself if it is one first."""
        model = self if self.scope is not None else self.model
        while model is not None:
            yield model
            model = model.model

    def way_up(self, stop: Frame | None = None) -> Iterator[Frame]:
        """The frames from it to below another; round a cycle without one."""
        node = self
        while True:
            yield node
            node = node.above
            if node is (stop or self):
                return


class _File(NamedTuple):
    frame_attribute: str
    including: tuple[str, ...] = ()  # its path, and those of the files around it


class _Include(NamedTuple):
    file: _File
    element: Element
    model_frame: str


class FrameScope:
    """The frames that can be named inside one model, whose own frame is `own`."""

    def __init__(self, own: Frame, model: Element, file: _File, includes: Includes) -> None:
        self.own, self.model = own, model
        self.name = model.attribute("name") or ""
        own.scope = self
        self._file, self._includes = file, includes
        # Of the includes not opened yet: the unread ones, those that say their name, and the others,
        # which may bring any.
        self._unread: list[_Include] = []
        self._named: dict[str, deque[_Include]] = {}
        self._nameless: deque[_Include] = deque()
        self._merged: set[str] = set()
        self._failures: list[SdfInertiaError] = []
        self._guesses = 0

    def frame(self, name: str) -> Frame | None:
        """The frame of a name without `::` that leads inside; includes that may bring it are opened until one does."""
        while name not in self.frames:
            for include in self._unread:
                own_name = attempt(lambda each: "" if is_merged(each) else each.child_text("name"), include.element)
                if isinstance(own_name, SdfInertiaError):
                    self._failures.append(own_name)
                else:
                    (self._named.setdefault(own_name, deque()) if own_name else self._nameless).append(include)
            self._unread = []
            waiting = self._named.get(name) or self._nameless
            if not waiting:
                return None
            problem = attempt(self._open, *waiting.popleft())
            if isinstance(problem, SdfInertiaError):
                # It counts only if no other include has the name.
                self._failures.append(problem)
        return self.frames[name]

    @cached_property
    def frames(self) -> dict[str, Frame]:
        """Those that are known without opening another include."""
        frames: dict[str, Frame] = {}
        self._collect(frames, self._file, self.model, MODEL_FRAME)
        return frames

    def _collect(self, frames: dict[str, Frame], file: _File, model: Element, model_frame: str) -> None:
        # A name is unique since SDFormat 1.7; before, a link went before all others of the same name.
        for kind in ("link", "model", "frame", "joint"):
            for element in model.children_named(kind):
                name = element.attribute("name") or ""
                if name not in frames:
                    pose = element.child("pose")
                    frames[name] = Frame(self.own, name, element, pose, file.frame_attribute, model_frame)
                    if kind == "model":
                        FrameScope(frames[name], element, file, self._includes)
        self._unread += (_Include(file, element, model_frame) for element in model.children_named("include"))

    def _open(self, file: _File, include: Element, model_frame: str) -> None:
        included = self._includes.open(include, file.including)
        inner = _File(included.root.frame_attribute, (*file.including, included.path))
        name = f"_merged__{included.name}__model__" if included.is_merged else included.name
        pose, attribute = include.child("pose"), file.frame_attribute
        if pose is None:
            pose, attribute = included.element.child("pose"), inner.frame_attribute
        frame = Frame(self.own, name, include, pose, attribute, model_frame)
        FrameScope(frame, included.element, inner, self._includes)
        # The frames of a file that was merged before have their names already, and keep them.
        if included.is_merged and included.path not in self._merged:
            self._merged.add(included.path)
            self._collect(self.frames, inner, included.element, name)
        self.frames.setdefault(name, frame)

    def unknown(self, name: str) -> SdfInertiaError:
        if self._failures:
            return self._failures[0]
        problem = f"there is no frame {shorten(name)!r} in model {self.name!r}"
        return FrameError(problem, remedy=self._advice(name))

    def _advice(self, name: str) -> str:
        if name == self.name:
            return f"inside a model its own frame is called {MODEL_FRAME}"
        self._guesses += 1
        if self._guesses > _MAX_GUESSES or len(self.frames) > _MAX_COMPARED:
            return ""
        meant = similar_name(name, [*self.frames, *self._named], _ALIKE)
        return f"did you mean {meant!r}?" if meant else ""


class Frames:
    """The frames inside a model or a world, each read once; what cannot be resolved is the error that says why.

    Args:
        other_name: a second name of the outermost frame, as a world has.
    """

    def __init__(
        self,
        model: Element,
        frame_attribute: str,
        load: Callable[[Element], IncludedModel],
        other_name: str = MODEL_FRAME,
    ) -> None:
        self._root = Frame(None, MODEL_FRAME, model, depth=0, is_placed=True)
        self._scope = FrameScope(self._root, model, _File(frame_attribute), Includes(load))
        self._other_name = other_name
        self._found: dict[tuple[Frame, str], Frame] = {}
        self._paths: dict[tuple[Frame, Frame], PosePath] = {}
        self._links: dict[Frame, Element | None] = {}

    def placement(self, link: str, frame: str) -> Placement | SdfInertiaError:
        """The paths whose product is X_LF, the pose of a frame in the frame of a link of this model."""
        start = self.rooted(link)
        if isinstance(start, SdfInertiaError):
            return start
        end = self.rooted(frame)
        if isinstance(end, SdfInertiaError):
            return end
        other, top = start, end
        while other is not top:
            lower, higher = (other, top) if other.depth >= top.depth else (top, other)
            other, top = lower.above, higher
        up = (self._path_up(start, top),) if start is not top else ()
        down = (self._path_down(top, end),) if end is not top else ()
        return (*up, *down)

    def pose_of(self, frame: str) -> RigidTransform | SdfInertiaError:
        """X_MF, in the model frame."""
        end = self.rooted(frame)
        return end if isinstance(end, SdfInertiaError) else self._path_down(self._root, end).transform

    def link_of(self, name: str) -> Element | None:
        """The link of a name, through attached frames and joints; None where there is none."""
        way: dict[Frame, None] = {}
        found: Element | None = None
        node = self.find(name)
        while isinstance(node, Frame) and node not in way and node not in self._links and node.model is not None:
            way[node] = None
            if node.element.name == "link":
                found = node.element
            if node.element.name not in ("frame", "joint") or not node.default:
                break
            node = self._find(node.model, node.default)
        if isinstance(node, Frame):
            found = self._links.get(node, found)
        self._links.update(dict.fromkeys(way, found))
        return found

    def find(self, name: str) -> Frame | SdfInertiaError:
        return self._find(self._root, name)

    def _find(self, model: Frame, name: str) -> Frame | SdfInertiaError:
        key = model, name
        if key in self._found:
            return self._found[key]
        while name != MODEL_FRAME and not (name == self._other_name and model is self._root):
            scope = model.scope
            assert scope is not None, "names are looked up in models"
            # SDFormat up to 1.7 flattened nested models into names such as a::b and a::__model__, so the whole name
            # goes first, and again after the includes that the search of the head opened.
            head, colons, rest = name.partition("::")
            inner = scope.frame(head) if colons and name not in scope.frames else None
            if not colons or name in scope.frames:
                inner, rest = scope.frame(name), MODEL_FRAME
            elif inner is not None and inner.scope is None:
                inner = None
            if inner is None or not rest:
                return scope.unknown(name)
            model, name = inner, rest
        self._found[key] = model
        return model

    def rooted(self, name: str) -> Frame | SdfInertiaError:
        """The frame of a name, once its way up is known to end at the root."""
        start = self.find(name)
        if isinstance(start, SdfInertiaError):
            return start
        way: dict[Frame, None] = {}
        node = start
        while node.depth < 0 and node.stop is None and node not in way:
            way[node] = None
            problem = self._place_models_of(node) or self._hang(node)
            if problem is not None:
                node.stop, node.problem = node, problem
            else:
                node = node.above
        if node.depth >= 0:
            for depth, each in enumerate(reversed(way), node.depth + 1):
                each.depth = depth
            return start
        if node.stop is None:
            # A cycle is reported from where it is entered.
            for each in node.way_up():
                each.stop = each
        for each in way:
            each.stop, each.problem = each.stop or node.stop, node.problem
        return self._problem_of(start)

    def _problem_of(self, start: Frame) -> SdfInertiaError:
        assert start.stop is not None, "the way up from the frame is known to be wrong"
        if start.problem is None:
            return self._cycle(start.stop)
        error = start.problem.copied()
        if start.stop is not start and isinstance(error, FrameError):
            error.problem += f" (needed by {_chain_of_names(start.way_up(start.stop))})"
        return error

    def _cycle(self, node: Frame) -> FrameError:
        loop = _chain_of_names(chain(node.way_up(), (node,)))
        return FrameError(f"frames of model {self._scope.name!r} form a cycle: {loop}")

    def _hang(self, node: Frame) -> SdfInertiaError | None:
        """Hangs a frame on the one that its pose is relative to, or says why that is not known."""
        if node.step is not None:
            return None
        assert node.model is not None, "the outermost model has no pose in itself"
        element = node.element
        if element.name == "include" and element.child_text("placement_frame") and element.child("pose") is None:
            return element.error("an <include> with <placement_frame> needs a <pose>", kind=FrameError)
        pose = attempt(read_pose, node.pose_element, node.frame_attribute)
        if isinstance(pose, SdfInertiaError):
            return pose
        name = pose.relative_to or node.default
        if name == MODEL_FRAME:
            name = node.model_frame
        if not name:
            return element.error("a joint without <child> has no frame", kind=FrameError)
        above = self._find(node.model, name)
        if isinstance(above, SdfInertiaError):
            above = Frame(node.model, name, element, problem=above)
            above.stop = above
        node.above, node.step = above, PoseStep(pose)
        return None

    def _place_models_of(self, node: Frame) -> SdfInertiaError | None:
        for model in node.models_around():
            if model.is_placed:
                return None
            pending = [model]
            while pending:
                needed = self._place(pending[-1])
                if isinstance(needed, SdfInertiaError):
                    # Each of them needs the next.
                    for each in pending:
                        each.misplaced = needed
                    return needed
                if needed is None:
                    pending.pop()
                else:
                    pending.append(needed)
        return None

    def _place(self, model: Frame) -> Frame | SdfInertiaError | None:
        """Hangs a nested model by its placement frame; an inner model that must be placed first, or an error."""
        if model.is_placed or model.misplaced is not None:
            return model.misplaced
        problem = self._hang(model)
        if problem is not None:
            return problem
        node = self._find(model, model.placement_frame or MODEL_FRAME)
        way: dict[Frame, None] = {}
        while node is not model:
            if isinstance(node, SdfInertiaError):
                return node
            if node in way:
                return self._cycle(node)
            if node.problem is not None:
                return node.problem
            way[node] = None
            for inner in node.models_around():
                if inner is model:
                    break
                if not inner.is_placed:
                    return inner
            problem = self._hang(node)
            if problem is not None:
                return problem
            node = node.above
        if way:
            # X_RM = X_RP X_MP⁻¹: the pose is that of the placement frame P, and the model frame M hangs below it.
            above, step = model.above, model.step
            for node in (*way, model):
                turned = node.step.inverse
                node.above, node.step = above, step
                above, step = node, turned
        model.is_placed = True
        return None

    def _path_up(self, start: Frame, top: Frame) -> PosePath | ReversePath:
        steps = [step.inverse for step in _steps_up(start, start.depth - top.depth)[0]]
        if len(steps) <= MAX_POSES_IN_TEXT:
            return PosePath(steps)
        return ReversePath(chained_text(steps), partial(self._path_down, top, start))

    def _path_down(self, top: Frame, end: Frame) -> PosePath:
        parts: list[tuple[Frame, list[PoseStep]]] = []
        node = end
        if len(self._paths) > _MAX_PATHS:
            self._paths.clear()
        while node is not top and (top, node) not in self._paths:
            # Parts are counted from the top, so that all paths down from there share them.
            steps, above = _steps_up(node, (node.depth - top.depth) % POSES_IN_PART or POSES_IN_PART)
            parts.append((node, steps[::-1]))
            node = above
        path = self._paths.get((top, node))
        for node, steps in reversed(parts):
            path = self._paths[top, node] = PosePath(steps, path)
        return path if path is not None else PosePath(())


def _chain_of_names(nodes: Iterable[Frame]) -> str:
    text = ""
    for node in nodes:
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))


def _steps_up(node: Frame, count: int) -> tuple[list[PoseStep], Frame]:
    steps = []
    for _ in range(count):
        steps.append(node.step)
        node = node.above
    return steps, node
