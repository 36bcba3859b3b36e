"""Findings in every format that files and pipes take; each is loaded where it is asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError
from sdfinertia.rules.rule import Finding, Rule

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene

# The formats of reports by the suffix of the file.
_FORMATS = {".md": "markdown", ".json": "json", ".sarif": "sarif", ".xml": "junit", ".html": "html"}


def format_of_report(path: str) -> str:
    """The format that the name of a report asks for.

    Raises:
        ConfigurationError: it asks for none that is known.
    """
    format_name = _FORMATS.get(os.path.splitext(path)[1].lower())
    if format_name is None:
        known = ", ".join(_FORMATS)
        raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {known}")
    return format_name


def rendered(
    format_name: str,
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    checked: Sequence[str],
    scenes: Sequence[Scene] = (),
) -> str:
    """The findings in a format.

    Args:
        format_name: text, json, github, sarif, junit, markdown or html.
        rules: all there are.
        checked: the files that were looked at.
        scenes: the models in them, which a page of HTML shows.
    """
    if format_name == "json":
        from sdfinertia.report.findings_json import json_findings

        return json_findings(findings, rules, checked)
    if format_name == "github":
        from sdfinertia.report.findings_github import workflow_commands

        return workflow_commands(findings, rules)
    if format_name == "sarif":
        from sdfinertia.report.findings_sarif import sarif_log

        return sarif_log(findings, rules, checked)
    if format_name == "junit":
        from sdfinertia.report.findings_junit import junit_report

        return junit_report(findings, rules, checked)
    if format_name == "markdown":
        from sdfinertia.report.findings_markdown import markdown_report

        return markdown_report(findings, rules, checked)
    if format_name == "html":
        from sdfinertia.report.findings_html import findings_page

        return findings_page(findings, rules, checked, scenes)
    from sdfinertia.report.findings_text import finding_lines

    return finding_lines(findings)
