"""The imports between the files of the project, type-only and local ones too; names are followed to their files."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a syntax tree; to walk through it takes as long as all that rules ask of them."""
    return tuple(ast.walk(tree))


@dataclass(frozen=True)
class ImportGraph:
    """The Python files below some folders, and their imports of each other.

    Parameters
    ----------
    root, folders
        The root of the project, and its top-level packages.
    """

    root: Path
    folders: tuple[str, ...]

    @cached_property
    def files(self) -> dict[tuple[str, ...], ast.Module]:
        """The syntax trees of all files by dotted name, in parts; packages are those of their `__init__`."""
        paths = [path for folder in self.folders for path in sorted((self.root / folder).rglob("*.py"))]
        names = [path.relative_to(self.root).with_suffix("").parts for path in paths]
        return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in zip(names, paths, strict=True)}

    @cached_property
    def imports(self) -> dict[tuple[str, ...], list[tuple[tuple[str, ...], str]]]:
        """The modules and names that each file imports from the project."""
        return {name: list(self._imports(name)) for name in self.files}

    @cached_property
    def edges(self) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Pairs of a file and one that it imports; neither is an `__init__`."""
        found = set()
        for name in self.files:
            if name[-1] != "__init__":
                targets = {self._defined_in(module, imported) for module, imported in self.imports[name]}
                found |= {(name, target) for target in targets if target not in (None, name)}
        return found

    def circles(self) -> list[list[str]]:
        """Return the sets of files that import each other in a circle (Tarjan's strongly connected components)."""
        following = defaultdict(list)
        for one, other in self.edges:
            following[one].append(other)
        order, low, stack, found = {}, {}, [], []

        def visit(node: tuple[str, ...]) -> None:
            order[node] = low[node] = len(order)
            stack.append(node)
            for other in following[node]:
                if other not in order:
                    visit(other)
                if other in stack:
                    low[node] = min(low[node], low[other])
            if low[node] == order[node]:
                members = stack[stack.index(node) :]
                del stack[stack.index(node) :]
                if len(members) > 1:
                    found.append(sorted(map("/".join, members)))

        for node in self.files:
            if node not in order:
                visit(node)
        return found

    def arrows(self, room: tuple[str, ...]) -> set[tuple[str, str]]:
        """Return the pairs of files and folders in a room of which one imports the other."""
        depth = len(room)
        pairs = ((one, other) for one, other in self.edges if one[:depth] == room == other[:depth])
        return {(one[depth], other[depth]) for one, other in pairs if one[depth] != other[depth]}

    def two_way_pairs(self) -> list[str]:
        """Return the files and folders of one room that import each other."""
        rooms = {name[:depth] for name in self.files for depth in range(len(name))}
        pairs = ((room, pair) for room in rooms for pair in self.arrows(room))
        both = [(room, (a, b)) for room, (a, b) in pairs if a < b and (b, a) in self.arrows(room)]
        return sorted(f"{'/'.join(room)}: {a} and {b}" for room, (a, b) in both)

    def sizes(self) -> Counter[str]:
        """Return the number of files in each folder, without `__init__`."""
        return Counter("/".join(name[:-1]) for name in self.files if name[-1] != "__init__")

    def _imports(self, name: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the modules and names that a file imports from the project."""
        for node in nodes(self.files[name]):
            if not isinstance(node, ast.ImportFrom):
                continue
            module = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                yield from ((name[: len(name) - node.level] + module, alias.name) for alias in node.names)
            elif module[:1] == ("isoplane",):
                yield from ((module[1:], alias.name) for alias in node.names)

    def _defined_in(self, module: tuple[str, ...], name: str) -> tuple[str, ...] | None:
        """Return the file that defines a name, also if a package hands it on; None if it is not of the project."""
        init = (*module, "__init__")
        if init not in self.files:
            return module if module in self.files else None
        for source, imported in self.imports[init]:
            if imported == name and (source, imported) != (module, name):
                return self._defined_in(source, imported)
        return (*module, name) if (*module, name) in self.files else None
