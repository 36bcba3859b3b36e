"""SDF documents of a box or a few, as text."""

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
AUTO = "<inertial auto='true'/>"
# A hand-written block, right for a box of 12 kg.
SOUND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>"

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


def solid(shape: str, pose: str = "0 0 0 0 0 0", name: str = "c", kind: str = "collision", more: str = "") -> str:
    return f"<{kind} name='{name}'>{more}<pose>{pose}</pose><geometry>{shape}</geometry></{kind}>"


def mesh(uri: str, more: str = "") -> str:
    return f"<mesh><uri>{uri}</uri>{more}</mesh>"


def inertial(mass: float, moments: tuple[float, ...], pose: str = "") -> str:
    """A block of the moments ixx iyy izz and, if given, the products ixy ixz iyz."""
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    entries = "".join(f"<{name}>{value!r}</{name}>" for name, value in zip(names, moments, strict=False))
    place = f"<pose>{pose}</pose>" if pose else ""
    return f"<inertial>{place}<mass>{mass!r}</mass><inertia>{entries}</inertia></inertial>"


def one_link(*inside: str, before: str = "", version: str = "1.11") -> bytes:
    """A file of the link `m::l`; `before` stands in its model before it."""
    text = f"<sdf version='{version}'><model name='m'>{before}<link name='l'>{''.join(inside)}</link></model></sdf>"
    return text.encode()


def asking(geometry: str, more: str = "", pose: str = "") -> str:
    """A file of one link that asks to be filled; `more` stands in its model, `pose` in its collision."""
    return one_link(AUTO, collision(f"{pose}<geometry>{geometry}</geometry>"), before=more).decode()


def asking_mesh(uri: str) -> str:
    return asking(mesh(uri))
