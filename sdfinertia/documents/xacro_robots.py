"""The robots of a repository that share blocks of xacro: judged together, each once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sdfinertia.documents.opened import OpenDocument, described, open_document
from sdfinertia.documents.writable import tree_of, why_not_writable
from sdfinertia.errors import ConfigurationError, SdfInertiaError, first_few, shown_path
from sdfinertia.files.walk import is_excluded
from sdfinertia.lazy import cached_property
from sdfinertia.markup.document import Document, Edit, splice
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.xacro.blocks import Change, Property, UnwritableError
from sdfinertia.xacro.expansion import Expansion
from sdfinertia.xacro.uses import Reach, Taken, Texts, unknown_names

if TYPE_CHECKING:
    from sdfinertia.options import Options

# Arguments that a message lists.
_MAX_NAMED = 12
# Makes the edits of one document in another.
Again = Callable[[OpenDocument, "Options"], Sequence[Edit]]
# A block of a source: real path and byte offset.
Block = tuple[str, int]


class Judged(NamedTuple):
    """A robot with its edits, and its links by the block that makes them."""

    expansion: Expansion
    options: Options
    edits: Sequence[Edit]
    blocks: Mapping[Block, Sequence[Change]]

    @classmethod
    def of(cls, document: OpenDocument, expansion: Expansion, options: Options, edits: Sequence[Edit]) -> Judged:
        blocks: dict[Block, list[Change]] = {}
        if edits:
            after = described(Document(splice(expansion.data, edits), expansion.path))
            again = [link for model in after.models() for link in model.all_links()]
            for old, new in zip(document.links(), again, strict=True):
                place = expansion.place((old.inertial or old.element).line)
                change = Change(old.element, new.element, place)
                blocks.setdefault((expansion.real_paths[place.file], place.offset), []).append(change)
        return cls(expansion, options, edits, blocks)


class Robots:
    """A robot, and those that could share its files: of its repository, and of the run."""

    def __init__(self, document: OpenDocument, own: Judged, again: Again) -> None:
        self.own = own
        self._document = document
        self._again = again
        self._place = own.expansion.real_paths[0]
        self._tree = tree_of(self._place)
        self._judged: dict[str, Judged] = {self._place: own}

    def require_own_files(self, files: Iterable[int]) -> None:
        """Refuses to edit files outside the trees of the run, such as installed macros."""
        expansion = self.own.expansion
        for file in files:
            reason = why_not_writable(expansion.files[file], self._document.trees or (self._tree,))
            if reason:
                raise UnwritableError(f"{expansion.name(file)} {reason}")

    def judged(self) -> Iterator[Judged]:
        """The robots judged so far, this one first."""
        return iter(self._judged.values())

    def other_instances(self, block: Block) -> list[Change]:
        """The links of other robots that a block makes.

        Raises:
            UnwritableError: with other arguments one of the robots could make more, or one cannot be judged.
        """
        path, offset = block
        text = self._texts.of(path)
        if text is None:
            raise UnwritableError(f"{path} cannot be read")
        contexts = text.contexts_at(offset)
        reaches = self._with(path)
        if any(kind != "file" for kind, _ in contexts):
            _require_known(reaches)
        judged = [self._judge(reach.robot) for reach in reaches]
        taken = Taken(each.expansion for each in judged)
        for context in contexts:
            refusal = taken.refusal(reaches, context, self._texts)
            if refusal:
                raise UnwritableError(refusal)
        return [change for each in judged if each is not self.own for change in each.blocks.get(block, ())]

    def require_unused(self, changed: Property) -> None:
        """Refuses a property that is used elsewhere, or could be."""
        reaches = self._with(os.path.realpath(changed.file))
        _require_known(reaches)
        texts = {path: text for reach in reaches for path, text in reach.files.items()}.values()
        definitions = sum(name == changed.name for text in texts for name, _ in text.properties)
        if definitions != 1:
            raise UnwritableError(f"{changed.name!r} is defined several times")
        if sum(text.names[changed.name] for text in texts) > changed.uses:
            raise UnwritableError(f"the property {changed.name!r} is also used elsewhere ({changed.location})")
        hidden = next(filter(None, map(unknown_names, texts)), None)
        if hidden is not None:
            raise UnwritableError(f"the property {changed.name!r} could also be used elsewhere: {hidden}")

    @cached_property
    def _texts(self) -> Texts:
        expansion = self.own.expansion
        known = {real: expansion.source(file).data for file, real in enumerate(expansion.real_paths)}
        return Texts(self._tree, known, self.own.options.confine)

    @cached_property
    def _reaches(self) -> list[Reach]:
        robots = [self._place, *self._texts.robots, *map(os.path.realpath, self._document.robots_of_run)]
        return [
            Reach(path, self._texts)
            for path in dict.fromkeys(robots)
            if path == self._place or not is_excluded(path, self.own.options.exclude)
        ]

    def _with(self, path: str) -> list[Reach]:
        """The robots that could read a file."""
        return [reach for reach in self._reaches if path in reach.files]

    def _judge(self, path: str) -> Judged:
        if path not in self._judged:
            document, name = self._document, shown_path(path, self._document.robot.path)
            options = document.options_for(name)
            try:
                context = document.context if options == document.options else None
                other = open_document(name, options, context, calculators=document.context.calculators)
                expansion, other.expansion = other.expansion, None
                assert expansion is not None, "it is xacro"
                edits = self._again(other, options.replaced({"keep_going": True}))
                self._judged[path] = Judged.of(other, expansion, options, edits)
            except SdfInertiaError as error:
                raise UnwritableError(
                    f"{name} could use it too, and cannot be judged: {error.problem} (--exclude leaves it out)"
                ) from None
        return self._judged[path]


def _require_known(reaches: Iterable[Reach]) -> None:
    unknown = next((reach.unknown for reach in reaches if reach.unknown), None)
    if unknown is not None:
        raise UnwritableError(f"it could also be used elsewhere: {unknown}")


# Files of macros ------------------------------------------------------------------------------------------------------


def robots_using(path: str, options: Options) -> Iterator[str]:
    """The robots of the repository that could read a file, by their text."""
    place = os.path.realpath(path)
    texts = Texts(tree_of(place), {}, options.confine)
    for robot in texts.robots:
        if robot != place and not is_excluded(robot, options.exclude) and place in Reach(robot, texts).files:
            yield robot


# Arguments ------------------------------------------------------------------------------------------------------------


def require_declared(
    names: Iterable[str], paths: Iterable[str], confine: str | None, given_in: str | None, *, are_shared: bool = False
) -> None:
    """Refuses arguments that no file declares or uses, by the text of the files and of all that they could include.

    Args:
        are_shared: with other files, which may declare them: only those are refused that are nearly the name of one.

    Raises:
        ConfigurationError: one is declared by none.
    """
    trees: dict[str, Texts] = {}
    known: set[str] = set()
    for place in map(os.path.realpath, paths):
        tree = tree_of(place)
        texts = trees.setdefault(tree, Texts(tree, {}, confine))
        reach = Reach(place, texts)
        if reach.unknown:
            return
        known.update(*(text.arguments for text in reach.files.values()))
    for unknown in (name for name in names if name not in known):
        from difflib import get_close_matches

        meant = "".join(f"did you mean {each}? " for each in get_close_matches(unknown, sorted(known), n=1))
        if are_shared and not meant:
            continue
        there = f"there are {first_few(sorted(known), _MAX_NAMED)}" if known else "they take none"
        raise ConfigurationError(
            f"no xacro file declares the argument {unknown!r}", file=given_in, remedy=f"{meant}{there}"
        )
