"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

import gc
import sys
from types import ModuleType

from sdfinertia.cli import main as command


class _LoadedWhenUsed(ModuleType):
    """A module of which nothing is executed until something of it is used.

    `importlib.util.LazyLoader` executes a module as soon as another imports it.
    """

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(__import__(self.__name__), name)


def main() -> None:
    # Click imports it to clean help texts: with what it imports, a tenth of a run with nothing to do (before Python
    # 3.13, where dataclasses use it).
    sys.modules.setdefault("inspect", _LoadedWhenUsed("inspect"))
    # Objects made while modules load live as long as the process: keep them out of garbage collection.
    gc.disable()

    gc.freeze()
    gc.enable()
    command()


if __name__ == "__main__":
    # Python puts the current directory first; a checked tree could shadow numpy from there.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    main()
