"""Cached facts, and cached errors that make a fact unknown."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from sdfinertia.errors import SdfInertiaError

__all__ = ["Facts", "cached_with_facts", "fact"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as fact

    from sdfinertia.links.context import Context

else:

    class fact:  # noqa: N801  # to be read as a decorator
        """A cached property; an error is cached and raised again.

        A subclass of `cached_property` takes twice as long, for its lock.
        """

        def __init__(self, find: Any) -> None:
            self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

        def __get__(self, owner: Any, kind: type) -> Any:
            if owner is None:
                return self
            if not owner.errors or (error := owner.errors.get(self.name)) is None:
                try:
                    # Kept under the property's own name, so that Python finds it without this descriptor.
                    value = owner.__dict__[self.name] = self.find(owner)
                    return value
                except SdfInertiaError as failure:
                    error = owner.errors[self.name] = failure
            # The traceback would keep the tree of the file.
            raise error.with_traceback(None)


_T = TypeVar("_T")
_Facts = TypeVar("_Facts", bound="Facts")


class Facts:
    """Facts of an object; one that is unknown raises the SdfInertiaError that says why."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.errors: dict[str, SdfInertiaError] = {}
        self.found: dict[Callable[[Any], Any], Any] = {}

    def error(self, name: str) -> SdfInertiaError | None:
        """The error that makes a fact unknown; None where it is known."""
        if name in self.__dict__:
            return None
        if not self.errors or name not in self.errors:
            try:
                getattr(self, name)
            except SdfInertiaError:
                pass
            finally:
                self.context.forget_contents()
        found = self.errors.get(name)
        # The traceback would keep the tree of the file.
        return found.with_traceback(None) if found is not None else None

    def known(self, name: str) -> Any:
        """A fact, or None where it is unknown."""
        return getattr(self, name) if self.error(name) is None else None

    def outcome(self, name: str) -> Any:
        """A fact, or the error that says why it is unknown."""
        return self.error(name) or getattr(self, name)


def cached_with_facts(find: Callable[[_Facts], _T]) -> Callable[[_Facts], _T]:
    """A function of facts whose result is cached with them."""

    @wraps(find)
    def found(facts: _Facts) -> _T:
        cache = facts.found
        if found not in cache:
            cache[found] = find(facts)
        result: _T = cache[found]
        return result

    return found
