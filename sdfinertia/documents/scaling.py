"""Scaling: a document in, edits out that scale its inertials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from sdfinertia.documents import OpenDocument, Source, is_named_by, no_link_matches, open_document, require_options
from sdfinertia.documents.filling import FillResult, result_of
from sdfinertia.documents.link_results import LinkResult, failure
from sdfinertia.documents.link_results import result_of as result_of_link
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import number
from sdfinertia.inertia.solids import rescaled_in_size, rescaled_to_density, rescaled_to_mass
from sdfinertia.links import Study
from sdfinertia.links.inputs import Status
from sdfinertia.markup import Edit
from sdfinertia.options import Options
from sdfinertia.robot import Link, attempt, given
from sdfinertia.robot.numbers import three_factors
from sdfinertia.robot.problems import CHECK_TELLS_WHY

_UNMANAGED = "provenance comment removed, since the numbers no longer follow from the geometry"


# From the inertia of a link to the one wanted.
Scaling = Callable[[SpatialInertia, Study], SpatialInertia]


@dataclass(frozen=True, eq=False, repr=False)
class ScaleResult(FillResult):
    """The result of scaling links of a file; where one fails, the content is unchanged."""


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
        source: path of an SDF, URDF or MJCF file, or its content as bytes.
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
    if mass is not None:
        return lambda before, _: rescaled_to_mass(before, mass)
    if density is not None:
        return lambda before, study: _rescaled_to_density(before, study, density)
    factors = three_factors(size, "--size", size)
    return lambda before, _: rescaled_in_size(before, factors)


def links_named(document: OpenDocument, patterns: Sequence[str]) -> list[Link]:
    links = document.links()
    if not patterns:
        raise ConfigurationError("no link is named", remedy="use --link")
    for pattern in patterns:
        if not any(is_named_by(link.key, pattern) for link in links):
            raise no_link_matches([pattern], [link.scoped_name for link in links], document.robot.path)
    return [link for link in links if any(is_named_by(link.key, pattern) for pattern in patterns)]


def scale_links(document: OpenDocument, links: Sequence[Link], scaling: Scaling) -> ScaleResult:
    document.require_own_text()
    results: list[LinkResult] = []
    edits: list[Edit] = []
    for study in map(document.study, links):
        scaled = attempt(scale_link, study, scaling, document.require_writable)
        result, own_edits = (failure(study, scaled), []) if isinstance(scaled, SdfInertiaError) else scaled
        results.append(result)
        edits += own_edits
        document.context.forget_contents()
    return result_of(ScaleResult, document, document.options.replaced({"keep_going": False}), results, edits)


def scale_link(
    study: Study, scaling: Scaling, require_writable: Callable[[Link], None]
) -> tuple[LinkResult, list[Edit]]:
    link = study.link
    link.require_own_name()
    before = link.scalable_inertia()
    if not before.is_physically_valid():
        raise InertiaError("the written mass and tensor are physically impossible", remedy=CHECK_TELLS_WHY)
    after = scaling(before, study)
    if not after.is_physically_valid():
        problem = f"scaled, its mass is {after.mass:g} kg and its tensor is beyond double precision"
        raise InertiaError(problem, remedy="scale by a factor nearer to 1")
    comment = study.provenance_comment
    edits = link.scale_edits(after, comment, digits=study.options.digits) if after != before else []
    if edits:
        require_writable(link)
    status = Status.SCALED if edits else Status.LEFT
    notes = (_UNMANAGED,) if comment is not None and edits else ()
    return result_of_link(study, status, before=before, inertia=after, notes=notes), edits


def _rescaled_to_density(before: SpatialInertia, study: Study, density: float) -> SpatialInertia:
    if not study.has_solids:
        raise InertiaError("it has no collisions, and so no volume for a density", remedy="use --mass")
    return rescaled_to_density(before, density, given(study.computed).volume)
