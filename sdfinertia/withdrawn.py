"""Options, keys, values and names of rules that are gone, and what takes their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

WITHDRAWN: Mapping[str, str] = {
    # Options and keys of configuration files.
    "cache": "set the environment variable SDFINERTIA_CACHE_DIR",
    "auto": "filling removes the attribute auto",
    "explain": "use `sdfinertia rules CODE`",
    "json": "use --format json, or of fill and repair --report FILE.json",
    "max-mesh-bytes": "a mesh may have 1 GiB",
    "statistics": "the summary counts the findings, and --format json lists their codes",
    "twins": "`sdfinertia check` compares a link with its twin",
    "unsafe-fixes": "use `sdfinertia fill --missing`",
    "watch": "`sdfinertia edit` shows a page that follows the file",
    # Values of open-mesh.
    "divergence": "choose fill_holes or convex_hull",
    # Names of rules.
    "gyradius-beyond-shape": "write inertia-beyond-shape",
    "idle-suppression": "write unused-suppression",
    "lost-reference": "write unresolved-reference",
    "refused-for-rounding": "write rejected-for-rounding",
    "slip-beside-mesh": "write likely-mistake",
    "too-light-to-turn": "write inertia-below-shape",
}


def instead_of(word: str) -> str:
    """What takes the place of an option, key, value or name that is gone; "" for any other."""
    return WITHDRAWN.get(word.removeprefix("--"), "")
