"""Objectives that are functions of exact metrics, found by their names ``module:function``."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from inspect import signature
from itertools import count
from numbers import Rational
from pathlib import Path
from threading import Lock
from traceback import extract_tb
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.models.files.exact_text import counted

from .metric_scopes import named_otherwise

# Metrics that a function is called with: the name of each, its exact integer, and the divisor of that, or if True what
# is divided by it.
Known = tuple[tuple[str, str, int, bool], ...]
# Name, number of integers that it returns (0 if unknown), and metrics.
Function = tuple[str, int, Known]

MOST_PARTS = 3
LARGEST = 1 << 120  # of what a function returns: native scores have 128 bits

HERE = "__main__"  # the module in the names of functions that only this process knows

_NAME = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_given: dict[str, Callable[..., Any]] = {}  # functions that only this process knows, by name
_giving = Lock()


def is_function(objective: object) -> bool:
    """Whether an objective is the name of a function.

    Examples
    --------
    >>> is_function("mine.goals:wear"), is_function("delay")
    (True, False)
    """
    return isinstance(objective, str) and _NAME.fullmatch(objective) is not None


def names_function(record: Mapping[str, Any]) -> bool:
    """Whether the objective of a record may have functions or metrics of the user's own: names with a colon."""
    return any(":" in str(name) for name in (record.get("objective"), *(record.get("score_names") or ())))


def function_named(name: str) -> Callable[[Mapping[str, int | Fraction]], Any]:
    """Return a function by its module and name, or one that only this process knows.

    Raises
    ------
    InputError
        If there is no such module or function, or the module is damaged.
    """
    return _given[name] if name in _given else imported_function(name)


@cache
def imported_function(name: str) -> Callable[[Mapping[str, int | Fraction]], Any]:
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
    if module == HERE:
        raise _function_error(
            f"function {name}: of a script or notebook, known only there while it runs; expected one of a module in "
            "PYTHONPATH"
        )
    if module.partition(".")[0] in sys.stdlib_module_names:
        raise InputError(f"function {name}: {module} is a module of Python itself; expected one of another name")
    source = _source_of(module)
    if source is None:
        raise _function_error(f"function {name}: no module {module}; expected one in PYTHONPATH, or installed")
    try:
        tree = ast.parse(Path(source).read_bytes())
    except SyntaxError as error:
        raise _function_error(
            f"function {name}: {source}, line {error.lineno}: {error.msg}; expected Python"
        ) from error
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == attribute]
    if not defined or not _takes_one(defined[-1].args):
        given = f"{attribute}({ast.unparse(defined[-1].args)})" if defined else f"no {attribute}"
        raise _function_error(
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

    A function that they would not find, such as a lambda or one of a script or notebook, is kept for this process,
    under a name that no module has.

    Raises
    ------
    InputError
        If it is not called with one positional argument.

    Examples
    --------
    >>> name_of(lambda metrics: metrics["max_load"]).startswith("__main__:lambda")
    True
    """
    name = f"{getattr(function, '__module__', HERE)}:{getattr(function, '__qualname__', '')}"
    if is_function(name) and not is_here(name):
        try:
            if imported_function(name) is function:
                return name
        except InputError:  # it exists all the same: defined under a condition, or its file has changed
            pass
    return _kept(function)


def is_here(name: str) -> bool:
    """Whether only this process knows a function, by its name.

    Examples
    --------
    >>> is_here("__main__:steep"), is_here("wear:steep")
    (True, False)
    """
    return name.partition(":")[0] == HERE


def _kept(function: Callable[..., Any]) -> str:
    """Return the name of a function that only this process knows; another function has another name."""
    label = str(getattr(function, "__name__", type(function).__name__)).strip("<>")
    try:
        signature(function).bind({})
    except TypeError:
        raise InputError(
            f"objective={label}{signature(function)}: expected a function of one positional parameter, as def "
            f"{label}(metrics)"
        ) from None
    except ValueError:  # one in C that does not tell its parameters
        pass
    if not is_function(f"{HERE}:{label}"):
        label = "function"
    with _giving:
        names = (f"{HERE}:{label}{'' if number == 1 else number}" for number in count(1))
        name = next(name for name in names if _given.get(name, function) is function)
        _given[name] = function
    return name


def _function_error(message: str) -> InputError:
    """Return an error of a function that is not here, cannot be imported, or fails: its values are unknown then."""
    error = InputError(message)
    error.is_of_function = True
    return error


def _failure(name: str, error: Exception) -> InputError:
    """Return in one line what went wrong in a user's module, and where."""
    place = extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return _function_error(f"function {name}: {what} ({place.filename}, line {place.lineno}); expected no error")


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
    for metric, exact, divisor, inverse in metrics:
        known[metric] = _quotient(values[exact], divisor, inverse) if inverse or divisor != 1 else values[exact]
    function_of_metrics = function_named(name)
    try:
        returned = function_of_metrics(known)
    except Exception as error:
        if isinstance(error, _NoMetricError):
            metric = str(error.args[0])
            expected = f"{named_otherwise(metric, known)}expected {', '.join(known)}"
            raise _function_error(f"function {name}: no metric {metric!r} here; {expected}") from error
        raise _failure(name, error) from error
    found = returned if isinstance(returned, tuple) else (returned,)
    integers = tuple(integer for part in found if (integer := _integer(part)) is not None)
    if not 1 <= len(found) == len(integers) <= MOST_PARTS or parts not in (0, len(found)):
        count = counted(parts, "integer") if parts else f"an integer, or a tuple of 1 to {MOST_PARTS} integers"
        raise _function_error(
            f"function {name}: returned {shown(returned)}; expected {count}, as from round(1000 * value)"
        )
    return integers


@lru_cache(1 << 16)  # designs share most of their integers; a new fraction takes more than most functions of metrics
def _quotient(exact: int, divisor: int, inverse: bool) -> Fraction:
    return Fraction(divisor, exact) if inverse else Fraction(exact, divisor)


def _integer(part: object) -> int | None:
    """Return an integer for a score, which may be one of numpy or a fraction over 1; None of anything else."""
    if type(part) is int:  # the usual one, sooner known than a rational number
        return part if abs(part) < LARGEST else None
    if not isinstance(part, Rational) or isinstance(part, bool) or part.denominator != 1:
        return None
    whole = int(part.numerator)
    return whole if abs(whole) < LARGEST else None


def integers_of(functions: Iterable[Function]) -> dict[str, Function]:
    """Return the names in scores of the integers that functions return, each with its function.

    Examples
    --------
    >>> list(integers_of([("mine:wear", 2, ()), ("own:value", 1, ())]))
    ['mine:wear', 'mine:wear[1]', 'own:value']
    """
    return {
        _integer_name(name, number): (name, parts, known) for name, parts, known in functions for number in range(parts)
    }


def _integer_name(name: str, number: int) -> str:
    return f"{name}[{number}]" if number else name


def with_functions(functions: Sequence[Function], values: Mapping[str, int]) -> Mapping[str, int]:
    """Return exact integers, and those that functions make of them."""
    if not functions:
        return values
    known = dict(values)
    for function in functions:
        for number, integer in enumerate(function_value(function, values)):
            known[_integer_name(function[0], number)] = integer
    return known
