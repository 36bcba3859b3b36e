"""One contract under atheris: libFuzzer looks for inputs that reach new edges of the package and break the contract."""

import importlib
import pkgutil
import random
import sys
import warnings

import atheris

# Share of changed inputs that libFuzzer changes itself, byte by byte; the others keep the structure.
_BYTE_BY_BYTE = 0.4
# Modules that run on the command line only.
_LEFT_OUT = ("sdfinertia.__main__",)


def main(arguments: list[str]) -> None:
    """Fuzzes until libFuzzer's own limits are reached, or an input breaks the contract."""
    _instrument()
    from fuzzing.contracts import CONTRACTS
    from fuzzing.mutation import mutated

    contract = CONTRACTS[arguments[1]]
    words = contract.words()
    # Warnings of numpy would be printed amid the messages of the command.
    warnings.simplefilter("error")

    def changed(data: bytes, limit: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if not data or rng.random() < _BYTE_BY_BYTE:
            return bytes(atheris.Mutate(data, limit))
        return mutated(data, words, rng, limit)

    atheris.Setup([arguments[0], *arguments[2:]], contract.try_input, custom_mutator=changed)
    atheris.Fuzz()


def _instrument() -> None:
    """Loads every module of the package, instrumented: those loaded inside functions too."""
    with atheris.instrument_imports(include=["sdfinertia"], enable_loader_override=False):
        package = importlib.import_module("sdfinertia")
        for module in pkgutil.walk_packages(package.__path__, "sdfinertia."):
            if module.name not in _LEFT_OUT:
                importlib.import_module(module.name)


if __name__ == "__main__":
    main(sys.argv)
