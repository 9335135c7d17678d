"""No file but a family's own asks what kind of network it has: code asks what a network can do."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from isoplane.models import family_named, family_names

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("models", "objectives", "search", "fleet", "simulator", "runs")
NAMES = frozenset(family_names())
BASES = {"Family", "ABC", "object"}
CLASSES = frozenset(each.__name__ for name in NAMES for each in family_named(name).__mro__) - BASES
OWN = "models/families/"
# A route's key is named after the group of its offsets, one of them "torus": it says how columns are looked up.
ROUTE_KEYS = ("models/routing/routes.py", "models/routing/offsets.py")
# A program of the description language states a topology, of its own classes, from which a network is built.
STATEMENTS = ("simulator/language/", "runs/figures/shibamura/settings.py")
# Bounds are stated for all families of cubes, which share a class.
SHARED = ("objectives/bounds/__main__.py",)


def texts(node: ast.expr) -> Iterator[str]:
    """All texts in an expression."""
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))


def called(node: ast.Call) -> str:
    """The name of what is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def is_class(node: ast.AST) -> bool:
    """Whether a node names a class of families."""
    return getattr(node, "id", getattr(node, "attr", "")) in CLASSES


def asks(node: ast.AST) -> bool:
    """Whether a piece of code asks for a family: by its name, by a part of it, by its class, or in a table."""
    if isinstance(node, ast.Compare):
        return any(text in NAMES for each in (node.left, *node.comparators) for text in texts(each))
    if isinstance(node, ast.Call) and called(node) in ("startswith", "endswith", "removesuffix", "removeprefix"):
        parts = [text for each in node.args for text in texts(each) if len(text) > 2]
        return any(part in name for part in parts for name in NAMES)
    if isinstance(node, ast.Call) and called(node) in ("isinstance", "issubclass"):
        return any(is_class(each) for each in ast.walk(node.args[1]))
    if isinstance(node, ast.MatchValue):
        return bool(NAMES.intersection(texts(node.value)))
    if isinstance(node, ast.MatchClass):
        return is_class(node.cls)
    return isinstance(node, ast.Dict) and sum(isinstance(k, ast.Constant) and k.value in NAMES for k in node.keys) > 1


def forks(source: str) -> list[int]:
    """The lines in which a file asks for a family."""
    return [node.lineno for node in ast.walk(ast.parse(source)) if asks(node)]


def test_no_file_outside_the_families_asks_for_a_kind_of_network():
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith((OWN, *STATEMENTS)) and name not in (*ROUTE_KEYS, *SHARED):
                found += [f"{name}:{line}" for line in forks(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
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
        'made = {"torus": 1, "mesh": 2}[name]',
    ],
)
def test_a_fork_is_found(source):
    assert len(forks(source)) == 1


@pytest.mark.parametrize(
    "source",
    ["if family.is_cubes: pass", 'print("torus")', 'if kind == "table": pass', "isinstance(value, (int, str))"],
)
def test_what_a_network_can_do_may_be_asked(source):
    assert forks(source) == []
