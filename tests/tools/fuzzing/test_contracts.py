"""The contracts that are fuzzed, for the files that fuzzing begins from and some hundred changes to them."""

import random

import pytest
from builders.thoroughness import trials

from fuzzing.harnesses import HARNESSES, LONGEST_INPUT
from fuzzing.mutation import mutated

SEEDS = trials(15, 1000)  # of each kind of file, of which there are a hundred documents
CHANGES = trials(20, 500)  # of each kind of file: those of all thirteen take a second or two


@pytest.mark.slow
@pytest.mark.parametrize("name", HARNESSES)
def test_the_contract_holds_for_files_and_for_changes_to_them(name: str) -> None:
    harness = HARNESSES[name]
    rng = random.Random(name)
    files = list(harness.seeds())
    tried = rng.sample(files, min(len(files), SEEDS))
    changed = [mutated(rng.choice(files), harness.words, rng, LONGEST_INPUT) for _ in range(CHANGES)]
    for data in tried + changed:
        harness.try_input(data)
