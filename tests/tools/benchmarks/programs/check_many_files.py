"""Checks the files of a directory so many times over, with two processes: `check_many_files.py DIRECTORY COUNT`.

The caller takes each result and keeps none, so its memory must not grow with their number.
"""

import itertools
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor

from sdfinertia import check_many

if __name__ == "__main__":
    directory, count = sys.argv[1], int(sys.argv[2])
    paths = [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        results = check_many(itertools.islice(itertools.cycle(paths), count), executor=executor)
        assert sum(result.error is None for result in results) == count
