"""The rooms of docs/architecture.md: allowed imports, no circles, and limits on the sizes of rooms and files."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.import_graph import ImportGraph, nodes
from tests.rooms import PAGE, PICTURE, Rooms, page_with

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("models", "objectives", "search", "fleet", "simulator", "runs", "face", "conf")

# Packages of the project that files below a path may import; the longest matching path applies.
MAY_IMPORT = {
    "models": ("models",),
    "objectives": ("objectives", "models"),
    "objectives/reference": ("objectives/reference", "models"),
    "search": ("search", "fleet", "objectives", "models"),
    "search/programs": ("search/programs", "search/_native", "fleet", "objectives", "models"),
    "fleet": ("fleet", "models"),
    "simulator": ("simulator", "models"),
    "runs": ("runs", "search", "fleet", "simulator", "objectives", "models", "conf"),
    "face": ("face", "runs", "search", "fleet", "simulator", "objectives", "models"),
    "conf": (),
}
# Files, or folders with a trailing slash, that may import a third-party package.
ONLY_IN = {
    "hydra": ("runs/",),
    "omegaconf": ("runs/",),
    "igraph": (
        "models/mathematics/automorphisms.py",
        "models/cubes/canonical.py",
        "models/deadlock/cycles.py",
        "models/workloads/programs/step_list.py",
        "objectives/reference/",
        "runs/exports/cabling/commissioning.py",
        "runs/drawing/positions.py",
    ),
    "rustworkx": ("search/circuits/matching.py",),
    "ray": ("fleet/ray.py",),
    "ortools": ("search/programs/", "objectives/bounds/", "objectives/structure/"),
    "gurobipy": ("search/programs/solvers/gurobi.py",),
}
IN_PLACE = ("write_text", "write_bytes", "copyfile", "copytree", "tofile", "to_csv")
MODE_THAT_WRITES = re.compile(r"[rwaxbt+]*[wax+][rwaxbt+]*")
BESIDE_VERBS = ("applications", "completion", "errors", "help_text", "hydra_folders", "job", "keywords", "main",
                "resumed_sweep", "sized_search", "sweep_jobs", "typed_words", "usage", "verbs")  # fmt: skip
# Folders whose files are found by name; only the helpers of these count as files of a room.
FOUND_BY_NAME = {
    "models/families": ("_dual_cube", "_nested", "_plane_routes"),
    "runs/cli": BESIDE_VERBS,
    **dict.fromkeys(("models/exchanges/exchange_orders", "models/exchanges/gather_orders", "runs/comparison/groups",
                     "models/workloads/npb/benchmarks", "runs/exports/exporters", "runs/imports/importers",
                     "runs/report/sections"), ()),
}  # fmt: skip
MAX_FILES = 15  # of a room
MAX_ARROWS = 160  # between the files and folders at the root of models
MAX_CLASSES = 309  # public ones, not in files found by name: before another one, look for the class that should do it
MAX_LINES = {".py": 300, ".cpp": 400, ".hpp": 400, ".inl": 400, ".h": 400, ".yaml": 40}  # an option is a line


def imports(tree: ast.Module, path: str) -> Iterator[str]:
    """Yield the absolute names of all imports of a file, nested ones included; `from a import b` is a.b."""
    package = ["isoplane", *Path(path).parent.parts]
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*parent, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if function in ("import_module", "__import__") and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def is_in(path: str, names: tuple[str, ...]) -> bool:
    return any(path == name or path.startswith(f"{name}/") for name in names)


def violations(tree: ast.Module, path: str) -> list[str]:
    """Return the rule violations of a file; its path is relative to the root."""
    problems = [f"{path}: a utils module"] if "utils" in Path(path).with_suffix("").parts else []
    package = max((name for name in MAY_IMPORT if is_in(path, (name,))), key=len)
    for name in imports(tree, path):
        top, _, rest = name.partition(".")
        imported = rest.replace(".", "/")
        if top == "isoplane" and not is_in(imported, MAY_IMPORT[package]):
            problems.append(f"{path}: {package} imports {name}")
        if top in (*PACKAGES, "tests"):
            problems.append(f"{path}: imports {name}, expected isoplane.{name}")
        allowed = ONLY_IN.get(top)
        if allowed is not None and not any(path == a or (a[-1] == "/" and path.startswith(a)) for a in allowed):
            problems.append(f"{path}: imports {name}, allowed only in {', '.join(allowed)}")
    return problems


def unsafe_writes(tree: ast.Module, path: str) -> list[str]:
    """Return the calls that write a file in place, where a full disk or a signal would leave a part of it."""
    if path == "models/files/output_file.py":
        return []
    problems = []
    for node in nodes(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        modes = [argument.value for argument in (*node.args, *(keyword.value for keyword in node.keywords))
                 if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]  # fmt: skip
        in_place = name in IN_PLACE or (name == "open" and any(MODE_THAT_WRITES.fullmatch(mode) for mode in modes))
        drawn = name == "savefig" and all(keyword.arg != "format" for keyword in node.keywords)  # not into memory
        if in_place or drawn:
            problems.append(f"{path}:{node.lineno}: {name} writes in place, expected write_atomically")
    return problems


def too_long(text: str, path: str) -> list[str]:
    """Return the file if it exceeds the line limit of its type; YAML counts only in conf."""
    suffix = Path(path).suffix
    if suffix not in MAX_LINES or (suffix == ".yaml" and not path.startswith("conf/")):
        return []
    lines = len(text.splitlines())
    return [f"{path}: {lines} lines, expected {MAX_LINES[suffix]}"] if lines > MAX_LINES[suffix] else []


def files(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield text and path, relative to the root, of all files subject to a rule."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in MAX_LINES and path.is_file():
                yield path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def graph():
    return ImportGraph(ROOT, tuple(name for name in PACKAGES if name != "conf"))


@pytest.fixture(scope="module")
def trees(graph):
    """The syntax trees of all files by path."""
    rooms = {f"{'/'.join(name)}.py": tree for name, tree in graph.files.items()}
    return rooms | {path: ast.parse(text) for text, path in files("conf") if path.endswith(".py")}


def test_imports_follow_the_table(trees):
    assert len(trees) > 10  # the packages are where this test looks for them
    assert [problem for path, tree in trees.items() for problem in violations(tree, path)] == []


def test_no_files_import_each_other_in_a_circle(graph):
    assert len(graph.edges) > 1000  # imports are found
    assert graph.circles() == []


def test_no_two_rooms_import_each_other(graph):
    assert graph.two_way_pairs() == []


def test_a_room_has_few_files(graph):
    sizes = {room: size for room, size in graph.sizes().items() if room not in FOUND_BY_NAME}
    helpers = {room: len(names) for room, names in FOUND_BY_NAME.items()}
    assert [room for room, size in {**sizes, **helpers}.items() if size > MAX_FILES] == []
    assert all((ROOT / room / f"{name}.py").exists() for room, names in FOUND_BY_NAME.items() for name in names)


def test_the_rooms_of_models_have_few_arrows(graph):
    assert 50 < len(graph.arrows(("models",))) <= MAX_ARROWS


def test_the_number_of_public_classes_does_not_grow(trees):
    helpers = {f"{room}/{name}.py" for room, names in FOUND_BY_NAME.items() for name in ("__init__", *names)}
    counted = [tree for path, tree in trees.items() if path.rpartition("/")[0] not in FOUND_BY_NAME or path in helpers]
    classes = [node.name for tree in counted for node in nodes(tree) if isinstance(node, ast.ClassDef)]
    assert 100 < len([name for name in classes if not name.startswith("_")]) <= MAX_CLASSES
    # A class with a private name stays in its file.
    assert [name for path, tree in trees.items() for name in imports(tree, path) if re.search(r"\._[A-Z]", name)] == []


def test_the_rooms_of_the_architecture_page_are_drawn_and_listed_as_they_are(graph):
    rooms = Rooms(graph)
    page = PAGE.read_text(encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == rooms.picture(), "stale: python -m tests.rooms"
    assert page == page_with(page, rooms.text()), "stale: python -m tests.rooms"
    assert "`mathematics/`" in rooms.text()


def test_circles_and_two_way_pairs_are_found(tmp_path):
    for path, text in {
        "a/one/x.py": "from ..two import f",  # defined in y, which a package hands on
        "a/two/__init__.py": "from .y import f",
        "a/two/y.py": "def f():\n    from isoplane.a.one.z import g",
        "a/one/z.py": "if TYPE_CHECKING:\n    from .x import h",
        "a/three.py": "from .one.x import f",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = ImportGraph(tmp_path, ("a",))
    assert found.circles() == [["a/one/x", "a/one/z", "a/two/y"]]
    assert found.two_way_pairs() == ["a: one and two"]
    assert found.arrows(("a",)) == {("one", "two"), ("two", "one"), ("three", "one")}
    assert found.sizes() == {"a/one": 2, "a/two": 1, "a": 1}


def test_files_are_written_in_one_way(trees):
    assert [problem for path, tree in trees.items() for problem in unsafe_writes(tree, path)] == []


@for_each(
    ("source", "problems"),
    [
        ("path.write_text('x')", 1),
        ("open(path, 'w')", 1),
        ("path.open(mode='r+b')", 1),
        ("path.open('xb')", 1),
        ("shutil.copyfile(a, b)", 1),
        ("figure.savefig(path, dpi=120)", 1),
        ("path.open(encoding='utf-8')", 0),
        ("open(path, 'rb')", 0),
        ("figure.savefig(buffer, format='svg')", 0),
        ("write_atomically(path, 'x')", 0),
    ],
)
def test_a_file_that_is_written_in_place_is_detected(source, problems):
    assert len(unsafe_writes(ast.parse(source), "runs/cli/a.py")) == problems
    assert unsafe_writes(ast.parse(source), "models/files/output_file.py") == []


def test_no_file_exceeds_the_line_limit_of_its_type():
    assert [problem for text, path in files(*PACKAGES, "tests") for problem in too_long(text, path)] == []


@for_each(
    ("path", "source"),
    [
        ("models/a.py", "from isoplane.objectives import x"),
        ("models/a.py", "from ..search import x"),
        ("models/a.py", "import isoplane"),
        ("objectives/a.py", "import isoplane.search.moves"),
        ("objectives/bounds/a.py", "from ...search import x"),
        ("objectives/reference/a.py", "from ..native import kernel"),
        ("objectives/reference/a.py", "from .. import metrics"),
        ("search/a.py", "def f():\n    from isoplane.runs.records import x"),
        ("search/a.py", "import importlib\nimportlib.import_module('isoplane.runs')"),
        ("conf/a.py", "from isoplane.models import x"),
        ("search/a.py", "import hydra"),
        ("models/a.py", "import igraph"),
        ("fleet/a.py", "import ray"),
        ("fleet/a.py", "from isoplane.search import x"),
        ("search/a.py", "from ortools.sat import x"),
        ("search/programs/a.py", "import gurobipy"),
        ("simulator/a.py", "from isoplane.objectives import x"),
        ("search/utils.py", ""),
        ("search/a.py", "from models import x"),
        ("search/a.py", "import tests.strategies"),
    ],
)
def test_a_file_that_breaks_a_rule_is_detected(path, source):
    assert len(violations(ast.parse(source), path)) == 1


@for_each(
    ("path", "source"),
    [
        ("models/a.py", "from . import gf2\nfrom .checks import x\nimport numpy"),
        ("models/cubes/canonical.py", "def f():\n    import igraph"),
        ("objectives/a.py", "from isoplane.models import Network\nfrom .native import x"),
        ("objectives/bounds/a.py", "from ..score import x\nfrom ortools.sat import y"),
        ("objectives/structure/a.py", "from ortools.sat import y"),
        ("objectives/reference/a.py", "import igraph\nfrom .graph import x\nfrom isoplane.models import Cube"),
        ("fleet/ray.py", "def f():\n    import ray"),
        ("search/programs/a.py", "from ...objectives import x\nimport ortools"),
        ("search/programs/solvers/gurobi.py", "def f():\n    import gurobipy"),
        ("runs/cli/a.py", "import hydra, omegaconf\nfrom isoplane.search import x\nfrom ..records import y"),
        ("runs/records/a.py", "from isoplane.objectives.reference import cube_metrics\nfrom isoplane import models"),
        ("search/a.py", "import rayleigh, hydrant"),
    ],
)
def test_a_file_that_keeps_the_rules_passes(path, source):
    assert violations(ast.parse(source), path) == []


@for_each(
    ("path", "lines", "problems"),
    [
        ("models/a.py", 300, 0),
        ("models/a.py", 301, 1),
        ("search/native/a.cpp", 400, 0),
        ("search/native/a.cpp", 401, 1),
        ("conf/a.yaml", 40, 0),
        ("conf/a.yaml", 41, 1),
        ("runs/a.yaml", 41, 0),
    ],
)
def test_a_file_that_is_too_long_is_detected(path, lines, problems):
    assert len(too_long("x\n" * lines, path)) == problems
