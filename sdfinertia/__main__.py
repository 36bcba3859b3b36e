"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

import gc
import sys


def main() -> None:
    # What modules are made of stays, and is not looked through for garbage while they load, nor ever after.
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
