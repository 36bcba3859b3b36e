"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

import gc
import sys


def main() -> None:
    # Objects made while modules load live as long as the process: keep them out of garbage collection.
    gc.disable()
    from sdfinertia.cli import main as command

    gc.freeze()
    gc.enable()
    command()


if __name__ == "__main__":
    # Python puts the current directory first; a checked tree could shadow numpy from there.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    main()
