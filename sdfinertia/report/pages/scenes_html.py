"""What `show` shows as a page of HTML."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.documents.scene import Scene
from sdfinertia.report.pages.html_report import html_report


def render(scenes: Sequence[Scene]) -> str:
    """The page."""
    return html_report("Mass properties", scenes)
