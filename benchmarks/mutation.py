"""Mutants: small changes of function bodies, such as `<` to `<=` or 2 to 3, that tests should notice."""

import ast
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

ROOMS = "models", "objectives", "search", "simulator", "runs"
OPERATORS: dict[type, type] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult},
    **{ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}
# What a message or a refusal says is data; the nodes of an f-string have no place in the source.
UNCHANGED = ast.JoinedStr, ast.FunctionDef, ast.ClassDef, ast.Raise, ast.Assert

Function = tuple[str, ast.FunctionDef]  # name with its classes, and the definition


@dataclass(frozen=True)
class Mutant:
    """A change of a function that reads the same in both revisions.

    Attributes
    ----------
    function
        Name with its classes, as in "Cube.num_nodes".
    body
        Digest of the body without its docstring, which tells functions of one name apart.
    place
        Index among the places of the body that can be changed (`places`).
    before, after
        The text that is changed, and what it becomes.
    """

    function: str
    body: str
    place: int
    before: str
    after: str


def replacement(node: ast.AST) -> str:
    """Return what a node becomes, or an empty string if it stays."""
    match node:
        case ast.Compare(left, [operator, *operators], comparators) if type(operator) in OPERATORS:
            return ast.unparse(ast.Compare(left, [OPERATORS[type(operator)](), *operators], comparators))
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            return ast.unparse(ast.BinOp(left, OPERATORS[type(operator)](), right))
        case ast.BoolOp(operator, values):
            return ast.unparse(ast.BoolOp(OPERATORS[type(operator)](), values))
        case ast.UnaryOp(ast.Not(), operand):
            return ast.unparse(operand)
        case ast.IfExp(condition, value, other):
            return ast.unparse(ast.IfExp(condition, other, value))
        case ast.Constant(bool(value)):
            return str(not value)
        case ast.Constant(int(value)):
            return str(value + 1)
    return ""


def places(function: ast.FunctionDef) -> list[tuple[ast.expr, ast.stmt]]:
    """Return the nodes of a function that can be changed, each with its statement, in the order of the text."""
    found: list[tuple[ast.expr, ast.stmt]] = []

    def walk(node: ast.AST, statement: ast.stmt) -> None:
        if isinstance(node, UNCHANGED):
            return
        if isinstance(node, ast.expr) and replacement(node):
            found.append((node, statement))
        for child in ast.iter_child_nodes(node):
            # An `elif` is a statement, too, but no line can be put before it.
            is_elif = isinstance(node, ast.If) and [child] == node.orelse and isinstance(child, ast.If)
            walk(child, child if isinstance(child, ast.stmt) and not is_elif else statement)

    for statement in _body(function):
        walk(statement, statement)
    return found


@cache
def functions(root: Path) -> dict[tuple[str, str], tuple[Path, int]]:
    """Return the file and line of each function of a checkout whose name and body no other one has."""
    found = [
        ((name, _digest(node)), (path, node.lineno))
        for room in ROOMS
        for path in sorted((root / room).rglob("*.py"))
        for name, node in _definitions(ast.parse(path.read_text()), "")
    ]
    times = Counter(key for key, _ in found)
    return {key: place for key, place in found if times[key] == 1}


def draw(root: Path, other: Path, seed: int, count: int) -> list[Mutant]:
    """Draw mutants from the functions that both checkouts have, each place with the same probability."""
    both = functions(root).keys() & functions(other).keys()
    candidates = [
        Mutant(*key, index, ast.unparse(node), replacement(node))
        for key in sorted(both)
        for index, (node, _) in enumerate(places(_definition(root, key)))
    ]
    return random.Random(seed).sample(candidates, count)


def mutated(root: Path, mutant: Mutant) -> tuple[Path, str]:
    """Return the file of a mutant and its changed text."""
    path, _ = functions(root)[mutant.function, mutant.body]
    node, _ = places(_definition(root, (mutant.function, mutant.body)))[mutant.place]
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
    after = mutant.after if isinstance(node, ast.Constant) else f"({mutant.after})"
    return path, (text[:start] + after.encode() + text[end:]).decode()


def marked(root: Path, mutants: dict[int, Mutant]) -> dict[Path, str]:
    """Return the texts of the files of mutants with a call of `mutant_hits.hit` before each changed statement."""
    marks: dict[Path, list[tuple[int, str]]] = {}
    for number, mutant in mutants.items():
        path, _ = functions(root)[mutant.function, mutant.body]
        _, statement = places(_definition(root, (mutant.function, mutant.body)))[mutant.place]
        call = f'{" " * statement.col_offset}__import__("mutant_hits").hit({number})\n'
        marks.setdefault(path, []).append((statement.lineno, call))
    texts = {}
    for path, calls in marks.items():
        lines = path.read_text().splitlines(keepends=True)
        for line, call in sorted(calls, reverse=True):
            lines.insert(line - 1, call)
        texts[path] = "".join(lines)
    return texts


def read_mutants(path: Path) -> list[Mutant]:
    """Read drawn mutants."""
    return [Mutant(**entry) for entry in json.loads(path.read_text())]


def write_mutants(path: Path, mutants: list[Mutant]) -> None:
    """Write drawn mutants."""
    path.write_text(json.dumps([asdict(mutant) for mutant in mutants], indent=1) + "\n")


def _definitions(node: ast.AST, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield from _definitions(child, f"{prefix}{child.name}.")


def _definition(root: Path, key: tuple[str, str]) -> ast.FunctionDef:
    path, line = functions(root)[key]
    definitions = _definitions(ast.parse(path.read_text()), "")
    return next(node for _, node in definitions if node.lineno == line)


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _digest(function: ast.FunctionDef) -> str:
    return hashlib.sha256("".join(map(ast.dump, _body(function))).encode()).hexdigest()[:12]
