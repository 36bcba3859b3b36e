"""An SDF document: its root models and worlds with all that they include."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import FrameError, ResourceError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.robot import robot
from sdfinertia.robot.link import LinkContext, walked
from sdfinertia.robot.robot import Assembly, BrokenInclude, PlacedJoint, PlacedLink
from sdfinertia.sdf.groups import axis_of
from sdfinertia.sdf.model import Model, model_of
from sdfinertia.sdf.pose_graph import PoseGraph
from sdfinertia.sdf.root import (
    MODEL_FRAME,
    WORLD,
    IncludeBudget,
    SdfRoot,
    find_model,
    included_file,
    is_merged,
    load_include,
    name_of_include,
    refuse_template,
)
from sdfinertia.sdf.values import read_pose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sdfinertia.markup.document import Document, Element
    from sdfinertia.robot.link import LinkContext
    from sdfinertia.robot.problems import Problem


def assemblies(root: SdfRoot, context: LinkContext) -> Iterator[Assembly]:
    for element in root.element.children:
        if element.name == "world":
            yield _Assembling(root, element, None, context).assembly()
    for element in root.element.children:
        if element.name == "model":
            yield _Assembling(root, element, model_of(root, element), context).assembly()


class _Part(NamedTuple):
    model: Model
    prefix: str  # by which the outermost scope knows its frames, such as `gripper::`
    shown: str
    including: tuple[str, ...] = ()
    X_RM: RigidTransform | SdfInertiaError | None = None


class _Assembling:
    def __init__(self, root: SdfRoot, element: Element, outermost: Model | None, context: LinkContext) -> None:
        self._root = root
        self._element = element
        self._outermost = outermost
        self._context = context
        self._load = partial(load_include, context.resources)
        if outermost is not None:
            self._graph = outermost.graph(context)
        else:
            self._graph = PoseGraph(element, root.frame_attribute, self._load, other_name=WORLD)
        self._budget = IncludeBudget()
        self._parts: list[_Part] = []
        self._model_poses: dict[str, RigidTransform] = {}
        self._broken: list[BrokenInclude] = []

    def assembly(self) -> Assembly:
        name = self._element.attribute("name") or ""
        is_world = self._outermost is None
        return Assembly(name, self._root.document.path, is_world, self._links(), self._joints(), self._broken)

    # Models -----------------------------------------------------------------------------------------------------------

    def _links(self) -> Iterator[PlacedLink]:
        for part in self._all_parts():
            self._parts.append(part)
            for link in part.model.links():
                pose = self._pose(part, link.name)
                is_own = part.model.root is self._root
                yield PlacedLink(link, f"{part.shown}{link.name}", is_own, pose, self._model_pose(part))

    def _model_pose(self, part: _Part) -> RigidTransform:
        """The pose of the outermost model in the root; the identity where it is the root or unknown."""
        if self._outermost is not None:
            return IDENTITY
        if isinstance(part.X_RM, RigidTransform):
            return part.X_RM
        name = part.prefix.split("::")[0]
        if name not in self._model_poses:
            pose = self._pose(part._replace(prefix=f"{name}::"), MODEL_FRAME)
            self._model_poses[name] = pose if isinstance(pose, RigidTransform) else IDENTITY
        return self._model_poses[name]

    def _all_parts(self) -> Iterator[_Part]:
        if self._outermost is not None:
            outermost: Iterable[_Part] = [_Part(self._outermost, "", f"{self._outermost.name}::")]
        else:
            outermost = self._models_of_world()
        return walked(outermost, self._inside)

    def _inside(self, part: _Part) -> Iterator[_Part]:
        for model in part.model.nested():
            name = f"{model.name}::"
            yield part._replace(model=model, prefix=part.prefix + name, shown=part.shown + name)
        for include in part.model.element.children_named("include"):
            yield from self._of(include, part)

    def _of(self, include: Element, outer: _Part) -> Iterator[_Part]:
        try:
            self._budget.take(include)
            included = self._load(include)
            if included.path in outer.including:
                raise ResourceError("the included files include each other", location=include.location())
            name = "" if is_merged(include) else f"{name_of_include(include, included)}::"
        except SdfInertiaError as error:
            self._broken.append(BrokenInclude(f"{outer.shown}{_called(include)}", error))
            return
        model = model_of(included.root, included.element)
        including = (*outer.including, included.path)
        yield outer._replace(model=model, prefix=outer.prefix + name, shown=outer.shown + name, including=including)

    def _models_of_world(self) -> Iterator[_Part]:
        seen: dict[str, int] = {}
        nowhere = _Part(model_of(self._root, self._element), "", "")
        for element in self._element.children:
            if element.name == "model":
                name = element.attribute("name") or ""
                found = [_Part(model_of(self._root, element), f"{name}::", f"{name}::")]
            elif element.name == "include":
                found = list(self._of(element, nowhere))
            else:
                continue
            for part in found:
                count = seen[part.prefix] = seen.get(part.prefix, 0) + 1
                if count == 1 or not part.prefix:
                    yield part
                else:
                    # Readers refuse a second model of one name; both are kept to report the mistake.
                    shown = f"{part.shown.removesuffix('::')} ({count})::"
                    yield part._replace(shown=shown, X_RM=self._own_pose(element, part.model))

    def _own_pose(self, element: Element, model: Model) -> RigidTransform | SdfInertiaError:
        try:
            pose_element = element.child("pose") or model.element.child("pose")
            pose = read_pose(pose_element, self._root.frame_attribute)
        except SdfInertiaError as error:
            return error
        if pose.relative_to not in ("", WORLD) or element.child("placement_frame") is not None:
            return FrameError("another model of the world has its name", location=element.location())
        return pose.transform()

    def _pose(self, part: _Part, frame: str) -> RigidTransform | SdfInertiaError:
        try:
            if part.X_RM is None:
                return self._graph.path_to(f"{part.prefix}{frame}").transform
            if isinstance(part.X_RM, SdfInertiaError):
                return part.X_RM
            # The graph has the other model of the name, which is of the same file more often than not.
            return part.X_RM @ part.model.graph(self._context).path_to(frame).transform
        except SdfInertiaError as error:
            return error

    # Joints -----------------------------------------------------------------------------------------------------------

    def _joints(self) -> Iterator[PlacedJoint]:
        for part in self._parts:
            for joint in part.model.element.children_named("joint"):
                name = joint.attribute("name") or ""
                pose = self._pose(part, name)
                yield PlacedJoint(
                    f"{part.shown}{name}",
                    joint.attribute("type") or "",
                    joint.child_text("parent"),
                    joint.child_text("child"),
                    pose if not isinstance(pose, SdfInertiaError) else None,
                    self._axis(part, joint, pose) if not isinstance(pose, SdfInertiaError) else None,
                )

    def _axis(self, part: _Part, joint: Element, X_RJ: RigidTransform) -> Vector3 | None:
        return axis_of(joint, part.model.root, X_RJ, partial(self._pose, part))


def _called(include: Element) -> str:
    name = include.child("name") or include.child("uri")
    return name.text() if name is not None else ""


class Robot(SdfRoot, robot.Robot):
    def __init__(self, document: Document) -> None:
        refuse_template(document)
        super().__init__(document)

    @property
    def has_includes(self) -> bool:
        return any(True for _ in self.include_elements())

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        for include in self.include_elements():
            try:
                path = included_file(context.resources, include)
            except SdfInertiaError as error:
                yield error
            else:
                if path is not None:
                    yield path

    def missing_includes(self, context: LinkContext) -> list[str]:
        uris = [include.child_text("uri") or "" for include in self.include_elements()]
        for include, uri in zip(self.include_elements(), uris, strict=True):
            with suppress(SdfInertiaError):
                find_model(context.resources, uri, include.document.path)
                return []
        return uris

    @cached_property
    def _models(self) -> list[Model]:
        return [model_of(self, element) for element in self.model_elements()]

    def models(self) -> list[Model]:
        return self._models

    def repeated_models(self) -> Iterator[Problem]:
        return iter(dict.fromkeys(self.problems_of_names.values()))

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        return assemblies(self, context)
