"""Packages that import what they hand on at its first use, so that a command loads only what it needs."""

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from sys import modules
from typing import Any


def handed_on(package: str, source: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, for the names that it imports under ``if TYPE_CHECKING``.

    So the names stand in one place, which type checkers read too. No name may be that of a module of the package:
    whether it is the module or what the module defines would depend on what was imported before.

    Parameters
    ----------
    package, source
        Name and file of the package.

    Examples
    --------
    >>> import isoplane.models
    >>> handed_on("isoplane.models", isoplane.models.__file__)("Layout").__module__
    'isoplane.models.site.layout'
    """
    places: dict[str, tuple[str, str]] = {}
    for block in ast.parse(Path(source).read_text(encoding="utf-8")).body:
        for node in block.body if isinstance(block, ast.If) else ():
            if isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                places |= {alias.asname or alias.name: (module, alias.name) for alias in node.names}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = places[name]
        value = getattr(import_module(module, package), original)
        setattr(modules[package], name, value)
        return value

    return get
