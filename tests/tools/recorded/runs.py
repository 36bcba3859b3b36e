"""What the commands do with a document, as lines of a record: exit statuses, digests, places and numbers, no words."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.invocation import invoke

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIXES = (".sdf", ".world", ".urdf", ".xacro", ".xml")
FILLS = {"fill": (), "fill --missing": ("--missing",), "fill --all": ("--all",)}
# Each option that shapes a block or the set of them, given to `fill --all --missing`.
OPTIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("--density", "2700"),
    ("--require-density",),
    ("--total-mass", "7"),
    ("--overlaps", "union"),
    ("--geometry", "visual"),
    ("--skip-unsupported",),
    ("--accept-size",),
    ("--axes", "principal"),
    ("--digits", "6"),
    ("--digits", "17"),
    ("--no-provenance",),
    ("--keep-going",),
    ("--open-mesh", "convex_hull"),
    ("--open-mesh", "fill_holes"),
    ("--open-mesh", "shell", "--thickness", "0.002"),
    ("--open-mesh", "voxel", "--voxel-size", "0.1"),
)
BLOCK = re.compile(
    rb"<(?:link|body)\b[^>]*?\bname\s*=\s*[\"']([^\"']*)|<!-- sdfinertia: ([^>]*inputs=[^>]*?) -->|<!--.*?-->", re.S
)
SIZE = re.compile(rb"(<(?:radius|length|height)>\s*|<(?:size|radii)>\s*|\b(?:radius|size)\s*=\s*[\"']\s*)([\d.e+-]+)")


def check(*arguments: str) -> tuple[int, dict[str, Any]]:
    status, out, _ = _run("check", "--format", "json", *arguments)
    return status, json.loads(out or b"{}")


def fill(*arguments: str) -> tuple[int, str]:
    """The status and what was said."""
    status, _, err = _run("fill", "--quiet", *arguments)
    return status, err


def show(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    status, out, err = _run("show", "--format", "json", "--computed", *arguments)
    return status, json.loads(out or b"[]"), err


def _run(*arguments: str) -> tuple[int, bytes, str]:
    done = invoke([*arguments, "--no-cache"])
    return done.exit_code, done.stdout_bytes, done.stderr


class Corpus:
    """A directory of documents that may be written to; each is as it was after its runs."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        files = sorted(path for path in self.root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
        texts = {path: path.read_bytes() for path in files}
        self._texts = {path: text for path, text in texts.items() if path.suffix != ".xml" or b"<mujoco" in text}
        found = (path for kind in ("models", "pkgs", "assets") for path in sorted(self.root.glob(f"*/{kind}")))
        self._found = [word for path in found for word in ("--resource-path", str(path))]

    @property
    def paths(self) -> list[Path]:
        return list(self._texts)

    def entries(self, path: Path, options: Sequence[tuple[str, ...]]) -> dict[str, str]:
        """By command; a value that is another's is named after that."""
        entries, seen = dict[str, str](), dict[str, str]()
        for command, value in self._values(path, options):
            same = seen.setdefault(value, command)
            entries[command] = value if same == command or len(value) < 30 else f"= {same}"
        return entries

    def _values(self, path: Path, options: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
        yield "bytes", _digest(self._texts[path])
        yield "check", self._check(path)
        yield "show", self._show(path)
        fills = {**FILLS, **{" ".join(["with", *option]): ("--all", "--missing", *option) for option in options}}
        for command, arguments in fills.items():
            yield command, self._fill(path, arguments)
            if any(each.read_bytes() != self._texts[each] for each in self._siblings(path)):
                yield f"check after {command}", self._check(path)
                if command not in FILLS:
                    # Of another size, it is filled again by what its comments record.
                    path.write_bytes(SIZE.sub(rb"\g<1>1\2", path.read_bytes()))
                    yield f"refill after {command}", self._fill(path, ())
            for each in self._siblings(path):
                each.write_bytes(self._texts[each])

    def _siblings(self, path: Path) -> list[Path]:
        """The documents that a run may write."""
        parts = (".xml", ".xacro")
        return [each for each in self._texts if each.suffix in parts] if path.suffix in parts else [path]

    def _fill(self, path: Path, arguments: Sequence[str]) -> str:
        status, err = fill(*arguments, *self._found, str(path))
        words = [str(status), *(f"!{place}" for place in self._places(err, path))]
        for each in self._siblings(path):
            text = each.read_bytes()
            if text != self._texts[each]:
                words += [f"{self._short(each, path)}#{_digest(text)}", *_blocks(text)]
        return " ".join(words)

    def _check(self, path: Path) -> str:
        status, document = check(*self._found, str(path))
        found = []
        for each in document.get("findings", ()):
            codes, level = "+".join([each["code"], *each["also"]]), each["level"] + "-minor" * each["minor"]
            found.append(f"{codes},{level},{each['link']},{self._place(each, path)}")
        found += [f"unjudged,{each['link']},{self._place(each, path)}" for each in document.get("not_judged", ())]
        return " ; ".join([str(status), *sorted(found)])

    def _show(self, path: Path) -> str:
        status, documents, err = show(*self._found, str(path))
        words = [str(status), *(f"!{place}" for place in self._places(err, path))]
        for body in (body for document in documents for body in document["bodies"]):
            # The solids of a link follow it.
            start = f"+{body['origin'][:3]}" if " / " in body["name"] else f" {body['name']}={body['origin']}"
            words[-1] += start + "".join(f",{_rounded(body[key])}" for key in ("inertia", "computed") if body.get(key))
        return " ".join(words)

    def _place(self, finding: dict[str, Any], path: Path) -> str:
        return f"{self._short(Path(finding['file']), path)}{finding['line']}:{finding['column']}"

    def _places(self, text: str, path: Path) -> list[str]:
        """The places that lines begin with."""
        found = re.findall(rf"^({re.escape(str(self.root))}[^\n]*?):(\d+):(\d+): (?!warning: )", text, re.M)
        return sorted({f"{self._short(Path(file), path)}{line}:{column}" for file, line, column in found})

    def _short(self, file: Path, path: Path) -> str:
        """Nothing for the document itself."""
        return "" if file == path else f"{os.path.relpath(file, path.parent)}:"


def copied(root: Path, copy: Path) -> Path:
    shutil.copytree(root, copy, copy_function=shutil.copyfile, symlinks=False, ignore_dangling_symlinks=True)
    return copy


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:8]


def _blocks(text: bytes) -> Iterator[str]:
    """The provenance of each filled link: its digests are of the inputs and of the numbers."""
    name = ""
    for match in BLOCK.finditer(text):
        if match[1] is not None:
            name = match[1].decode("utf-8", "replace")
        elif match[2] is not None:
            words = [word.removeprefix("inputs=").removeprefix("values=")[:60] for word in match[2].decode().split()]
            *others, inputs, values = words
            yield f"{name}={','.join([*others, inputs[:6], values[:6]])}"


def _rounded(inertia: dict[str, Any]) -> str:
    """The digest of mass, centre and tensor to nine digits; what is next to nothing beside the rest is nothing."""
    tensor = [inertia[name] for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
    gyration = (max(map(abs, tensor)) / abs(inertia["mass"] or 1.0)) ** 0.5
    groups = ([inertia["mass"]], [*inertia["com"], gyration], tensor)
    texts = [f"{x if abs(x) > 1e-9 * max(map(abs, group)) else 0.0:.9g}" for group in groups for x in group]
    return _digest(" ".join(texts).encode())[:6]
