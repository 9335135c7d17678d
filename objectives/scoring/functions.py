"""Objectives that are functions of exact metrics, found by their names ``module:function``."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.models.files.exact_text import counted

# Metrics that a function is called with: the name of each, its exact integer, and the fraction by which that is
# multiplied, or if True which is divided by it.
Known = tuple[tuple[str, str, int | Fraction, bool], ...]
# Name, number of integers that it returns (0 if unknown), and metrics.
Function = tuple[str, int, Known]

MOST_PARTS = 3
LARGEST = 1 << 120  # of what a function returns: native scores have 128 bits

_NAME = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def is_function(objective: object) -> bool:
    """Whether an objective is the name of a function.

    Examples
    --------
    >>> is_function("mine.goals:wear"), is_function("delay")
    (True, False)
    """
    return isinstance(objective, str) and _NAME.fullmatch(objective) is not None


@cache
def function_named(name: str) -> Callable[[Mapping[str, int | Fraction]], Any]:
    """Return a function by its module and name, for any process that evaluates designs.

    Records and saved configs name functions, too. So a module is only imported if it is none of Python itself, and its
    source defines the function at the top level, with one positional parameter: whatever a file names, no other code
    runs.

    Raises
    ------
    InputError
        If there is no such module or function, or the module is damaged.
    """
    module, _, attribute = name.partition(":")
    if module.partition(".")[0] in sys.stdlib_module_names:
        raise InputError(f"function {name}: {module} is a module of Python itself; expected one of another name")
    source = _source_of(module)
    if source is None:
        raise InputError(f"function {name}: no module {module}; expected one in PYTHONPATH, or installed")
    try:
        tree = ast.parse(Path(source).read_bytes())
    except SyntaxError as error:
        raise InputError(f"function {name}: {source}, line {error.lineno}: {error.msg}; expected Python") from error
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == attribute]
    if not defined or not _takes_one(defined[-1].args):
        given = f"{attribute}({ast.unparse(defined[-1].args)})" if defined else f"no {attribute}"
        raise InputError(
            f"function {name}: {given} in {source}; expected a function of one positional parameter, as def "
            f"{attribute}(metrics)"
        )
    try:
        function: Callable[[Mapping[str, int | Fraction]], Any] = getattr(import_module(module), attribute)
    except Exception as error:
        raise _failure(name, error) from error
    return function


def _takes_one(parameters: ast.arguments) -> bool:
    """Whether a function is called with one positional argument."""
    others = parameters.vararg, parameters.kwarg, *parameters.kwonlyargs
    return len([*parameters.posonlyargs, *parameters.args]) == 1 and not any(others)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name ``module:function`` by which other processes, and later `verify`, find a function.

    Raises
    ------
    InputError
        If they would not find it: a lambda, a function within another one, or one that was typed into a session.
    """
    label = getattr(function, "__qualname__", repr(function))
    module = getattr(function, "__module__", None)
    name = f"{module}:{label}"
    if module == "__main__" or not is_function(name):
        raise InputError(
            f"objective={label}: resume, workers and verify must find it by name; expected a function at the top level "
            "of a module in PYTHONPATH"
        )
    function_named(name)
    return name


def _failure(name: str, error: Exception) -> InputError:
    """Return in one line what went wrong in a user's module, and where."""
    place = extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return InputError(f"function {name}: {what} ({place.filename}, line {place.lineno}); expected no error")


def _source_of(module: str) -> str | None:
    """Return the file of a module, which is not imported, nor are the packages that it is in."""
    spec, path = None, None
    for number in range(1, module.count(".") + 2):
        name = ".".join(module.split(".")[:number])
        try:
            spec = find_spec(name) if path is None else PathFinder.find_spec(name, path)
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return spec.origin if spec is not None and spec.origin and spec.origin.endswith(".py") else None


class _NoMetricError(KeyError):
    """A metric that a function asks for and is not called with."""


class _Known(dict[str, int | Fraction]):
    """The metrics that a function is called with."""

    def __missing__(self, name: str) -> int | Fraction:
        raise _NoMetricError(name)


def lacks_metric(error: InputError) -> bool:
    """Whether a function has failed because it asks for a metric that designs of this kind do not have."""
    return isinstance(error.__cause__, _NoMetricError)


def function_value(function: Function, values: Mapping[str, int]) -> tuple[int, ...]:
    """Return what a function makes of exact integers: one integer, or several that are compared in order.

    Parameters
    ----------
    function
        Its name, the number of integers that it returns, and its metrics.
    values
        The exact integers of a design.

    Raises
    ------
    InputError
        If it returns anything else, or fails.
    """
    name, parts, metrics = function
    known = _Known()
    for metric, exact, factor, inverse in metrics:
        known[metric] = Fraction(factor) / values[exact] if inverse else factor * values[exact]
    function_of_metrics = function_named(name)
    try:
        returned = function_of_metrics(known)
    except Exception as error:
        if isinstance(error, _NoMetricError):
            raise InputError(
                f"function {name}: no metric {error.args[0]!r} here; expected {', '.join(known)}"
            ) from error
        raise _failure(name, error) from error
    found = returned if isinstance(returned, tuple) else (returned,)
    are_integers = all(isinstance(part, int) and not isinstance(part, bool) and abs(part) < LARGEST for part in found)
    if not are_integers or not 1 <= len(found) <= MOST_PARTS or parts not in (0, len(found)):
        count = counted(parts, "integer") if parts else f"an integer, or a tuple of 1 to {MOST_PARTS} integers"
        raise InputError(f"function {name}: returned {shown(returned)}; expected {count}, as from round(1000 * value)")
    return found


def integers_of(functions: Iterable[Function]) -> dict[str, Function]:
    """Return the names in scores of the integers that functions return, each with its function.

    Examples
    --------
    >>> list(integers_of([("mine:wear", 2, ()), ("own:value", 1, ())]))
    ['mine:wear', 'mine:wear[1]', 'own:value']
    """
    return {
        name if number == 0 else f"{name}[{number}]": (name, parts, known)
        for name, parts, known in functions
        for number in range(parts)
    }


def with_functions(functions: Sequence[Function], values: Mapping[str, int]) -> Mapping[str, int]:
    """Return exact integers, and those that functions make of them."""
    own = (part for function in functions for part in function_value(function, values))
    return {**values, **dict(zip(integers_of(functions), own, strict=True))} if functions else values
