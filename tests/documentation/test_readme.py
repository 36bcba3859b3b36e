"""The front page: short, and nothing on it that is not true."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pictures import PICTURE, hull, picture, voxels, winding
from reference import pages
from screenshots import EDIT, REPORT, rover, said, text_in

import sdfinertia
from sdfinertia.causes.registry import GROUP_OF_CAUSE
from sdfinertia.cli import main
from sdfinertia.errors import Location
from sdfinertia.report import rules as rules_in_words
from sdfinertia.report.causes import why_words
from sdfinertia.report.formats import FindingsReport, format_named
from sdfinertia.report.rules import explanation
from sdfinertia.rules.registry import RULE_OF_CODE, RULES
from sdfinertia.rules.rule import Finding

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
        if rules_in_words.REPOSITORY is None:
            assert not re.search(r"pip install \"?'?sdfinertia\b", text), path


def test_the_package_says_the_address_that_reports_say() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    if rules_in_words.REPOSITORY is None:
        assert "[project.urls]" not in project
    else:
        assert f'Repository = "{rules_in_words.REPOSITORY}"' in project


PAGE = "https://example.org/pages/reference/rules/SDI103.html"


def findings_as(form: str) -> str:
    finding = Finding("SDI103", "is no body's", Location("m.sdf", 1, 1), "m::a")
    return format_named(form).render(FindingsReport([finding], [RULE_OF_CODE["SDI103"]], ["m.sdf"]), "findings")


@pytest.mark.parametrize(
    ("told", "as_published"),
    [
        (lambda: explanation("triangle-inequality"), f"\nMore: {PAGE}"),
        (lambda: findings_as("markdown"), f"**[SDI103 triangle-inequality]({PAGE})**"),
        (lambda: findings_as("html"), f'<a href="{PAGE}">triangle-inequality</a>'),
        (lambda: findings_as("sarif"), f'"helpUri": "{PAGE}"'),
    ],
    ids=["rules", "markdown", "html", "sarif"],
)
def test_a_finding_leads_to_the_page_of_its_rule_once_that_is_published(told, as_published, monkeypatch):
    assert "reference/rules" not in told()
    monkeypatch.setattr(rules_in_words, "DOCUMENTATION", "https://example.org/pages")
    assert as_published in told()


def test_the_pages_of_rules_are_where_findings_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("manifold3d", reason="what the pages of some rules show needs the extra `robust`")
    monkeypatch.setattr(rules_in_words, "DOCUMENTATION", "https://example.org/pages")
    made = {path.removesuffix(".md") for path, _ in pages()}
    for rule in RULES:
        address = str(rules_in_words.rule_address(rule.code))
        assert address.removeprefix("https://example.org/pages/").removesuffix(".html") in made


def test_a_cause_leads_to_its_section_once_that_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "docs" / "examples" / "mistakes" / "forearm.urdf"
    (finding,) = sdfinertia.check(path, sdfinertia.Options(why=True))
    assert finding.why is not None
    assert "causes.html" not in why_words(finding.why, lists_all=True)
    monkeypatch.setattr(rules_in_words, "DOCUMENTATION", "https://example.org/pages")
    address = "https://example.org/pages/reference/causes.html#decimal-point"
    assert why_words(finding.why, lists_all=True).endswith(f"; see {address}")
    assert address not in why_words(finding.why)
    report = FindingsReport([finding], [RULE_OF_CODE[finding.code]], [str(path)])
    assert f'"causeUri": "{address}"' in format_named("sarif").render(report, "findings")
    anchors = {str(rules_in_words.cause_address(name)).partition("#")[2] for name in GROUP_OF_CAUSE}
    assert len(anchors) == len(GROUP_OF_CAUSE)


# Pictures -------------------------------------------------------------------------------------------------------------


def test_pictures_of_pages_show_what_is_said_now(tmp_path: Path) -> None:
    text = said(rover(tmp_path))
    assert text.count("\n") == 1
    assert [text_in(each) for each in (REPORT, EDIT)] == [text, text], "make pictures takes them again"


# The picture of open meshes -------------------------------------------------------------------------------------------


def test_the_picture_of_open_meshes_is_as_it_is_drawn() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "python docs/hooks/pictures.py draws it anew"


def test_the_drawing_takes_a_cup_for_what_it_holds() -> None:
    cup = [(0.0, 2.0), (0.0, 0.0), (1.0, 0.0), (1.0, 2.0)]
    assert winding(cup, (0.5, 0.5)) > 0.5 > winding(cup, (0.5, 2.5))
    assert winding([*cup, cup[0]], (0.5, 0.5)) == pytest.approx(1.0)
    assert len(list(voxels(cup, 0.4))) == pytest.approx(2 / 0.16, abs=3)
    assert sorted(hull([*cup, (0.5, 0.5)])) == sorted(cup)
