"""The published JSON Schema of records, `record.schema.json`, and the check against it."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from isoplane.models import InputError

from .content import Record

VERSION = 1
LONGEST_MESSAGE = 200  # a schema's message quotes the value that it is about, whatever its size


def schema() -> dict[str, Any]:
    """Return the JSON Schema of records.

    Examples
    --------
    >>> schema()["title"]
    'Record'
    """
    text = files(__package__).joinpath("record.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def check_schema(record: object) -> Record:
    """Return `record` if it has the form of a record of this version.

    Raises
    ------
    InputError
        If it has not, naming a field that is wrong.

    Examples
    --------
    >>> check_schema({"schema": 2})
    Traceback (most recent call last):
        ...
    isoplane.models.errors.InputError: schema=2: allowed is 1
    """
    if not isinstance(record, dict) or "schema" not in record:
        raise InputError("no record of isoplane, for it has no field schema; allowed is a file that isoplane wrote")
    version = record["schema"]
    if version != VERSION or type(version) is not int:
        raise InputError(f"schema={_short(repr(version))}: allowed is {VERSION}")
    problem = best_match(_validator().iter_errors(record))
    if problem is not None:
        where = problem.json_path.removeprefix("$").removeprefix(".")
        raise InputError(f"{where}: {_short(problem.message)}" if where else _short(problem.message))
    lengths = {name: len(record[name]) for name in ("score", "score_names", "bound")}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"{said} entries; allowed is the same length")
    return record


@lru_cache(maxsize=1)
def _validator() -> Draft202012Validator:
    # JSON Schema takes 8.0 for an integer; scores, loads and generators are compared exactly, so here it is none.
    whole = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    strict: type[Draft202012Validator] = extend(Draft202012Validator, type_checker=whole)  # type: ignore[no-untyped-call]
    return strict(schema())


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]}..."
