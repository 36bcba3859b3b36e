"""Models of Gazebo Fuel in local copies, laid out as its client does. Nothing is ever downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from sdfinertia.errors import ResourceError
from sdfinertia.named_tuple import NamedTuple

_DEFAULT_CACHE = os.path.join("~", ".gz", "fuel")
# One server under its present name and that of before 2022; copies exist under either.
_SERVERS = ("fuel.gazebosim.org", "fuel.ignitionrobotics.org")
# What addresses call the version with the highest number.
_NEWEST = "tip"


class FuelAddress(NamedTuple):
    """The parts of `https://SERVER/1.0/OWNER/models/NAME[/VERSION][/files/INSIDE]`."""

    scheme: str
    server: str
    model: tuple[str, ...]
    version: str
    inside: tuple[str, ...]

    @property
    def is_of_model(self) -> bool:
        """Whether it names a model of Fuel, not any file on the web."""
        return len(self.model) == 3 and self.model[1].lower() == "models"

    @property
    def command(self) -> str:
        from urllib.parse import quote

        parts = (self.server, "1.0", *self.model, *((self.version,) if self.version else ()))
        return f"gz fuel download -u {self.scheme}://{quote('/'.join(parts))}"


def fuel_address(uri: str) -> FuelAddress:
    # Loaded where a uri is one of Fuel.
    from urllib.parse import unquote

    scheme, _, address = uri.partition("://")
    server, *parts = unquote(address).rstrip("/").split("/")
    if parts and re.fullmatch(r"[0-9.]+", parts[0]):
        parts = parts[1:]
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in (server, *parts)):
        raise ResourceError(f"'{uri}' is not an address of Gazebo Fuel")
    version = parts[3] if len(parts) > 3 and parts[3].isdigit() else ""
    inside = parts[parts.index("files") + 1 :] if "files" in parts[3:] else []
    return FuelAddress(scheme, server, tuple(parts[:3]), version, tuple(inside))


def fuel_cache(environment: Mapping[str, str]) -> str:
    return os.path.expanduser(environment.get("GZ_FUEL_CACHE_PATH") or _DEFAULT_CACHE)


def fuel_places(
    address: FuelAddress, cache: str, resource_paths: Sequence[str], may_read: Callable[[str], bool]
) -> Iterator[str]:
    """Where a copy may be: in the resource paths, with or without the server's folder, then in the cache."""
    servers = [address.server, *(name for name in _SERVERS if address.server in _SERVERS and name != address.server)]
    # Gazebo's client stores names in lower case; copies made by hand may keep them.
    lower = tuple(part.lower() for part in address.model)
    for model in dict.fromkeys((lower, address.model)):
        for folder in resource_paths:
            for server in ("", *servers):
                yield from _versions(os.path.join(folder, server, *model), address, may_read)
    for server in servers:
        yield from _versions(os.path.join(cache, server, *lower), address, may_read)


def _versions(model: str, address: FuelAddress, may_read: Callable[[str], bool]) -> Iterator[str]:
    numbers = [address.version] if address.version else _numbered_folders(model) if may_read(model) else []
    for version in numbers or (_NEWEST,):
        yield os.path.join(model, version, *address.inside)


def _numbered_folders(directory: str) -> list[str]:
    try:
        names = [name for name in os.listdir(directory) if name.isascii() and name.isdigit()]
    except OSError:
        return []
    return sorted(names, key=int, reverse=True)
