"""The rooms of the package lie above one another, and none imports what lies above it."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import sdfinertia

PACKAGE = Path(sdfinertia.__file__).parent
# From the top. Rooms of one line do not import each other.
FLOORS = (
    ("__main__",),
    ("cli",),
    ("api",),
    ("lsp",),
    ("commands",),
    ("editing",),
    ("report",),
    ("runs",),
    ("comparing",),
    ("documents",),
    ("rules",),
    ("causes",),
    ("links",),
    ("xacro",),
    ("mjcf",),
    ("sdf", "urdf"),
    ("options",),
    ("robot",),
    ("markup",),
    ("shapes",),
    ("calculators",),
    ("mesh",),
    ("parametrization",),
    ("inertia",),
    ("files",),
    ("errors",),
)
MESH_FLOORS = (
    ("store",),
    ("diagnosis",),
    ("pipeline",),
    ("boolean_union",),
    ("closed_solid",),
    ("cache", "repair", "solid_moments"),
    ("boundary_loops", "convex_hulls", "readers", "windings"),
    ("tessellation", "topology", "triangle_mesh"),
    ("facts", "kernel"),
)
# What stands in the package itself lies below all of them.
MESH_MODULES = {path.stem for path in (PACKAGE / "mesh").iterdir()} - {"__init__", "__pycache__"}


# Names that a module takes from the package itself, which binds them where they are called: methods of a public class
# read text, and all that reads lies above the class.
OF_THE_PACKAGE = {"inertia/notations": {"body_of"}}

# What may be imported in a function: these libraries, which take long to load or may be missing, in `cli` the module of
# the command that runs, and by the doors below what needs numpy or an extra, or what only some files or reports need.
LIBRARIES = {
    *("scipy", "trimesh", "rich", "lxml", "pathspec"),
    # `importlib.metadata` takes 30 ms, and these 3 to 6 ms each, of the 14 of Python itself.
    *("importlib", "shutil", "tomli", "tomllib", "urllib"),
    *("cascadio", "distributed", "igl", "manifold3d", "pydrake", "vhacdx", "xacro", "yaml"),
}
DOORS = {
    "commands/edit _server": ["sdfinertia.editing.application"],
    "documents/meshes to_trimesh": ["sdfinertia.mesh.pipeline"],
    "documents/meshes mesh_moments": ["sdfinertia.mesh.readers.of_trimesh"],
    "documents/meshes mesh_is_closed": ["sdfinertia.mesh.kernel", "sdfinertia.mesh.readers.of_trimesh"],
    "documents/meshes store_of": ["sdfinertia.mesh.readers.of_trimesh"],
    "documents/scene coarsened": ["sdfinertia.mesh.tessellation"],
    "inertia/__init__ _array": ["numpy"],
    # `multiprocessing` takes 30 ms.
    "runs/__init__ scenes_of_run": ["sdfinertia.documents.scene"],
    "runs/__init__ outcomes_in_order": ["sdfinertia.runs.executors"],
    "links/context resources": ["sdfinertia.files.finder"],
    "links/context __getstate__": ["sdfinertia.files.finder"],
    "links/context meshes": ["sdfinertia.mesh.store"],
    "links/context mesh_cache": ["sdfinertia.mesh.cache"],
    "links/body _calculated": ["sdfinertia.calculators"],
    "links/body _parts": ["sdfinertia.links.surfaces"],
    "links/solids _overcount": ["sdfinertia.links.surfaces"],
    "lsp/__init__ run_lsp": ["sdfinertia.lsp.server"],
    "mesh/readers/__init__ require_sound": ["numpy"],
    "mesh/store diagnosis": ["sdfinertia.mesh.diagnosis"],
    "mesh/store _pipeline": ["sdfinertia.mesh.pipeline"],
    "mjcf/bodies as_obj": ["numpy", "sdfinertia.mesh.convex_hulls"],
    "report/json_records _parameters": ["sdfinertia"],
    "rules/evidence _beside_mesh": ["sdfinertia.causes.diagnosis"],
    "rules/evidence _beside_primitives": ["sdfinertia.causes.drawn"],
    "rules/reading overlapping_solids": ["sdfinertia.links.surfaces"],
    "shapes inertia": ["sdfinertia.inertia.polyline"],
    "shapes surface_of": ["sdfinertia.mesh.tessellation"],
}
FORMATS = {
    "commands/check _checked_macros": ["sdfinertia.xacro.expansion"],
    "commands/check_reports _say_not_checked": ["sdfinertia.documents.xacro"],
    "documents/checking _explainer": ["sdfinertia.documents.corrections"],
    "documents/checking check_document": ["sdfinertia.documents.xacro"],
    "documents/filling result_of": ["sdfinertia.documents.xacro_sources"],
    "documents/__init__ expanded_document": ["sdfinertia.xacro.expansion"],
    "runs/checking __call__": ["sdfinertia.documents.xacro"],
    "runs/__init__ _files_of": ["sdfinertia.mjcf"],
    "runs/source_files _meshes_at": ["sdfinertia.mesh.readers"],
    "runs/source_files _refuse_wrong_kind": ["sdfinertia.mesh.readers"],
    "runs/source_files _require_declared": ["sdfinertia.documents.xacro"],
    "runs/source_files notes_on_macros": ["sdfinertia.xacro.expansion"],
    "runs/source_files _models_among": ["sdfinertia.mjcf"],
    "runs/source_files _named_by_model_config": ["sdfinertia.sdf.root"],
    "runs/source_files _robots_among": ["sdfinertia.xacro.expansion", "sdfinertia.xacro.sources"],
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


# Above the formats, these read fragments or sources of one format.
KNOW_ELEMENTS = {
    "documents/showing",
    "documents/xacro",
    "documents/xacro_sources",
    "runs/source_files",
}
OF_ELEMENTS = re.compile(r"\.(child|children_named|child_text|attribute|attribute_span)\(")


def floor_of(room: str, floors: tuple[tuple[str, ...], ...]) -> int:
    return next(floor for floor, rooms in enumerate(floors) if room in rooms)


def called(node: ast.Call) -> str:
    """The last part of the name of the called function."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def imports_of(path: Path) -> Iterator[str]:
    """The modules of the package that a module names in imports, those for type checkers among them."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("sdfinertia"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("sdfinertia."))
        elif isinstance(node, ast.Call) and called(node) == "import_module":
            yield from (
                each.value
                for each in ast.walk(node)
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and "sdfinertia." in each.value
            )


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def imports_from_above(path: Path) -> Iterator[str]:
    """What a module imports that lies above it."""
    place = path.relative_to(PACKAGE).with_suffix("").parts
    for name in imports_of(path):
        parts = name.split(".")[1:]
        if not parts or parts[0] == "__version__":
            continue
        if parts[0] != place[0]:
            is_below = floor_of(place[0], FLOORS) < floor_of(parts[0], FLOORS)
        elif place[0] == "mesh" and place[1] != "__init__" and parts[1] != place[1] and parts[1] in MESH_MODULES:
            is_below = floor_of(place[1], MESH_FLOORS) <= floor_of(parts[1], MESH_FLOORS)
        else:
            continue
        if not is_below:
            yield f"{'/'.join(place)} imports {name}, which lies above it"


def test_no_module_imports_one_of_a_higher_room() -> None:
    assert [found for path in modules() for found in imports_from_above(path)] == []


def test_only_declared_names_are_taken_from_the_package_itself() -> None:
    found: dict[str, set[str]] = {}
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sdfinertia":
                found.setdefault(path.relative_to(PACKAGE).with_suffix("").as_posix(), set()).add(node.attr)
    own = {place: names - {"__version__"} for place, names in found.items()}
    assert {place: names for place, names in own.items() if names} == OF_THE_PACKAGE


def test_an_import_from_above_is_seen_in_a_string_too(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('import_module("sdfinertia.documents").body_of()\n', encoding="utf-8")
    assert list(imports_of(module)) == ["sdfinertia.documents"]


def test_every_room_has_its_floor() -> None:
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in modules()}
    assert rooms == {room for floor in FLOORS for room in floor}


def imported_modules(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """What a module imports of the package, in functions and for the type checker too."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {
        ".".join(("sdfinertia", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    # Methods in the lowest room take `body_of` from the package itself.
    del modules["sdfinertia"]
    imports = {name: {*imported_modules(path, modules)} & modules.keys() - {name} for name, path in modules.items()}
    TopologicalSorter(imports).prepare()


def imports_in_functions(path: Path) -> Iterator[tuple[str, str]]:
    """The outermost function and the module of each import in a function, without those of libraries."""
    for function in functions_of(parsed(path)):
        for node in ast.walk(function):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            yield from ((function.name, name) for name in names if name.partition(".")[0] not in LIBRARIES)


def functions_of(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        else:
            yield from functions_of(node)


def test_functions_import_only_heavy_libraries_and_what_the_doors_lead_to() -> None:
    found = {
        (path.relative_to(PACKAGE).with_suffix("").as_posix(), function, name)
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "cli.py"
        for function, name in imports_in_functions(path)
    }
    assert found == {(*place.split(), name) for place, names in {**DOORS, **FORMATS}.items() for name in names}
    assert len(DOORS) <= 32


def test_no_room_above_the_formats_knows_the_name_of_an_element() -> None:
    above = [room for rooms in FLOORS[: FLOORS.index(("xacro",))] for room in rooms]
    paths = [path for room in above for path in (PACKAGE / room).rglob("*.py")]
    found = {str(path.relative_to(PACKAGE).with_suffix("")) for path in paths if OF_ELEMENTS.search(path.read_text())}
    assert found <= KNOW_ELEMENTS
