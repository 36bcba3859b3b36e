"""SDFormat: its text, its elements, its frames, and the files it names.

Here: an SDF document: its root models and worlds with all that they include.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import NamedTuple

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.markup import Document, Element, walked
from sdfinertia.robot import LinkContext, attempt, given, known, robot
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.robot import Assembly, BrokenInclude, PlacedJoint, PlacedLink
from sdfinertia.sdf.frames import Frames
from sdfinertia.sdf.model import Model, axis_of, model_of
from sdfinertia.sdf.root import (
    MODEL_FRAME,
    WORLD,
    Includes,
    SdfRoot,
    find_model,
    included_file,
    load_include,
    refuse_template,
)
from sdfinertia.sdf.values import read_pose


class _Part(NamedTuple):
    model: Model
    prefix: str  # by which the outermost scope knows its frames, such as `gripper::`
    shown: str
    including: tuple[str, ...] = ()
    second: Model | None = None  # around it, if another model of the world has its name
    X_RM: RigidTransform | SdfInertiaError = IDENTITY  # of that second model


class _Assembling:
    def __init__(self, root: SdfRoot, element: Element, outermost: Model | None, context: LinkContext) -> None:
        self._root, self._element, self._outermost, self._context = root, element, outermost, context
        load = partial(load_include, context.resources)
        self._frames = Frames(element, root.frame_attribute, load, WORLD)
        if outermost is not None:
            self._frames = outermost.frames(context)
        self._includes = Includes(load)
        self._parts: list[_Part] = []
        self._broken: list[BrokenInclude] = []

    def assembly(self) -> Assembly:
        name = self._element.attribute("name") or ""
        is_world = self._outermost is None
        return Assembly(name, self._root.document.path, is_world, self._links(), self._joints(), self._broken)

    def _links(self) -> Iterator[PlacedLink]:
        model = self._outermost
        outermost = [_Part(model, "", f"{model.name}::")] if model is not None else self._models_of_world()
        for part in walked(outermost, self._inside):
            self._parts.append(part)
            X_RM = known(part.X_RM)
            if self._outermost is None and part.second is None:
                X_RM = known(self._frames.pose_of(f"{part.prefix.split('::')[0]}::{MODEL_FRAME}"))
            for link in part.model.links():
                name, is_own = f"{part.shown}{link.name}", part.model.root is self._root
                yield PlacedLink(link, name, is_own, self._pose(part, link.name), X_RM or IDENTITY)

    def _inside(self, part: _Part) -> Iterator[_Part]:
        for model in part.model.nested:
            name = f"{model.name}::"
            yield part._replace(model=model, prefix=part.prefix + name, shown=part.shown + name)
        for include in part.model.element.children_named("include"):
            for inner in self._of(include, part.shown, part.including):
                yield part._replace(
                    model=inner.model,
                    prefix=part.prefix + inner.prefix,
                    shown=part.shown + inner.shown,
                    including=inner.including,
                )

    def _of(self, include: Element, around: str = "", including: tuple[str, ...] = ()) -> Iterator[_Part]:
        included = attempt(self._includes.open, include, including)
        if isinstance(included, SdfInertiaError):
            called = include.child_text("name") if include.child("name") is not None else include.child_text("uri")
            self._broken.append(BrokenInclude(f"{around}{called}", included))
            return
        name = "" if included.is_merged else f"{included.name}::"
        yield _Part(model_of(included.root, included.element), name, name, (*including, included.path))

    def _models_of_world(self) -> Iterator[_Part]:
        counts = Counter[str]()
        for element in self._element.children:
            found: Iterable[_Part] = ()
            if element.name == "model":
                name = f"{element.attribute('name') or ''}::"
                found = [_Part(model_of(self._root, element), name, name)]
            elif element.name == "include":
                found = self._of(element)
            for part in found:
                counts[part.prefix] += 1
                if part.prefix and counts[part.prefix] > 1:
                    # Readers refuse a second model of one name; it is kept to report the mistake.
                    shown = f"{part.shown.removesuffix('::')} ({counts[part.prefix]})::"
                    yield part._replace(
                        shown=shown, second=part.model, X_RM=attempt(self._pose_of_second, element, part)
                    )
                else:
                    yield part

    def _pose(self, part: _Part, frame: str) -> RigidTransform | SdfInertiaError:
        if part.second is None:
            return self._frames.pose_of(f"{part.prefix}{frame}")
        # The frames have the other model of the name, which is of the same file more often than not.
        pose = part.second.frames(self._context).pose_of(part.prefix.partition("::")[2] + frame)
        return pose if isinstance(pose, SdfInertiaError) else attempt(lambda: given(part.X_RM) @ pose)

    def _pose_of_second(self, element: Element, part: _Part) -> RigidTransform:
        pose = read_pose(element.child("pose") or part.model.element.child("pose"), self._root.frame_attribute)
        if pose.relative_to not in ("", WORLD) or element.child("placement_frame") is not None:
            raise element.error("another model of the world has its name", kind=FrameError)
        return pose.transform()

    def _joints(self) -> Iterator[PlacedJoint]:
        for part in self._parts:
            for joint in part.model.element.children_named("joint"):
                name, kind = joint.attribute("name") or "", joint.attribute("type") or ""
                pose = known(self._pose(part, name))
                axis = axis_of(joint, part.model.root, pose, partial(self._pose, part)) if pose is not None else None
                ends = joint.child_text("parent"), joint.child_text("child")
                yield PlacedJoint(f"{part.shown}{name}", kind, *ends, pose, axis)


class Robot(SdfRoot, robot.Robot):
    def __init__(self, document: Document) -> None:
        refuse_template(document)
        super().__init__(document)

    @property
    def has_includes(self) -> bool:
        return any(True for _ in self.include_elements())

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        found = (attempt(included_file, context.resources, include) for include in self.include_elements())
        return (each for each in found if each is not None)

    def missing_includes(self, context: LinkContext) -> list[str]:
        found = [(include.child_text("uri"), include.document.path) for include in self.include_elements()]
        paths = (attempt(find_model, context.resources, *each) for each in found)
        return [uri for uri, _ in found] if all(isinstance(each, SdfInertiaError) for each in paths) else []

    @cached_property
    def _models(self) -> list[Model]:
        return [model_of(self, element) for element in self.model_elements()]

    def models(self) -> list[Model]:
        return self._models

    def repeated_models(self) -> Iterator[Problem]:
        return iter(dict.fromkeys(self.problems_of_names.values()))

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        for element in self.element.children_named("world"):
            yield _Assembling(self, element, None, context).assembly()
        for element in self.element.children_named("model"):
            yield _Assembling(self, element, model_of(self, element), context).assembly()
