"""Files as they were at a revision of their git repository.

git only resolves the revision in the repository. Trees and blobs are then read through an empty git directory of our
own with the objects of the repository, so that no configuration of it counts: that can name programs to be run.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from posixpath import basename, dirname, join
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files import is_inside, reason_of
from sdfinertia.files.child_process import finished
from sdfinertia.files.packages import MODEL_CONFIG, PACKAGE_XML

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    # Contents of some paths; lenient, of those that can be had.
    Read = Callable[[Iterable[str], bool], dict[str, bytes]]

# Time limit of one call of git (s).
_LONGEST = 60.0
# As the files that an MJCF model includes.
_MAX_BYTES = 1 << 28
_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "protocol.allow=never",
)
# The user's own configuration stays: it says which directories of other owners are safe.
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    # Neither a transport nor, in versions that know it, an attempt to fetch what a partial clone lacks.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
# Hexadecimal digits of the names of objects.
_SHA256 = 64
_KINDS = {"040000": "a directory", "120000": "a symbolic link", "160000": "a submodule"}


def _git(directory: str, *words: str, given: bytes = b"", variables: Mapping[str, str] | None = None) -> bytes:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= _ENVIRONMENT | dict(variables or {})
    settings = (word for setting in _SETTINGS for word in ("-c", setting))
    command = ["git", "--no-pager", *settings, "-C", directory, *words]
    try:
        done = finished(command, given=given, environment=environment, limit=_LONGEST)
    except FileNotFoundError:
        raise ResourceError("git is not installed, or not on PATH", remedy="install it") from None
    except OSError as error:
        raise ResourceError(f"git cannot be run: {error}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").splitlines() or [f"exit status {done.returncode}"]
        reason = next((line for line in lines if line.startswith("fatal: ")), lines[-1])
        # As git advises on a directory of another owner.
        remedy = next((line.strip() for line in lines if line.startswith("\t")), "")
        raise ResourceError(f"git says: {reason}", remedy=remedy)
    return done.stdout


def _answer(directory: str, *words: str) -> str:
    return os.fsdecode(_git(directory, "rev-parse", *words)).removesuffix("\n")


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit; `top` of the work tree, `path` from there, and `scope`, outside which nothing is read ("" for all)."""

    name: str
    commit: str
    top: str
    path: str
    scope: str
    private: str
    objects: str

    def content(self) -> bytes:
        """The content of the file, or why there is none."""
        mode, blob = self._entries(self.path).get(self.path, ("", ""))
        if not blob or mode in _KINDS:
            raise ResourceError(f"is {_KINDS.get(mode, 'not')} in the revision {self.commit[:12]}")
        return self._contents({self.path: blob})[self.path]

    def copied(self, endings: tuple[str, ...]) -> str:
        """The top of a private copy with the file and those of some endings that it may read."""
        blobs = {
            path: blob
            for path, (mode, blob) in self._entries().items()
            if path == self.path
            or (
                mode not in _KINDS
                and path.startswith(self.scope)
                and path.lower().endswith(endings)
                and _is_plain(path)
            )
        }

        def read(paths: Iterable[str], lenient: bool) -> dict[str, bytes]:
            return self._contents({path: blobs[path] for path in paths}, lenient=lenient)

        top = os.path.join(self.private, "tree")
        # Models and packages are searched for below it, as in a repository.
        os.makedirs(os.path.join(top, ".git"))
        for path, content in reached(self.path, blobs, read).items():
            target = os.path.join(top, *path.split("/"))
            try:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "xb") as written:
                    written.write(content)
            except OSError as error:
                raise ResourceError(f"{self.name}:{path} cannot be copied: {reason_of(error)}") from None
        return top

    def moved(self, directory: str) -> str:
        """A directory of the work tree in the copy; another one as it is."""
        place = os.path.realpath(directory)
        if not is_inside(place, self.top):
            return directory
        return os.path.join(self.private, "tree", os.path.relpath(place, self.top))

    @contextmanager
    def as_git_names(self) -> Iterator[None]:
        """Errors name files as git does, not those of the copy."""
        top = os.path.join(self.private, "tree")

        def named(text: str) -> str:
            for place, shown in ((os.path.join(top, ""), ""), (top, ""), (self.private, os.pardir)):
                text = text.replace(place, f"{self.name}:{shown}")
            return text

        try:
            yield
        except SdfInertiaError as error:
            found = error.copied()
            found.problem, found.remedy = named(error.problem), named(error.remedy)
            found.location = error.location and error.location._replace(file=named(error.location.file))
            found.file = error.file and named(error.file)
            raise found from None

    def _entries(self, *paths: str) -> dict[str, tuple[str, str]]:
        recursive = [] if paths else ["-r"]
        listed = self._read("ls-tree", *recursive, "-z", "--full-tree", self.commit, "--", *paths)
        found = {}
        for entry in listed.split(b"\0")[:-1]:
            head, _, path = entry.partition(b"\t")
            mode, _, name = head.decode("ascii").split()
            found[os.fsdecode(path)] = (mode, name)
        return found

    def _contents(self, blobs: Mapping[str, str], *, lenient: bool = False) -> dict[str, bytes]:
        given = _lines(blobs.values())
        sizes = {}
        for path, line in zip(blobs, self._read("cat-file", "--batch-check", given=given).splitlines(), strict=True):
            words = line.split()
            if words[1] == b"blob":
                sizes[path] = int(words[2])
            elif not lenient:
                problem = f"this clone lacks the content of {self.name}:{path}"
                raise ResourceError(problem, remedy="fetch it with git: a partial clone leaves contents out")
        if sum(sizes.values()) > _MAX_BYTES:
            raise ResourceError(f"it reads more than {_MAX_BYTES >> 20} MB of {self.name}")
        data = self._read("cat-file", "--batch", given=_lines(blobs[path] for path in sizes))
        found, start = {}, 0
        for path, size in sizes.items():
            start = data.index(b"\n", start) + 1
            found[path] = data[start : start + size]
            start += size + 1
        return found

    def _read(self, *words: str, given: bytes = b"") -> bytes:
        variables = {"GIT_DIR": os.path.join(self.private, "git"), "GIT_OBJECT_DIRECTORY": self.objects}
        return _git(self.private, *words, given=given, variables=variables)


@contextmanager
def revision_of(file: str, name: str, confine: str | None) -> Iterator[Revision]:
    """A revision of the repository of a file, read without its configuration."""
    directory, base = os.path.split(os.path.abspath(file))
    directory = os.path.realpath(directory)
    if confine is not None:
        _require_own_objects(directory, confine)
    # Versions of git before 2.38 take any directory that looks like its own for one.
    if is_inside(directory, _answer(directory, "--absolute-git-dir")):
        raise ResourceError("lies in a directory that is itself a git directory, which may name programs to be run")
    prefix = _answer(directory, "--show-prefix")
    top = os.path.realpath(os.path.join(directory, *[os.pardir] * prefix.count("/")))
    scope = ""
    if confine is not None and os.path.realpath(confine) != top and is_inside(confine, top):
        scope = os.path.relpath(os.path.realpath(confine), top).replace(os.sep, "/") + "/"
    objects = os.path.join(directory, _answer(directory, "--git-path", "objects"))
    try:
        commit = _answer(directory, "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except ResourceError:
        remedy = "name a commit, a branch or a tag"
        raise ResourceError(f"there is no revision {name!r}", remedy=remedy) from None
    with TemporaryDirectory(prefix="sdfinertia-") as private:
        private = os.path.realpath(private)
        own = Path(private, "git")
        for part in ("objects", "refs"):
            (own / part).mkdir(parents=True)
        (own / "HEAD").write_text("ref: refs/heads/none\n")
        if len(commit) == _SHA256:
            (own / "config").write_text("[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n")
        yield Revision(name, commit, top, prefix + base, scope, private, objects)


def _require_own_objects(directory: str, confine: str) -> None:
    for folder in (Path(directory), *Path(directory).parents):
        if not is_inside(str(folder), confine):
            # A repository that holds the confinement is the caller's own.
            return
        git = folder / ".git"
        others = (git / "commondir", git / "objects/info/alternates")
        if git.is_symlink() or git.is_file() or any(os.path.lexists(other) for other in others):
            problem = f"{git} leads to another git directory, which --confine forbids to open"
            raise ResourceError(problem, remedy="confine it to a directory below, or use a plain clone")


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("ascii")


def _is_plain(path: str) -> bool:
    return all(
        os.path.basename(part) == part and part.lower() not in ("", ".", "..", ".git") for part in path.split("/")
    )


# The files that a description may read, by the names in its text and in the files that it reads ----------------------

# xacro itself ends at some 90 levels.
_MAX_DEPTH = 100
# The group before a name tells that an attribute or element begins with it. Else it may be the end of a computed one.
_NAME = re.compile(rb"(=\s*[\"']|>\s*)?([^=\"'<>{}()$*?\[\]\s,]+)")
_TITLE = re.compile(rb"<name>([^<]*)<")
_SEARCHES = (b"://", b"$(find", b"<uri")


def reached(start: str, paths: Collection[str], read: Read) -> dict[str, bytes]:
    """What a description may read, of some paths; rather too many than too few."""
    titled = [path for path in paths if basename(path) in (MODEL_CONFIG, PACKAGE_XML)]
    rest = set(paths).difference(titled)
    found: dict[str, bytes] = {}
    titles: dict[str, bytes] = {}
    wanted = {start}
    for _ in range(_MAX_DEPTH):
        found |= read(sorted(wanted), False)
        if sum(map(len, found.values())) > _MAX_BYTES:
            break
        texts = [unquote_to_bytes(found[path]) for path in sorted(wanted)]
        rest -= wanted
        if not titles and any(mark in text for text in texts for mark in _SEARCHES):
            titles = read(titled, True)
        wanted = _named(texts, rest)
        for path, title in titles.items():
            if basename(path) == MODEL_CONFIG and _is_meant(path, title, texts):
                wanted |= {join(dirname(path), name) for name in _names([title])[0]} & rest
        if not wanted:
            return titles | found
    raise ResourceError(f"it includes more than {_MAX_BYTES >> 20} MB, or nests more than {_MAX_DEPTH} levels deep")


def _names(texts: Iterable[bytes]) -> tuple[set[str], set[str]]:
    whole, ends = set[str](), set[str]()
    for text in texts:
        for start, name in _NAME.findall(text):
            if b"." in name:
                _, slash, last = name.replace(b"\\", b"/").rpartition(b"/")
                (whole if start or slash else ends).add(last.decode("utf-8", "surrogateescape"))
    return whole, ends


def _named(texts: Iterable[bytes], paths: Iterable[str]) -> set[str]:
    whole, ends = _names(texts)
    return {
        path for path in paths if (name := basename(path)) in whole or any(name[k:] in ends for k in range(len(name)))
    }


def _is_meant(path: str, title: bytes, texts: Iterable[bytes]) -> bool:
    match = _TITLE.search(title)
    title = match[1].strip() if match is not None else b""
    names = (basename(dirname(path)).encode("utf-8", "surrogateescape"), title)
    return any(name and name in text for name in names for text in texts)
