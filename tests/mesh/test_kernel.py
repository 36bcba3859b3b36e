from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from sdfinertia.mesh import kernel as module
from sdfinertia.mesh.kernel import distinct_rows, row_hashes

CHUNK = module._CHUNK


def _one_hash(rows):
    return np.zeros(len(rows), np.uint64)


def _two_bit_hash(rows):
    return row_hashes(rows) & np.uint64(3)


def _hash_of_the_first_column(rows):
    return row_hashes(np.column_stack((rows[:, 0], rows[:, 0], rows[:, 0])))


def distinct_by(hash_rows: Callable, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is made of the rows if that is their hash."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "row_hashes", hash_rows)
        return distinct_rows(rows)


HASHES = [row_hashes, _one_hash, _two_bit_hash, _hash_of_the_first_column]


def numbered(rows: np.ndarray) -> tuple[list[int], list[int]]:
    """What a dictionary makes of the rows: where each first stands, and the number of each."""
    first: dict[bytes, int] = {}
    numbers: dict[bytes, int] = {}
    number = []
    for place, row in enumerate(rows):
        key = row.tobytes()
        first.setdefault(key, place)
        number.append(numbers.setdefault(key, len(numbers)))
    return list(first.values()), number


@cache
def rows_numbered(count: int, dtype: type) -> tuple[np.ndarray, tuple[list[int], list[int]]]:
    """So many rows, and what a dictionary makes of them."""
    rows = np.random.default_rng(count).integers(0, 19, (count, 3)).astype(dtype)
    rows.flags.writeable = False
    return rows, numbered(rows)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("hash_rows", HASHES)
@pytest.mark.parametrize("count", [512, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1])
def test_distinct_rows_are_those_of_a_dictionary_at_every_size(count: int, hash_rows: Callable, dtype: type):
    rows, expected = rows_numbered(count, dtype)
    first, number = distinct_by(hash_rows, rows)
    assert (first.tolist(), number.tolist()) == expected
