"""The findings of `check` in a text."""

from pathlib import Path
from typing import Any

from sdfinertia.documents.checking import check
from sdfinertia.options import Options
from sdfinertia.rules.rule import Finding


def findings(content: bytes, *select: str, file: Path | str = "/nowhere/m.sdf", **options: Any) -> list[Finding]:
    """The findings of these rules, or of the default ones."""
    return check(content, Options(select=select, **options), filename=str(file))


def codes(content: bytes, *select: str, file: Path | str = "/nowhere/m.sdf", **options: Any) -> list[str]:
    return [finding.code for finding in findings(content, *select, file=file, **options)]
