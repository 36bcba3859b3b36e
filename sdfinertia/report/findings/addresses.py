"""Where the project is published: the one place that knows."""

from __future__ import annotations

# None until there is such an address: nothing then names one, rather than one where nothing is. They go without a slash
# at their end, such as https://example.org/sdfinertia. The repository's stands in pyproject.toml too, which cannot ask.
REPOSITORY: str | None = None
DOCUMENTATION: str | None = None


def rule_address(code: str) -> str | None:
    """Where a rule is explained, on a page of its own; None where nothing is published."""
    return f"{DOCUMENTATION}/reference/rules/{code}.html" if DOCUMENTATION is not None else None
