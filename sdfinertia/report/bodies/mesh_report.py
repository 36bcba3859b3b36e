"""What a bare mesh file is like and what it weighs, as text and for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.mesh.diagnosis import MeshDiagnosis
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.results.text_report import number, numbers

# What sums over faces leave of a coordinate or a product that is zero, as a part of the size and of the trace.
_NOISE = 1e-13


class MeshFacts(NamedTuple):
    """What is told of a mesh file.

    Attributes:
        inertia: in the frame of the mesh, or None where its volume is not defined.
        refusal: why there is none, with what each way to take the mesh would give.
    """

    path: str
    density: float
    diagnosis: MeshDiagnosis
    inertia: SpatialInertia | None
    method: str
    refusal: str
    notes: tuple[str, ...]


def mesh_lines(facts: MeshFacts) -> Iterator[str]:
    """The lines on one mesh file."""
    yield facts.path
    for label, text in (*_form(facts.diagnosis), *_faults(facts.diagnosis), *_mass_properties(facts)):
        yield f"  {label:<14}{text}"
    for line in facts.refusal.splitlines():
        yield f"  {line}"
    for note in facts.notes:
        yield f"  {'note':<14}{note}"


def _form(diagnosis: MeshDiagnosis) -> Iterator[tuple[str, str]]:
    cavities = f", {diagnosis.cavities} cavities" if diagnosis.cavities else ""
    yield "faces", f"{diagnosis.faces:,} on {diagnosis.vertices:,} vertices"
    yield "bodies", f"{diagnosis.bodies}{cavities}"
    size = tuple(high - low for low, high in zip(diagnosis.lower, diagnosis.upper, strict=True))
    suspicion = ", which may be millimetres" if diagnosis.may_be_millimetres else ""
    yield "bounds", f"{numbers(diagnosis.lower)} to {numbers(diagnosis.upper)} m, size {numbers(size)} m{suspicion}"
    yield "area", f"{number(diagnosis.surface_area)} m²"
    volume = "not defined" if diagnosis.volume is None else f"{number(diagnosis.volume)} m³"
    hull = "flat" if diagnosis.hull_volume is None else f"{number(diagnosis.hull_volume)} m³"
    yield "volume", f"{volume}, convex hull {hull}"


def _faults(diagnosis: MeshDiagnosis) -> Iterator[tuple[str, str]]:
    """What is wrong with the mesh, and nothing of what is not."""
    if diagnosis.open_edges:
        places = ", ".join(f"({numbers(place)})" for place in diagnosis.open_positions)
        holes = "one hole" if diagnosis.boundary_loops == 1 else f"{diagnosis.boundary_loops:,} holes"
        yield "open edges", f"{diagnosis.open_edges:,} round {holes}, at {places}"
    counts = (
        ("non-manifold", diagnosis.non_manifold_edges, "edges with more than two faces"),
        ("winding", diagnosis.inconsistent_faces, "faces disagree with their neighbours"),
        ("inside out", diagnosis.inside_out_bodies, "bodies"),
        ("overlaps", diagnosis.overlapping_bodies, "bodies reach into another"),
        ("degenerate", diagnosis.degenerate_faces, "faces have no area"),
        ("repeated", diagnosis.repeated_faces, "faces are listed twice"),
    )
    for label, count, what in counts:
        if count:
            yield label, f"{count:,} {what}"
    if diagnosis.double_sided:
        yield "double-sided", f"{100 * diagnosis.double_sided:.3g} % of the faces"
    if diagnosis.one_sided:
        yield "one-sided", "a part has only one side, like a Möbius strip"
    if diagnosis.divergence_uncertainty is not None:
        yield "divergence", f"its integral may be wrong by {diagnosis.divergence_uncertainty:.2g} % of the mass"


def _mass_properties(facts: MeshFacts) -> Iterator[tuple[str, str]]:
    inertia = facts.inertia
    if inertia is None:
        return
    yield "mass", f"{number(inertia.mass)} kg at {number(facts.density)} kg/m³, {facts.method}"
    centre, tensor = inertia.p_BoBcm_B, inertia.I_BBcm_B
    size = max(inertia.gyradius, *map(abs, centre))
    yield "centre", f"{numbers(tuple(value if abs(value) > _NOISE * size else 0.0 for value in centre))} m"
    for name, value in tensor._asdict().items():
        is_moment = name in ("ixx", "iyy", "izz")
        yield name, f"{number(value if is_moment or abs(value) > _NOISE * tensor.trace else 0.0)} kg·m²"
    yield "principal", f"{numbers(inertia.principal().moments)} kg·m²"


def mesh_json(facts: MeshFacts) -> dict[str, Any]:
    """The same facts as JSON takes them."""
    inertia = facts.inertia
    return {
        "path": facts.path,
        "density": facts.density,
        "diagnosis": asdict(facts.diagnosis),
        "method": facts.method if inertia is not None else None,
        "inertia": None
        if inertia is None
        else {
            "mass": inertia.mass,
            "com": list(inertia.p_BoBcm_B),
            **inertia.I_BBcm_B._asdict(),
            "principal_moments": list(inertia.principal().moments),
        },
        "refusal": facts.refusal or None,
        "notes": list(facts.notes),
    }
