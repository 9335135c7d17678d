"""Only files of families and of their kinds may check for a family; other code checks what a network can do."""

import ast
from collections.abc import Iterator
from pathlib import Path

from isoplane.models import family_named, family_names
from tests.cases import for_each

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("models", "objectives", "search", "fleet", "simulator", "runs")
NAMES = frozenset(family_names())
BASES = {"Family", "Sized", "ABC", "object"}
CLASSES = frozenset(each.__name__ for name in NAMES for each in family_named(name).__mro__) - BASES
FAMILY_FILES = ("models/families/", "models/family_kinds/")
# Route keys are named after groups of offsets, one of which is "torus"; they define how columns are looked up.
ROUTE_KEY_FILES = ("models/planes/routes.py", "models/planes/routing_columns.py")
# The description language has topology classes of its own, from which networks are built.
LANGUAGE_FILES = ("simulator/language/", "runs/figures/shibamura/settings.py")
# Bounds hold for all families of cubes, which share a class.
CUBE_FILES = ("objectives/bounds/__main__.py",)


def strings(node: ast.expr) -> Iterator[str]:
    """Return all strings in an expression."""
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))


def function_name(node: ast.Call) -> str:
    """Return the name of the called function."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def is_class(node: ast.AST) -> bool:
    """Whether a node names a class of families."""
    return getattr(node, "id", getattr(node, "attr", "")) in CLASSES


def checks_family(node: ast.AST) -> bool:
    """Whether a piece of code checks for a family: by its name, by part of the name, by its class, or in a table."""
    if isinstance(node, ast.Compare):
        return any(text in NAMES for each in (node.left, *node.comparators) for text in strings(each))
    if isinstance(node, ast.Call) and function_name(node) in ("startswith", "endswith", "removesuffix", "removeprefix"):
        parts = [text for each in node.args for text in strings(each) if len(text) > 2]
        return any(part in name for part in parts for name in NAMES)
    if isinstance(node, ast.Call) and function_name(node) in ("isinstance", "issubclass"):
        return any(is_class(each) for each in ast.walk(node.args[1]))
    if isinstance(node, ast.MatchValue):
        return bool(NAMES.intersection(strings(node.value)))
    if isinstance(node, ast.MatchClass):
        return is_class(node.cls)
    return isinstance(node, ast.Dict) and sum(isinstance(k, ast.Constant) and k.value in NAMES for k in node.keys) > 1


def family_checks(source: str) -> list[int]:
    """Return the lines in which a file checks for a family."""
    return [node.lineno for node in ast.walk(ast.parse(source)) if checks_family(node)]


def test_no_file_outside_the_families_checks_for_a_family():
    checks = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith((*FAMILY_FILES, *LANGUAGE_FILES)) and name not in (*ROUTE_KEY_FILES, *CUBE_FILES):
                checks += [f"{name}:{line}" for line in family_checks(path.read_text(encoding="utf-8"))]
    assert checks == []


@for_each(
    "source",
    [
        'if family == "hybrid": pass',
        'if network["family"] in ("torus", "mesh"): pass',
        'x = 1 if name != "rdt" else 2',
        'cube = name.endswith("hypercube")',
        "if isinstance(family, Torus): pass",
        "if issubclass(kind, (int, Cubes)): pass",
        'match name:\n    case "mesh": pass',
        "match family:\n    case Hybrid(): pass",
        'size = {"torus": 1, "mesh": 2}[name]',
    ],
)
def test_a_family_check_is_detected(source):
    assert len(family_checks(source)) == 1


@for_each(
    "source",
    ["if family.uses_site: pass", 'print("torus")', 'if kind == "table": pass', "isinstance(value, (int, str))"],
)
def test_checks_of_capabilities_pass(source):
    assert family_checks(source) == []
