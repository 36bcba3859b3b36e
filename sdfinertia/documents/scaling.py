"""Scaling: a document in, edits out that scale its inertials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import ChangedFile
from sdfinertia.documents.opened import OpenDocument, Source, open_document, require_options
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import number
from sdfinertia.links.scaling import ScaledLink, Scaling, scale_link
from sdfinertia.links.selection import is_named_by, no_link_matches
from sdfinertia.markup.document import Edit, splice
from sdfinertia.options import Options
from sdfinertia.robot.numbers import three_factors

if TYPE_CHECKING:
    from sdfinertia.notebook import Listed
    from sdfinertia.robot.link import Link


@dataclass(frozen=True, slots=True, repr=False)
class ScaleResult(ChangedFile):
    """What scaling links of a file comes to.

    Attributes:
        path: the file, as named.
        original, content: its bytes before and after.
        links: that were scaled, in the order of the file.
        errors: why others were not, one a link; then the content is unchanged.
        edits: what turns the one into the other.
    """

    links: tuple[ScaledLink, ...]
    errors: tuple[SdfInertiaError, ...] = ()
    edits: tuple[Edit, ...] = field(default=(), repr=False)

    def _listed(self) -> Sequence[Listed]:
        return self.links


def scale(
    source: Source,
    options: Options,
    *,
    mass: float | None = None,
    density: float | None = None,
    size: float | Sequence[float] | None = None,
    filename: str = "<bytes>",
) -> ScaleResult:
    """The file with explicit inertials rescaled, each consistently in mass, centre and tensor; nothing is written.

        >>> base = sdfinertia.Options(link=("bench_arm::base",))
        >>> result = sdfinertia.scale("fixtures/arm/model.sdf", base, mass=12.8)
        >>> result.links[0].before.mass, result.links[0].after.mass
        (6.4, 12.8)

    Args:
        source: path of an SDF or URDF file, or its content as bytes.
        options: `link` has globs on scoped names, each of which must match; `digits` are written.
        mass: scale each link to this mass (kg).
        density: scale each to this mean density of its collisions (kg/m³).
        size: factor on lengths at the same density, or one for each axis of the link.
        filename: the place that content given as bytes has.

    Raises:
        ConfigurationError: none, or more than one, of mass, density and size is given, or is out of range; or no link
            matches.
        SdfInertiaError: the file cannot be read. Why single links cannot be scaled is in the result.
    """
    scaling = scaling_of(mass, density, size)
    require_options(options)
    options = options.replaced({"require_density": False, "all": True})
    document = open_document(source, options, filename=filename)
    return scale_links(document, links_named(document, options.link), scaling)


def scaling_of(mass: float | None, density: float | None, size: float | Sequence[float] | None) -> Scaling:
    given = [value for value in (mass, density, size) if value is not None]
    if len(given) != 1:
        raise ConfigurationError(f"give exactly one of --mass, --density and --size, not {len(given)}")
    for name, value in (("mass", mass), ("density", density)):
        if value is not None:
            found = number(value, f"--{name}", ConfigurationError)
            if not (isfinite(found) and found > 0.0):
                raise ConfigurationError(f"--{name} must be a number above zero, not {found:g}")
    return Scaling(mass, density, three_factors(size, "--size", size) if size is not None else None)


def links_named(document: OpenDocument, patterns: Sequence[str]) -> list[Link]:
    links = list(document.links())
    if not patterns:
        raise ConfigurationError("no link is named", remedy="use --link")
    for pattern in patterns:
        if not any(is_named_by(link.key, pattern) for link in links):
            raise no_link_matches([pattern], [link.scoped_name for link in links], document.robot.path)
    return [link for link in links if any(is_named_by(link.key, pattern) for pattern in patterns)]


def scale_links(document: OpenDocument, links: Sequence[Link], scaling: Scaling) -> ScaleResult:
    document.require_own_text()
    scaled: list[ScaledLink] = []
    errors: list[SdfInertiaError] = []
    for link in links:
        try:
            scaled.append(scale_link(document.study(link), scaling))
        except SdfInertiaError as error:
            errors.append(error)
        document.context.forget_contents()
    robot = document.robot
    edits = [edit for link in scaled for edit in link.edits] if not errors else []
    return ScaleResult(robot.path, robot.data, splice(robot.data, edits), tuple(scaled), tuple(errors), tuple(edits))
