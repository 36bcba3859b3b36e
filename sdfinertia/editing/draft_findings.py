"""The findings of a draft, found link by link while a page is shown."""

from __future__ import annotations

from collections.abc import Generator

from sdfinertia.documents.checking import CheckResult, check_steps
from sdfinertia.editing.draft import Draft
from sdfinertia.rules.rule import Finding


class FindingsOf:
    """The findings of a draft.

    Attributes:
        listed: the known ones; none before all links were checked.
    """

    def __init__(self, draft: Draft) -> None:
        self._begin(draft)

    def _begin(self, draft: Draft) -> None:
        self.listed: list[Finding] = []
        self._steps: Generator[None, None, CheckResult] | None = check_steps(draft.document)

    @property
    def are_known(self) -> bool:
        return self._steps is None

    def check_next(self) -> None:
        if self._steps is not None:
            try:
                next(self._steps)
            except StopIteration as done:
                self.listed, self._steps = list(done.value.findings), None

    def check_all(self) -> None:
        while self._steps is not None:
            self.check_next()

    def follow(self, draft: Draft, link: str | None) -> None:
        """Updates them for a draft in which one link changed; all links without one."""
        if self.are_known and link:
            # Findings in other links are the same, but for lines that moved.
            self.listed = [each for each in self.listed if each.key.label != link] + list(draft.findings(link))
            return
        were_known = self.are_known
        self._begin(draft)
        if were_known:
            self.check_all()
