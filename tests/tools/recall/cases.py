"""Links of files as cases, with the bodies of their geometry: the material for injected mistakes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from sdfinertia.causes.case import Case
from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links import Study
from sdfinertia.links.solids import shape_bodies
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.options import Options
from sdfinertia.robot import given

_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_SUFFIXES = (".sdf", ".world", ".urdf")


FIXTURES = Path(__file__).parents[3] / "fixtures"


class WrittenLink(NamedTuple):
    """A link with hand-written numbers, and its case without relatives and findings."""

    case: Case
    link: Any
    context: Any


def models() -> Path:
    """The directory of real models that SDFINERTIA_REAL names, or the fixtures."""
    given = os.environ.get("SDFINERTIA_REAL")
    return Path(given) if given and Path(given).is_dir() else FIXTURES


def documents(root: Path) -> Iterator[tuple[Path, OpenDocument]]:
    """The files below a root that can be read."""
    for path in sorted(path for path in root.rglob("*") if path.suffix in _SUFFIXES):
        try:
            document = open_document(path, Options())
            list(document.links())
        except (SdfInertiaError, RecursionError):
            continue
        yield path, document


def written_links(root: Path) -> Iterator[WrittenLink]:
    """The links below a root with hand-written numbers."""
    for path, document in documents(root):
        try:
            texts = _texts(path)
        except ElementTree.ParseError:
            continue
        for link in document.links():
            try:
                case = _case(document, link, texts, f"{path.relative_to(root).as_posix()} {link.scoped_name}")
            except SdfInertiaError:
                continue
            finally:
                document.context.forget_contents()
            if case is not None:
                yield WrittenLink(case, link, document.context)


def _case(document: OpenDocument, link: Any, texts: dict[str, Any], name: str) -> Case | None:
    study = document.study(link)
    if study.is_requested or study.provenance is not None or link.is_static or not link.has_tensor:
        return None
    written, inertial = given(study.written), texts.get(link.name)
    if written is None or inertial is None:
        return None
    body = written.inertia
    block = WrittenBlock(
        mass=body.mass, centre=body.p_BoBcm_B, tensor=body.I_BBcm_B, entry_texts=inertial[1], mass_text=inertial[0]
    )
    if written.tensor != body.I_BBcm_B:
        # In axes of its own: take the tensor in the axes of the link, without digits.
        block = WrittenBlock(mass=body.mass, centre=body.p_BoBcm_B, tensor=body.I_BBcm_B, mass_text=inertial[0])
    bounds = given(Study(link, Options(), document.context).bounds())
    return Case(name, block, bounds, tuple(shape_bodies(link, document.context)))


def _texts(path: Path) -> dict[str, tuple[str, EntryTexts]]:
    """Mass and entries as written, by the names of links; of links of one name the first."""
    found: dict[str, tuple[str, EntryTexts]] = {}
    for link in ElementTree.parse(path).iter("link"):
        inertial = link.find("inertial")
        inertia = inertial.find("inertia") if inertial is not None else None
        if inertial is None or inertia is None:
            continue
        mass = inertial.find("mass")
        mass_text = (mass.get("value") or mass.text or "") if mass is not None else ""
        texts = (inertia.get(entry) or inertia.findtext(entry) or "" for entry in _ENTRIES)
        found.setdefault(link.get("name", ""), (mass_text.strip(), EntryTexts(*(text.strip() for text in texts))))
    return found
