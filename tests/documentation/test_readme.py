"""The front page: short, and nothing on it that is not true."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pictures import PICTURE, picture
from screenshots import EDIT, REPORT, rover, said, text_in

import sdfinertia
from sdfinertia.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Pages that are read in the repository itself; the others are held by the strict build of the documentation.
FRONT = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def links_of(page: str) -> Iterator[str]:
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            yield target


def test_it_is_read_in_a_minute_and_shows_commands() -> None:
    assert len(README.splitlines()) <= 120
    assert len(list(commands())) >= 5


@pytest.mark.parametrize("page", FRONT)
def test_what_a_page_links_to_is_there(page: str) -> None:
    for target in links_of(page):
        path, _, anchor = target.partition("#")
        found = ROOT / path if path else ROOT / page
        assert found.exists(), target
        assert not anchor or anchor in anchors_of(found), target


def test_its_pictures_are_small() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) == 2
    assert all(5_000 < (ROOT / each).stat().st_size < 300_000 for each in pictures)


def block(heading: str) -> str:
    (found,) = re.findall(rf"```xml\n(<link[^\n]*<!-- {heading} -->\n.*?)```", README, re.DOTALL)
    return str(found).partition("\n")[2]


def test_before_becomes_after(tmp_path: Path) -> None:
    rover = shutil.copytree(ROOT / "fixtures" / "rover", tmp_path / "rover") / "model.sdf"
    assert block("before") in re.sub("^    ", "", rover.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sdfinertia.fill(rover).write()
    assert block("after") in re.sub("^    ", "", rover.read_text(encoding="utf-8"), flags=re.MULTILINE)


def commands() -> Iterator[list[str]]:
    for line in re.findall(r"^    (sdfinertia .*)$|^\$ (sdfinertia .*)$", README, re.MULTILINE):
        yield shlex.split("".join(line), comments=True)[1:]


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_a_command_has_the_options_that_it_shows(words: list[str]) -> None:
    command = main.commands[words[0]]
    known = {word for option in command.params for word in option.opts}
    assert {word for word in words[1:] if word.startswith("-")} <= known


# Addresses ------------------------------------------------------------------------------------------------------------


def test_no_page_names_an_owner_or_an_index_that_has_nothing() -> None:
    for path in [*map(ROOT.joinpath, FRONT), ROOT / "action.yml", *(ROOT / "docs").rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert "OWNER" not in text, path
        assert not re.search(r"pip install \"?'?sdfinertia\b", text), path


# Pictures -------------------------------------------------------------------------------------------------------------


def test_pictures_of_pages_show_what_is_said_now(tmp_path: Path) -> None:
    text = said(rover(tmp_path))
    assert text.count("\n") == 1
    assert [text_in(each) for each in (REPORT, EDIT)] == [text, text], "make pictures takes them again"


# The picture of open meshes -------------------------------------------------------------------------------------------


def test_the_picture_of_open_meshes_is_as_it_is_drawn() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "python docs/hooks/pictures.py draws it anew"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/explanations/design.md"])
def test_the_modules_that_a_page_names_are_there(page: str) -> None:
    named = re.findall(r"`((?:sdfinertia/)?[a-z_]+/[a-z_/]+?)(?:\.py)?/?`", (ROOT / page).read_text(encoding="utf-8"))
    found = [ROOT / name if (ROOT / name.partition("/")[0]).is_dir() else ROOT / "sdfinertia" / name for name in named]
    assert found
    assert [str(each) for each in found if not each.with_suffix(".py").is_file() and not each.is_dir()] == []
