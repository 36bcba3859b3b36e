"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

import sys

from sdfinertia.cli import main

if __name__ == "__main__":
    # Python puts the current directory first; a checked tree could shadow numpy from there.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    main()
