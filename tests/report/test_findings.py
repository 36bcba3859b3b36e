from __future__ import annotations

import pytest

from sdfinertia.errors import Location
from sdfinertia.report import FindingsReport
from sdfinertia.report.explanations import fitted
from sdfinertia.report.findings import count_line, fix_of, folded, line_of, path_in_repository
from sdfinertia.report.text import findings_text, summary_of
from sdfinertia.robot.problems import Command
from sdfinertia.rules.rule import Effect, Finding


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("SDI101", "bad", Location("a", 1, 1)), "SDI101 bad"),
        (Finding("SDI101", "bad", Location("a", 1, 1), "m::l"), "SDI101 m::l: bad"),
        (Finding("SDI101", "bad", Location("a", 1, 1), "", "mend it"), "SDI101 bad; fix: mend it"),
        (
            Finding("SDI101", "bad\nworse", Location("a", 1, 1), "m\n", "x\x1b"),
            "SDI101 m\\n: bad; worse; fix: x\\x1b",
        ),
        (Finding("SDI101", "byte \udcff", Location("a", 1, 1)), "SDI101 byte \ufffd"),
    ],
)
def test_a_finding_is_one_line(finding: Finding, text: str) -> None:
    assert line_of(finding) == text


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("./a.sdf", "a.sdf"),
        ("a//b/../c.sdf", "a/c.sdf"),
        ("../x.sdf", "../x.sdf"),
        ("/abs/./a.sdf", "/abs/a.sdf"),
        ("-", "-"),
    ],
)
def test_paths_lose_their_detours(file: str, path: str) -> None:
    assert path_in_repository(file) == path


def test_a_finding_is_a_line_with_its_place_first_and_one_with_its_fix(findings: list[Finding]) -> None:
    assert findings_text(FindingsReport(findings)) == (
        "arm/model.sdf:12:7 SDI101 arm::hand: mass is -1 kg\n"
        "  fix: give the mass in kg\n"
        "arm/model.sdf:40:5 SDI302 arm::base: 400 kg hang on 1 kg\n"
        "broken.sdf:3:1 SDI900 line 3 ends inside of a tag\n"
        "  fix: mend the XML\n"
    )
    assert findings_text(FindingsReport([])) == ""


def test_hostile_text_cannot_add_lines_or_escape_sequences(hostile: list[Finding]) -> None:
    text = findings_text(FindingsReport(hostile))
    assert len(text.splitlines()) == len(text.split("\n")) - 1 == len(hostile) + 2
    assert "\x1b" not in text
    assert "\udcff" in text


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("short", 60, "short"),
        ("too much inertia: " + "x" * 30 + "; " + "y" * 30, 60, "too much inertia: " + "x" * 30 + " …"),
        (
            "too much inertia, say: 13 times that " + "x" * 30 + "; y",
            60,
            "too much inertia, say: 13 times that " + "x" * 30 + " …",
        ),
        ("word " * 20, 60, ("word " * 20).strip()),
    ],
)
def test_a_long_text_ends_with_a_whole_clause_and_not_before_its_number(text: str, room: int, shown: str) -> None:
    assert fitted(text.strip(), room) == shown


PLACE = Location("a.sdf", 3, 1)
UNIT = Finding("SDI105", "the default unit tensor", PLACE, "m::l", numbers=(1.0, 1.0))


def test_findings_with_the_same_numbers_are_one_entry_across_links_and_files() -> None:
    others = [UNIT._replace(link=f"m::l{k}", location=Location("b.sdf", k, 1)) for k in range(1, 4)]
    different = UNIT._replace(numbers=(2.0, 2.0), location=Location("c", 1, 1))
    assert findings_text(FindingsReport([UNIT, *others, different])).splitlines() == [
        "a.sdf:3:1 SDI105 m::l and 3 more links in 2 files: the default unit tensor",
        "c:1:1 SDI105 m::l: the default unit tensor",
    ]
    assert count_line(FindingsReport([UNIT, *others], ["a.sdf", "b.sdf"])) == "1 finding in 2 files (2 files checked)"


def test_more_than_three_that_differ_in_numbers_alone_are_one_entry_that_all_details_take_apart() -> None:
    alike = [Finding("SDI101", f"mass is -{k} kg", Location("a.sdf", k, 1), f"m::l{k}") for k in range(1, 6)]
    assert findings_text(FindingsReport(alike)) == "a.sdf:1:1 SDI101 m::l1 and 4 more links: mass is -1 kg\n"
    details = findings_text(FindingsReport(alike, lists_all=True)).splitlines()
    assert details[1] == "  also a.sdf:2:1 m::l2: mass is -2 kg"
    assert len(findings_text(FindingsReport(alike[:3])).splitlines()) == 3


def test_entries_of_a_file_that_one_command_fixes_stand_above_it() -> None:
    def fill(*links: str, path: str = "a.sdf") -> Command:
        return Command(("sdfinertia", "fill", "--all"), links, path)

    found = [
        Finding("SDI205", "a", PLACE, "m::l", fill("l")),
        Finding("SDI202", "b", PLACE, "m::x", "take it from CAD"),
        Finding("SDI204", "c", PLACE, "m::k", fill("k")),
        Finding("SDI204", "c", Location("b.sdf", 1, 1), "m::k", fill("k", path="b.sdf"), numbers=(1.0,)),
        Finding("SDI204", "d", Location("c.sdf", 1, 1), "m::k", fill("k", path="c.sdf"), numbers=(1.0,)),
        Finding("SDI205", "e", Location("d.sdf", 1, 1), "m::l", Command(("sdfinertia", "repair"), ("l",), "d.sdf")),
    ]
    assert findings_text(FindingsReport(found)).splitlines() == [
        "a.sdf:3:1 SDI205 m::l: a",
        "a.sdf:3:1 SDI204 m::k: c",
        "  fix: sdfinertia fill --all --link l --link k a.sdf",
        "a.sdf:3:1 SDI202 m::x: b",
        "  fix: take it from CAD",
        "b.sdf:1:1 SDI204 m::k and 1 more link in 2 files: c",
        "  fix: sdfinertia fill --all --link k b.sdf c.sdf",
        "d.sdf:1:1 SDI205 m::l: e",
        "  fix: sdfinertia repair d.sdf",
    ]
    assert list(summary_of(FindingsReport(found, ["a.sdf"]), suggests=True)) == [
        "5 findings in 4 files (1 file checked): 3 fixed by `sdfinertia fill --all`, 1 by `sdfinertia repair`, "
        "1 needs you"
    ]


def test_a_command_names_every_file_of_its_finding_or_their_directory() -> None:
    def fixes(names: str, *words: str, links: str = "") -> list[str]:
        found = [
            Finding(
                "SDI204",
                "c",
                Location(f"x/{name}.sdf", 1, 1),
                "m::k",
                Command(("sdfinertia", *words), (links[index : index + 1] or "k",), f"x/{name}.sdf"),
                numbers=(1.0,),
            )
            for index, name in enumerate(names)
        ]
        return findings_text(FindingsReport(found)).splitlines()[1:]

    assert fixes("ab", "repair") == ["  fix: sdfinertia repair x/a.sdf x/b.sdf"]
    assert fixes("abcde", "repair") == ["  fix: sdfinertia repair x"]
    assert fixes("abcde", "fill", "--all") == [
        "  fix: sdfinertia fill --all --link k x/a.sdf x/b.sdf x/c.sdf x/d.sdf x/e.sdf",
    ]
    assert fixes("ab", "fill", "--all", links="kl") == [
        "  fix: sdfinertia fill --all --link k x/a.sdf",
        "  fix: sdfinertia fill --all --link l x/b.sdf",
    ]


def test_a_finding_folded_over_files_has_the_command_of_all_of_them() -> None:
    found = [
        Finding("SDI204", "c", Location(file, 1, 1), "m::k", Command(words, ("k",), file), numbers=(1.0,))
        for file, words in (("a", ("repair",)), ("b", ("repair",)), ("c", ("fill",)))
    ]
    (whole,) = folded(found)
    assert (str(whole.advice), len(whole.copies)) == ("repair --link k a b", 2)


@pytest.mark.parametrize(
    ("codes", "checked", "line"),
    [
        ([], [], "nothing checked"),
        ([], ["a.sdf"], "no findings (1 file checked)"),
        (["SDI101"], ["a.sdf", "b.sdf"], "1 finding in 1 file (2 files checked)"),
        (["SDI101", "SDI103"], ["a.sdf", "a.sdf"], "2 findings in 1 file (1 file checked)"),
    ],
)
def test_the_counts_are_told(codes: list[str], checked: list[str], line: str) -> None:
    found = [Finding(code, "", Location("a.sdf", 1, 1)) for code in codes]
    assert count_line(FindingsReport(found, checked)) == line


def test_what_another_version_has_is_not_among_those_to_fix_first() -> None:
    effect = Effect(1.0, 1.0)
    found = [Finding("SDI102", "no body", PLACE, f"m::l{k}", f"weigh {'abcdef'[k]}", effect=effect) for k in range(6)]
    remedy = "give <sdf> the version 1.6"
    of_version = Finding("SDI108", "SDFormat 1.4 has no <x>", PLACE, "m::x", remedy, effect=effect)
    lines = list(summary_of(FindingsReport([of_version, *found], ["a.sdf"]), suggests=True))
    assert lines[:2] == ["fix these first:", "  a.sdf:3:1 SDI102 m::l0 (100 % of the mass, inertia 100 % off)"]
    assert not any("SDI108" in line for line in lines)


def test_a_fix_that_would_fail_is_none() -> None:
    sure = Finding("SDI001", "", Location("a.sdf", 1, 1))
    others = (sure._replace(is_fixable=False), sure._replace(code="SDI101"), sure._replace(code="SDI104"))
    assert [fix_of(each) for each in (sure, *others)] == ["safe", "none", "none", "none"]
