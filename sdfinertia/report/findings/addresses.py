"""Where the project is published: the one place that knows."""

from __future__ import annotations

# None until there is such an address: reports then name none, rather than one where nothing is. It goes without a
# slash at its end, such as https://example.org/sdfinertia.
REPOSITORY: str | None = None

# The heading of the README under which the rules stand.
_RULES_ANCHOR = "checking"


def rules_address() -> str | None:
    """Where the rules are explained; None where nothing is published."""
    return f"{REPOSITORY}#{_RULES_ANCHOR}" if REPOSITORY is not None else None
