"""Links with a mistake in their numbers, as URDF and as SDF, beside a box that has the tensor they should have."""

from collections.abc import Sequence
from typing import NamedTuple

from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.solids import equivalent_box

# In the order of a file.
ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


class Written(NamedTuple):
    """A hand-written link."""

    name: str
    mass: str
    tensor: Sequence[str]
    shape: Sequence[float] | None = None
    centre: str = "0 0 0"


ZEROS = ("0", "0", "0", "0", "0", "0")
# RealMan's RXL-6F-C3, Link1: a decimal point is missing in izz, and its mesh has this tensor at that mass.
POINT = Written(
    "Link1",
    "1.559",
    ("2661.9E-6", "-31.029E-6", "9.34E-6", "2302.5E-6", "151.466E-6", "1676359E-6"),
    (0.00280221, -2.73685e-05, 7.63214e-06, 0.00244329, 0.000183244, 0.00171269),
    "0.488E-3 -13.727E-3 -10.765E-3",
)
# The motor of Talos's gripper: products as positive integrals, which its maintainers later wrote negative.
MOTOR = Written(
    "motor",
    "0.143",
    (".000115", ".000052", ".000025", ".000153", ".000034", ".00019"),
    (0.000112, -0.000051, -0.000024, 0.000150, -0.000033, 0.000187),
)
# Numbers that no known mistake explains, placeholders, and a link without a mistake.
ANYHOW = Written("anyhow", "2", ("0.0213", "0.0177", "0.0391", "0.0341", "-0.0512", "0.9417"))
LOST = Written("lost", "2", ZEROS)
SOUND = Written("sound", "2", ("0.02", "0", "0", "0.03", "0", "0.04"), (0.02, 0.0, 0.0, 0.03, 0.0, 0.04))


def urdf(*links: Written, name: str = "r") -> bytes:
    """A robot of links that hang on the first."""
    parts = [f'<robot name="{name}">']
    for link in links:
        entries = " ".join(f'{entry}="{text}"' for entry, text in zip(ENTRIES, link.tensor, strict=True))
        parts.append(f"""\
  <link name="{link.name}">
    <inertial>
      <origin xyz="{link.centre}" rpy="0 0 0"/>
      <mass value="{link.mass}"/>
      <inertia {entries}/>
    </inertial>""")
        if link.shape is not None:
            sizes, angles = _box(link)
            parts.append(f"""\
    <collision>
      <origin xyz="{link.centre}" rpy="{angles}"/>
      <geometry><box size="{sizes}"/></geometry>
    </collision>""")
        parts.append("  </link>")
    for link in links[1:]:
        parts.append(
            f'  <joint name="to_{link.name}" type="revolute"><parent link="{links[0].name}"/>'
            f'<child link="{link.name}"/><axis xyz="0 0 1"/></joint>'
        )
    return "\n".join([*parts, "</robot>", ""]).encode()


def sdf(*links: Written, name: str = "r") -> bytes:
    """A model of links; an entry that is "" is omitted."""
    parts = [f'<sdf version="1.11">\n  <model name="{name}">']
    for link in links:
        entries = [
            f"          <{entry}>{text}</{entry}>\n" for entry, text in zip(ENTRIES, link.tensor, strict=True) if text
        ]
        parts.append(f"""\
    <link name="{link.name}">
      <inertial>
        <pose>{link.centre} 0 0 0</pose>
        <mass>{link.mass}</mass>
        <inertia>
{"".join(entries)}\
        </inertia>
      </inertial>""")
        if link.shape is not None:
            sizes, angles = _box(link)
            parts.append(f"""\
      <collision name="c">
        <pose>{link.centre} {angles}</pose>
        <geometry><box><size>{sizes}</size></box></geometry>
      </collision>""")
        parts.append("    </link>")
    return "\n".join([*parts, "  </model>", "</sdf>", ""]).encode()


def _box(link: Written) -> tuple[str, str]:
    """Edges and angles of the box of the link's mass that has the tensor of its shape."""
    assert link.shape is not None
    xx, xy, xz, yy, yz, zz = link.shape
    axes = SpatialInertia(float(link.mass), (0.0, 0.0, 0.0), InertiaTensor(xx, yy, zz, xy, xz, yz)).principal()
    sizes = equivalent_box(float(link.mass), axes.moments)
    angles = rpy_from_rotation(axes.rotation)
    return " ".join(map(repr, sizes)), " ".join(map(repr, angles))
