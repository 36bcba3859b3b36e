import itertools
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


@pytest.mark.parametrize("hash_rows", [row_hashes, _hash_of_the_first_column])
@pytest.mark.parametrize("count", [512, 1025, CHUNK + 1])
@pytest.mark.parametrize("of", [0, 1, -2])
def test_a_single_row_that_stands_twice_is_found_wherever_it_is(of: int, count: int, hash_rows: Callable):
    rows = np.random.default_rng(count).permutation(3 * count).reshape(count, 3).astype(np.uint64)
    rows[-1] = rows[of]
    first, number = distinct_by(hash_rows, rows)
    assert first.tolist() == list(range(count - 1))
    assert number.tolist() == [*range(count - 1), of % count]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hashes_of_all_small_lattice_points_differ(dtype: type):
    lattice = np.array(list(itertools.product(range(-10, 10), repeat=3)), dtype)
    bits = lattice.view(np.uint32 if dtype == np.float32 else np.uint64)
    assert len(np.unique(row_hashes(bits))) == 8000
    # Chance alone puts 15 of 8000 rows into a place of 2^21 that another has, whichever bits are the place.
    for shift in (0, 20, 43):
        slots = (row_hashes(bits) >> np.uint64(shift)) & np.uint64((1 << 21) - 1)
        assert len(np.unique(slots)) > 7950
