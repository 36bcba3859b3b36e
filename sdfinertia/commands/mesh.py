"""The command `mesh`: what bare mesh files are like, and their mass properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfinertia.commands.inputs import STANDARD_STREAM, Source, read_standard_input, require_one_stream
from sdfinertia.description.numbers import parse_numbers, three_factors
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError, WriteError
from sdfinertia.links.surroundings import mass_cache
from sdfinertia.mesh.alternatives import alternatives
from sdfinertia.mesh.diagnosis import diagnose
from sdfinertia.mesh.store import Factors, MeshSource, MeshStore
from sdfinertia.mesh.treatment import MeshTreatment, Method
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.volume.convex_hull import convex_hull
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.report.bodies import mesh_lines
from sdfinertia.report.records import MeshFacts, mesh_record
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import ERROR, print_line, print_text, say
from sdfinertia.report.wording import json_text
from sdfinertia.runs.mesh_files import mesh_files

_NAME_IT = "name it with --stdin-filename, as in --stdin-filename part.stl"


class MeshRequest(NamedTuple):
    """What is asked of each file.

    Attributes:
        density: in kg/m³.
        scale: factors on the vertices.
        submesh: name of the part that counts, or None for the whole file.
        treatment: how the mesh is taken for a solid.
        options: how long a file may be, and where masses are kept.
        lists_names: print the names of submeshes, and nothing else.
        as_json: print one JSON document.
    """

    density: float
    scale: Factors
    submesh: str | None
    treatment: MeshTreatment
    options: Options
    lists_names: bool
    as_json: bool


def run_mesh(paths: Sequence[str], request: MeshRequest, stdin_filename: str | None = None) -> int:
    """Prints what is asked of each file, and returns the exit status.

    Args:
        paths: mesh files, directories and globs, or "-" alone.
        stdin_filename: the place that standard input has; its suffix tells the format.
    """
    status = ExitStatus.DONE
    documents = []
    refused: list[SdfInertiaError] = []
    try:
        require_one_stream(paths, stdin_filename)
        if list(paths) == [STANDARD_STREAM] and stdin_filename is None:
            raise ConfigurationError("standard input has no suffix that tells its format", remedy=_NAME_IT)
        cache = mass_cache(request.options, keeps=True)
        for source in _sources(paths, refused) if stdin_filename is None else [read_standard_input(stdin_filename)]:
            store = MeshStore(request.options.max_mesh_bytes, cache=cache)
            if source.data is not None:
                store.hold(source.path, source.data)
            try:
                if request.lists_names:
                    _print_names(store, source.path)
                    continue
                facts = mesh_facts(store, source.path, request)
            except WriteError:
                # Standard output takes no more, whatever is to be told.
                raise
            except SdfInertiaError as error:
                say(str(error.within(file=source.path)), style=ERROR)
                status = ExitStatus.REFUSED
                continue
            if request.as_json:
                documents.append(mesh_record(facts))
            else:
                for line in mesh_lines(facts):
                    print_line(line)
        if request.as_json:
            print_text(json_text(documents))
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    for refusal in refused:
        say(str(refusal), style=ERROR)
    if cache is not None and cache.problem:
        say(f"note: {cache.problem}")
    return ExitStatus.REFUSED if refused else status


def _sources(paths: Sequence[str], refused: list[SdfInertiaError]) -> Iterator[Source]:
    """The files; what stands for none is refused."""
    for path in paths:
        yield from map(Source, mesh_files(path, refused.append))


def mesh_facts(store: MeshStore, path: str, request: MeshRequest) -> MeshFacts:
    """What is told of a mesh file.

    Raises:
        SdfInertiaError: it cannot be read, or has no such submesh.
    """
    source = MeshSource(path, request.submesh)
    diagnosis = diagnose(_diagnosed(store, source, request.treatment.method).scaled(request.scale))
    try:
        solid = store.solid(source, request.treatment, request.scale)
        inertia = solid.spatial_inertia(request.density)
    except OpenMeshError as error:
        compared = alternatives(store, source, request.treatment, request.scale, request.density)
        return MeshFacts(path, request.density, diagnosis, None, "", f"{error.problem}; {compared}", diagnosis.notes)
    except SdfInertiaError as error:
        return MeshFacts(path, request.density, diagnosis, None, "", error.problem, diagnosis.notes)
    # The diagnosis looks at more than what is integrated, and says where it did not look at all.
    others = [note for note in diagnosis.notes if solid.method is Method.EXACT and note not in solid.notes]
    return MeshFacts(path, request.density, diagnosis, inertia, solid.method, "", (*solid.notes, *others))


def _diagnosed(store: MeshStore, source: MeshSource, method: str) -> TriangleMesh:
    """The triangles that are told of; the hull of a file that holds vertices alone, where that is asked for."""
    if method is not Method.CONVEX_HULL or len(store.points(source).faces):
        return store.mesh(source)
    points = store.points(source)
    return TriangleMesh(*convex_hull(points.vertices), notes=points.notes)


def _print_names(store: MeshStore, path: str) -> None:
    """The names by which parts of a file can be chosen, each once, with the faces they select."""
    mesh = store.mesh(MeshSource(path))
    faces: dict[str, int] = {}
    for part in mesh.parts:
        for name in dict.fromkeys(part.names):
            faces[name] = faces.get(name, 0) + part.stop - part.start
    print_line(path)
    for name, count in faces.items():
        print_line(f"  {name}  {count:,} faces")


def parse_scale(text: str | None) -> Factors:
    """The factors in "2" or "1 -1 1".

    Raises:
        ConfigurationError: it is neither one nor three numbers, or one is zero.
    """
    return three_factors(parse_numbers((text or "1").strip()), "--scale", text)
