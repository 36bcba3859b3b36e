"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

import atexit
import gc

# Few objects are garbage before the end: looking for them took a tenth of a start and of a large file. At exit all go
# with the process.
gc.set_threshold(200_000, 10, 10)
atexit.register(gc.freeze)

from sdfinertia.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
