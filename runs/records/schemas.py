"""The published JSON Schemas of records, one per version, and validation against them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from isoplane.models import InputError

from .content import Record

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

    from isoplane.models import Design

FILES = {1: "record.schema.json", 2: "record.2.schema.json"}
LONGEST_MESSAGE = 200  # a schema's message quotes the invalid value, of any size


def schema(version: int = 1) -> dict[str, Any]:
    """Return the JSON Schema of a version of records.

    Examples
    --------
    >>> schema()["title"]
    'Record'
    """
    text = files(__package__).joinpath(FILES[version]).read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def version_of(design: Design) -> int:
    """Return the lowest version of records that can hold a design.

    Version 1 represents designs with circuits, and planes of cubes with cube metrics.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> version_of(Design(dual_cube(3, (3, 5, 7))))
    1
    """
    from isoplane.objectives import SWITCHES, evaluator_of  # only records that are written need them

    return 2 if evaluator_of(design) == SWITCHES else 1


def check_schema(record: object) -> Record:
    """Return `record` if it satisfies the schema of its version.

    Raises
    ------
    InputError
        If it does not, naming an invalid field.

    Examples
    --------
    >>> check_schema({"schema": 3})
    Traceback (most recent call last):
        ...
    isoplane.models.errors.InputError: schema=3: expected 1, 2
    """
    if not isinstance(record, dict) or "schema" not in record:
        raise InputError("not a record, because it has no field schema; expected a record as isoplane wrote it")
    version = record["schema"]
    if type(version) is not int or version not in FILES:
        raise InputError(f"schema={_short(repr(version))}: expected {', '.join(map(str, FILES))}")
    from jsonschema.exceptions import best_match

    problem = best_match(_validator(version).iter_errors(record))
    if problem is not None:
        raise InputError(_text(problem, record))
    lengths = {name: len(record[name]) for name in ("score", "score_names", "bound")}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"{found} entries; expected the same length")
    return record


@cache
def _validator(version: int) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    # JSON Schema accepts 8.0 as an integer; scores, loads and generators are compared exactly, so it is rejected here.
    types = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    strict: type[Draft202012Validator] = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    registry = Registry().with_resources(
        (found["$id"], DRAFT202012.create_resource(found)) for found in map(schema, FILES)
    )
    return strict(schema(version), registry=registry)


def _text(problem: ValidationError, record: Record) -> str:
    if problem.validator is None:  # a field with the schema false, of which jsonschema does not tell the path
        field = next(name for name, value in record.items() if value is problem.instance)
        return f"{field}: expected no such field in a record of this kind"
    where = problem.json_path.removeprefix("$").removeprefix(".")
    return f"{where}: {_short(problem.message)}" if where else _short(problem.message)


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]}..."
