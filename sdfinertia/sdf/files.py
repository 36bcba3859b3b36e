"""Reading a file as bytes, and names that tell what a file is."""

from __future__ import annotations

from sdfinertia.errors import ResourceError

SUFFIXES = (".sdf", ".world")
# Templates are programs that print SDF; they are not SDF.
TEMPLATE_SUFFIXES = (".erb", ".xacro", ".jinja", ".jinja2", ".em")


def read_bytes(path: str) -> bytes:
    """The content of a file.

    Raises:
        ResourceError: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ResourceError(f"cannot be read: {error.strerror or error}", file=path) from None
