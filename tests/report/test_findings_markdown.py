from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sdfinertia.report import FindingsReport
from sdfinertia.report.markdown import code_span, findings_markdown, plain

if TYPE_CHECKING:
    from sdfinertia.rules.rule import Finding


def test_the_report_is_a_table_with_reasons(findings: list[Finding], checked: list[str]) -> None:
    assert findings_markdown(FindingsReport(findings, checked)) == (
        "### sdfinertia check: 3 findings in 2 files (3 files checked)\n"
        "\n"
        "| Level | Rule | Where | Link | Finding | What to do |\n"
        "|---|---|---|---|---|---|\n"
        "| error | SDI101 mass-not-positive | `arm/model.sdf:12` | `arm::hand` | mass is -1 kg "
        "| give the mass in kg |\n"
        "| warning | SDI302 mass-ratio-across-joint | `arm/model.sdf:40` | `arm::base` | 400 kg hang on 1 kg |  |\n"
        "| error | SDI900 unreadable-file | `broken.sdf:3` |  | line 3 ends inside of a tag | mend the XML |\n"
        "\n"
        "* **SDI101 mass-not-positive**: A mass is zero, negative or not finite. Simulators reject the model, or "
        "divide by zero. A frame merged with another URDF link may have zeros.\n"
        "* **SDI302 mass-ratio-across-joint**: Two links that a joint, not a fixed one, connects differ in mass by "
        "more than a factor of 100. Iterative solvers converge badly, and the joint stretches.\n"
        "* **SDI900 unreadable-file**: A file cannot be read as SDF. Nothing in it was checked.\n"
    )
    assert findings_markdown(FindingsReport([], ["a.sdf"])) == "### sdfinertia check: no findings (1 file checked)\n"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a | b", "a &#124; b"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"),
        ("[a](b)", "\\[a\\](b)"),
        ("@someone", "&#64;someone"),
        ("back\\slash", "back\\\\slash"),
        ("a\nb", "a\\\\nb"),
        ("byte \udcff", "byte \ufffd"),
    ],
)
def test_plain_text_holds_no_markup(text: str, escaped: str) -> None:
    assert plain(text) == escaped


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", ""),
        ("a b", "`a b`"),
        ("a|b", "`a\\|b`"),
        ("a`b", "`` a`b ``"),
        ("a``b`c", "``` a``b`c ```"),
        (" a ", "`  a  `"),
        ("a\nb", "`a\\nb`"),
        ("byte \udcff", "`byte \ufffd`"),
    ],
)
def test_code_spans_show_any_text_in_a_cell(text: str, span: str) -> None:
    assert code_span(text) == span


def test_hostile_text_keeps_the_rows_and_cells(hostile: list[Finding]) -> None:
    text = findings_markdown(FindingsReport(hostile, []))
    text.encode("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(hostile)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}
    assert "``` sdfinertia fill 'a\\|b``c' ```" in text
