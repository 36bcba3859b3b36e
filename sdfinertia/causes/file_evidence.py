"""What the links of one file say together: an exporter makes one mistake everywhere, and a template stands on many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from sdfinertia.causes.case import Case, WrittenBlock
from sdfinertia.causes.numeral import numeral

# Significant digits, of different numbers, from which a block is no accident.
_FINGERPRINT = 5
# Tensors from which a file shows how its numbers are rounded, and the longest decimals that round anything away.
_FEWEST, _MOST_PLACES = 3, 7
# Significant digits of a rough estimate.
_ROUGH = 2


def fingerprint(block: WrittenBlock) -> bool:
    """Whether the six have so many digits that the same ones elsewhere are no chance."""
    texts = block.entry_texts if any(block.entry_texts) else [repr(value) for value in block.tensor]
    found = {each.significant for text in texts if (each := numeral(text)) is not None}
    return sum(map(len, found)) >= _FINGERPRINT


class FileEvidence:
    """The blocks of a file, counted once, and the mistakes that its links show without each other."""

    def __init__(
        self, blocks: Sequence[tuple[str, WrittenBlock]], sample: Callable[[], Iterable[Case]] = lambda: ()
    ) -> None:
        self._blocks = blocks
        self._sample = sample
        self._shares: dict[str, Mapping[str, float]] | None = None

    @cached_property
    def sample(self) -> tuple[Case, ...]:
        """Some links of the file, each alone."""
        return tuple(self._sample())

    def sharing(self, block: WrittenBlock) -> int:
        """How many links have the same six, this one counted."""
        return self._counts[block.tensor]

    @cached_property
    def _counts(self) -> Counter[Hashable]:
        return Counter(block.tensor for _, block in self._blocks)

    def with_centre(self, centre: tuple[float, float, float]) -> list[str]:
        """The links that have a centre."""
        return self._by_centre.get(centre, [])

    @cached_property
    def _by_centre(self) -> dict[Hashable, list[str]]:
        found: dict[Hashable, list[str]] = {}
        for name, block in self._blocks:
            found.setdefault(block.centre, []).append(name)
        return found

    @cached_property
    def has_no_centres(self) -> bool:
        """Whether several links have numbers, and none a centre."""
        return len(self._blocks) > 1 and not any(any(block.centre) for _, block in self._blocks)

    @cached_property
    def step(self) -> float | None:
        """The unit (kg·m²) of the last decimal in which all tensors of the file are written; None for no such."""
        places, count = 0, 0
        for _, block in self._blocks:
            numerals = [each for text in block.entry_texts if (each := numeral(text)) is not None and each.significant]
            if any(each.last_place < -_MOST_PLACES for each in numerals):
                return None
            count += bool(numerals)
            places = max([places, *(-(each.last_place + _zeros_at_end(each.digits)) for each in numerals)])
        return 10.0**-places if count >= _FEWEST and places else None

    @cached_property
    def is_rough(self) -> bool:
        """Whether several links have tensors, and none a product or more than two digits."""
        texts = [text for _, block in self._blocks for text in block.entry_texts]
        digits = [len(each.significant) for text in texts if (each := numeral(text)) is not None]
        products = any(any(block.tensor[3:]) for _, block in self._blocks)
        return len(self._blocks) >= _FEWEST and not products and max(digits, default=0) <= _ROUGH

    def habits(self, name: str, shares_of: Callable[[Case], Mapping[str, float]]) -> tuple[Mapping[str, float], int]:
        """What the other links of the sample show: the sum of the shares of each cause, and how many links there are.

        Args:
            name: of the link that is asked about, which is left out.
            shares_of: the share of each cause in a case.
        """
        if self._shares is None:
            self._shares = {case.name: shares_of(case) for case in self.sample}
        total: Counter[str] = Counter()
        others = [shares for link, shares in self._shares.items() if link != name]
        for shares in others:
            total.update(shares)
        return total, len(others)


def _zeros_at_end(digits: str) -> int:
    return len(digits) - len(digits.rstrip("0"))
