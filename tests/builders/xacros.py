"""Xacro files for tests, and their expansion by the package xacro itself."""

import re
import shutil
from pathlib import Path
from typing import Any

from sdfinertia.markup import Document, Element
from sdfinertia.options import Options
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.xacro.expansion import Expansion, expand

QUADRUPED = Path(__file__).parents[2] / "fixtures/quadruped"
HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'


def robot(text: str, name: str = "r.urdf.xacro") -> Path:
    """A robot in the current directory."""
    path = Path(name)
    path.write_text(f"{HEAD}{text}\n</robot>\n")
    return path


def link(name: str, tensor: str = "0.001 0.001 0.5", mass: str = "1") -> str:
    """A link with an invalid tensor; the nearest valid one is nearer to its box."""
    ixx, iyy, izz = tensor.split()
    return (
        f'<link name="{name}">\n<inertial>\n<mass value="{mass}"/>\n<inertia ixx="{ixx}" ixy="0" ixz="0" iyy="{iyy}" '
        f'iyz="0" izz="{izz}"/>\n</inertial>\n<collision><geometry><box size="1.4 1.4 0.003"/></geometry></collision>\n'
        "</link>"
    )


def quadruped(project: Path) -> Path:
    """A copy of the fixture, and the file of its robot, relative to the project."""
    shutil.copytree(QUADRUPED, project / "quadruped")
    return Path("quadruped/urdf/quadruped.urdf.xacro")


def expanded(path: Path | str, **options: Any) -> Expansion:
    return expand(str(path), Options(**options))


def by_xacro(path: Path, **arguments: str) -> Document:
    """The expansion of a file that finds no packages, by xacro itself."""
    import xacro

    text = xacro.process_file(str(path.absolute()), mappings=arguments, verbosity=0).toprettyxml(indent="  ")
    return Document(text.encode(), str(path))


def without_banner(document: Document) -> Document:
    """The document without xacro's own comment."""
    data = re.sub(rb"(?s)<!-- =+ -->.*?<!-- =+ -->", b"", document.data)
    return Document(data, document.path)


def is_same(document: Document, other: Document) -> bool:
    """Whether two documents are equal in elements, attributes, texts and comments; numbers are compared by value."""

    def shown(element: Element) -> object:
        values = {name: numbers(text) for name, text in element.attributes.items()}
        comments = [each.text for each in element.comments]
        return element.name, values, numbers(element.text()), comments, [shown(each) for each in element.children]

    def numbers(text: str) -> object:
        return parse_numbers(text) or text

    return [shown(each) for each in document.roots] == [shown(each) for each in other.roots]
