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
from typing import Any, NamedTuple

from sdfinertia.errors import FrameError, SdfInertiaError, printable, shorten
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.markup import Element
from sdfinertia.robot import attempt
from sdfinertia.robot.poses import MAX_POSES_IN_TEXT, POSES_IN_PART, Placement, PosePath, PoseStep, ReversePath
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
    """A named frame, and once its pose is read, its place in the tree of all frames."""

    model: ModelFrame | None  # that has it; None for the outermost model
    name: str
    element: Element
    pose_element: Element | None = None
    frame_attribute: str = ""  # of its pose, by its version of SDFormat
    model_frame: str = MODEL_FRAME  # its `__model__`; for a merged frame that of the included model
    # The frame that its pose is relative to, and the pose; None until it is read.
    above: Frame = None  # type: ignore[assignment]
    step: PoseStep = None  # type: ignore[assignment]
    depth: int = -1  # number of frames above; negative where unknown
    problem: SdfInertiaError | None = None  # why its way up ends short of the root; None for a cycle
    stop: Frame | None = None  # where it does

    @property
    def default(self) -> str:
        """The name of the frame that its pose is relative to where it does not say."""
        if self.element.name == "joint":
            return self.element.child_text("child")
        attached_to = self.element.attribute("attached_to") if self.element.name == "frame" else None
        return attached_to or self.model_frame

    def full_name(self) -> str:
        models = [model.name for model in self.models_around() if model.model is not None and model is not self]
        return "::".join([*reversed(models), self.name])

    def models_around(self) -> Iterator[ModelFrame]:
        """The models that it lies in, itself if it is one first."""
        model = self if isinstance(self, ModelFrame) else self.model
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


class ModelFrame(Frame):
    """The frame of a model, and those that can be named inside it."""

    def __init__(self, contents: Element, file: _File, includes: Includes, *frame: Any) -> None:
        super().__init__(*frame)
        self.contents, self._file, self._includes = contents, file, includes
        self.placed: bool | SdfInertiaError = False  # whether it hangs by its placement frame, or why it cannot
        # The includes that are not opened yet by the names they say; those without may bring any.
        self._unopened: dict[str, deque[tuple[_File, Element, str]]] = {"": deque()}
        self._failures: list[SdfInertiaError] = []
        self._guesses = 0

    @property
    def placement_frame(self) -> str:
        """The name of the frame inside that its pose is of."""
        said = self.element.child_text("placement_frame") if self.element.name == "include" else ""
        return said or self.contents.attribute("placement_frame") or MODEL_FRAME

    def frame(self, name: str) -> Frame | None:
        """The frame of a name without `::` that leads inside; includes that may bring it are opened until one does."""
        while name not in self.frames:
            waiting = self._unopened.get(name) or self._unopened[""]
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
        self._collect(frames, self._file, self.contents, MODEL_FRAME)
        return frames

    def _collect(self, frames: dict[str, Frame], file: _File, model: Element, model_frame: str) -> None:
        # A name is unique since SDFormat 1.7; before, a link went before all others of the same name.
        for kind in ("link", "model", "frame", "joint"):
            for element in model.children_named(kind):
                name = element.attribute("name") or ""
                if name not in frames:
                    frame = self, name, element, element.child("pose"), file.frame_attribute, model_frame
                    is_model = kind == "model"
                    frames[name] = ModelFrame(element, file, self._includes, *frame) if is_model else Frame(*frame)
        for include in model.children_named("include"):
            said = attempt(lambda each: "" if is_merged(each) else each.child_text("name"), include)
            if isinstance(said, SdfInertiaError):
                self._failures.append(said)
            else:
                self._unopened.setdefault(said, deque()).append((file, include, model_frame))

    def _open(self, file: _File, include: Element, model_frame: str) -> None:
        included = self._includes.open(include, file.including)
        inner = _File(included.root.frame_attribute, (*file.including, included.path))
        name = f"_merged__{included.name}__model__" if included.is_merged else included.name
        pose, attribute = include.child("pose"), file.frame_attribute
        if pose is None:
            pose, attribute = included.element.child("pose"), inner.frame_attribute
        if included.is_merged:
            self._collect(self.frames, inner, included.element, name)
        frame = ModelFrame(included.element, inner, self._includes, self, name, include, pose, attribute, model_frame)
        self.frames.setdefault(name, frame)

    def unknown(self, name: str) -> SdfInertiaError:
        if self._failures:
            return self._failures[0]
        own_name = self.contents.attribute("name") or ""
        problem = f"there is no frame {shorten(name)!r} in model {own_name!r}"
        if name == own_name:
            return FrameError(problem, remedy=f"inside a model its own frame is called {MODEL_FRAME}")
        self._guesses += 1
        if self._guesses > _MAX_GUESSES or len(self.frames) > _MAX_COMPARED:
            return FrameError(problem)
        meant = similar_name(name, [*self.frames, *filter(None, self._unopened)], _ALIKE)
        return FrameError(problem, remedy=f"did you mean {meant!r}?" if meant else "")


class Frames:
    """The frames inside a model or a world, each read once; what cannot be resolved is the error that says why."""

    def __init__(
        self,
        model: Element,
        frame_attribute: str,
        load: Callable[[Element], IncludedModel],
        other_name: str = MODEL_FRAME,
    ) -> None:
        self._root = ModelFrame(model, _File(frame_attribute), Includes(load), None, MODEL_FRAME, model)
        self._root.depth, self._root.placed = 0, True
        self._other_name = other_name  # of the outermost frame, as a world has
        self._found: dict[tuple[ModelFrame, str], Frame] = {}
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
        node = self.find(name)
        while isinstance(node, Frame) and node not in way and node not in self._links:
            way[node] = None
            if node.model is None or node.element.name not in ("frame", "joint") or not node.default:
                break
            node = self._find(node.model, node.default)
        found = None
        if isinstance(node, Frame):
            found = self._links.get(node, node.element if node.element.name == "link" else None)
        self._links.update(dict.fromkeys(way, found))
        return found

    def find(self, name: str) -> Frame | SdfInertiaError:
        return self._find(self._root, name)

    def _find(self, model: ModelFrame, name: str) -> Frame | SdfInertiaError:
        key = model, name
        if key in self._found:
            return self._found[key]
        found: Frame = model
        while name != MODEL_FRAME and not (name == self._other_name and found is self._root):
            # SDFormat up to 1.7 flattened nested models into names such as a::b and a::__model__, so the whole name
            # goes first, and again after the includes that the search of the head opened.
            head, colons, rest = name.partition("::")
            inner = model.frame(head) if colons and name not in model.frames else None
            if not colons or name in model.frames:
                inner, rest = model.frame(name), MODEL_FRAME
            elif not isinstance(inner, ModelFrame):
                inner = None
            if inner is None or not rest:
                return model.unknown(name)
            found, name = inner, rest
            if isinstance(found, ModelFrame):
                model = found
        self._found[key] = found
        return found

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
        assert start.stop is not None, "the way up from the frame is known to be wrong"
        if start.problem is None:
            return self._cycle(start.stop)
        error = start.problem.copied()
        if start.stop is not start and isinstance(error, FrameError):
            error.problem += f" (needed by {_chain_of_names(start.way_up(start.stop))})"
        return error

    def _cycle(self, node: Frame) -> FrameError:
        loop = _chain_of_names(chain(node.way_up(), (node,)))
        return FrameError(f"frames of model {self._root.contents.attribute('name') or ''!r} form a cycle: {loop}")

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
            if model.placed is True:
                return None
            pending: list[ModelFrame] = [model]
            while pending:
                needed = self._place(pending[-1])
                if isinstance(needed, SdfInertiaError):
                    # Each of them needs the next.
                    for each in pending:
                        each.placed = needed
                    return needed
                if needed is None:
                    pending.pop()
                else:
                    pending.append(needed)
        return None

    def _place(self, model: ModelFrame) -> ModelFrame | SdfInertiaError | None:
        """Hangs a nested model by its placement frame; an inner model that must be placed first, or an error."""
        if model.placed is not False:
            return None if model.placed is True else model.placed
        problem = self._hang(model)
        if problem is not None:
            return problem
        node = self._find(model, model.placement_frame)
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
                if inner.placed is not True:
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
        model.placed = True
        return None

    def _path_up(self, start: Frame, top: Frame) -> PosePath:
        steps = [frame.step.inverse for frame in start.way_up(top)]
        if len(steps) <= MAX_POSES_IN_TEXT:
            return PosePath(steps)
        return ReversePath(steps, partial(self._path_down, top, start))

    def _path_down(self, top: Frame, end: Frame) -> PosePath:
        def ends_part(frame: Frame) -> bool:
            # Parts are counted from the top, so that all paths down from there share the whole ones.
            return frame is end or (frame.depth - top.depth) % POSES_IN_PART == 0

        path: PosePath | None = None
        if len(self._paths) > _MAX_PATHS:
            self._paths.clear()
        frames: list[Frame] = []
        for frame in end.way_up(top) if end is not top else ():
            path = self._paths.get((top, frame)) if ends_part(frame) else None
            if path is not None:
                break
            frames.append(frame)
        steps: list[PoseStep] = []
        for frame in reversed(frames):
            steps.append(frame.step)
            if ends_part(frame):
                path = self._paths[top, frame] = PosePath(steps, path)
                steps = []
        return path if path is not None else PosePath(())


def _chain_of_names(nodes: Iterable[Frame]) -> str:
    text = ""
    for node in nodes:
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))
