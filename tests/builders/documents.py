"""SDF documents of a box or a few, as text."""

from __future__ import annotations

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
AUTO = "<inertial auto='true'/>"

# A file as people write them; it weighs 6000 kg.
BOX_FILE = """\
<sdf version="1.12">
  <model name="m">
    <link name="body">
      <inertial auto="true"/>
      <collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
  </model>
</sdf>
"""


def collision(inside: str = BOX, name: str = "c") -> str:
    return f"<collision name='{name}'>{inside}</collision>"


def link(*inside: str, name: str = "l") -> str:
    return f"<link name='{name}'>{''.join(inside)}</link>"


def model(*inside: str, name: str = "m") -> str:
    """A model, each of its parts on a line."""
    return f"<model name='{name}'>\n" + "\n".join(inside) + "\n</model>"


def sdf(*inside: str) -> bytes:
    """A file, each of its parts on a line."""
    return ("<sdf version='1.11'>\n" + "\n".join(inside) + "\n</sdf>\n").encode()
