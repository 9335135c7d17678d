"""The parts of the schemas that define metrics and scores of records, generated from the table of metrics.

``python -m isoplane.runs.records.metric_schema`` writes them into the files; all other parts are written by hand.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from isoplane.models.checks import Json
from isoplane.models.files.output_file import write_atomically
from isoplane.objectives import METRIC_TABLE, Formula, Metric, Scope, metrics_in, score_names
from isoplane.objectives.scoring.sums import EXCESS

from .schemas import FILES

Keys = tuple[str, ...]

WIDTH = 120
NULLABLE = frozenset({"layout", "cables"})  # needs that a network without circuits may not meet: the metric is null
CUBES, TIMES, TIMED = ("$defs", "metrics"), ("$defs", "times"), ("$defs", "timed_metrics")


def generated_parts(version: int) -> dict[Keys, Any]:
    """Return the generated parts of the schema of a version, by their path in the file.

    Examples
    --------
    >>> generated_parts(2)["$defs", "metrics", "properties"]["diameter"]
    {'type': 'integer', 'minimum': 0}
    """
    if version == 2:
        scores: Keys = ("else", "properties", "score_names", "items", "pattern")
        return {
            **_metrics("switches", ("$defs", "metrics")),
            scores: _products("switches"),
            **_joined_metrics("switches", "times", TIMED),
            ("then", "properties", "score_names", "items", "pattern"): _products("times", "switches"),
        }
    return {
        **_metrics("cubes", CUBES),
        **_metrics("circuits", TIMES),
        ("$defs", "product", "pattern"): _products("cubes"),
        ("then", "properties", "score_names", "items", "pattern"): _products("circuits"),
        **_joined_metrics("cubes", "times", TIMED),
        ("else", "then", "properties", "score_names", "items", "pattern"): _products("times", "cubes"),
    }


def _metrics(scope: Scope, path: Keys) -> dict[Keys, Any]:
    found = metrics_in(scope)
    required = [name for name, (metric, formula) in found.items() if not (metric.optional or formula.on_request)]
    properties = {name: _value(metric, formula) for name, (metric, formula) in found.items()}
    return {(*path, "required"): required, (*path, "properties"): properties}


def _joined_metrics(scope: Scope, other: Scope, path: Keys) -> dict[Keys, Any]:
    """Return the metrics of two scopes; all are required but those of a judge, look-ups and stages, or on request."""
    parts = [_metrics(each, path)[*path, "properties"] for each in (scope, other)]
    properties = {**parts[0], **parts[1]}
    requested = {name for name, (_, formula) in metrics_in(scope).items() if formula.on_request}
    needs = {name: METRIC_TABLE[name].needs for name in properties if name not in requested}
    required = [name for name, needed in needs.items() if needed.isdisjoint({"judge", "lookups", "stages"})]
    return {(*path, "required"): required, (*path, "properties"): properties}


def _value(metric: Metric, formula: Formula) -> Json:
    kind = "integer" if formula.divisor is None else "number"
    return {"type": [kind, "null"] if metric.needs & NULLABLE else kind, "minimum": metric.minimum}


def _products(*scopes: Scope) -> str:
    """Return the pattern of a component of a score: a sum of products of exact integers, an excess, or a function."""
    function = r"[\w.]+:\w+(\[\d\])?"
    factor = f"({'|'.join(name for scope in scopes for name in score_names(scope))}|{function})"
    product = rf"(\d+\*)?{factor}(\*{factor})*"
    return rf"^({EXCESS}|-?{product}([+-]{product})*)$"


def replace_parts(text: str, parts: Mapping[Keys, Any]) -> str:
    """Return the text of a schema with some parts replaced; the rest is unchanged, including spaces.

    Examples
    --------
    >>> replace_parts('{ "a":  1, "b": { "c": 2 } }', {("b", "c"): [3, 4]})
    '{ "a":  1, "b": { "c": [3, 4] } }'
    """
    for path, value in parts.items():
        # Found anew for each part, since the one before may have moved all that follows.
        start, end = _span(text, path)
        line = text[text.rfind("\n", 0, start) + 1 : start]
        indent = len(line) - len(line.lstrip())
        text = text[:start] + _format(value, indent, len(line)) + text[end:]
    return text


def _span(text: str, path: Keys) -> tuple[int, int]:
    """Return start and end of the value at a path in a text."""
    start = end = 0
    for key in path:
        start, end = next((first, last) for name, first, last in _entries(text, start) if name == key)
    return start, end


def _entries(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield keys of the object at an offset, with start and end of their values."""
    decoder = json.JSONDecoder()
    offset = _skip_spaces(text, start + 1)
    while text[offset] != "}":
        key, offset = decoder.raw_decode(text, offset)
        first = _skip_spaces(text, offset + 1)
        _, offset = decoder.raw_decode(text, first)
        yield key, first, offset
        offset = _skip_spaces(text, offset)
        offset = _skip_spaces(text, offset + 1) if text[offset] == "," else offset


def _skip_spaces(text: str, offset: int) -> int:
    return offset + len(text[offset:]) - len(text[offset:].lstrip())


def _format(value: Any, indent: int, column: int) -> str:
    """Return a value as JSON: on one line if it fits, else one line per key, with lists filled to the line width."""
    line = _line(value)
    nested = isinstance(value, dict) and any(isinstance(each, dict) for each in value.values())
    if column + len(line) < WIDTH and not nested:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        rows = []
        for key, each in value.items():
            prefix = f"{inner}{json.dumps(key)}: "
            rows.append(prefix + _format(each, indent + 2, len(prefix)))
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    if isinstance(value, list):
        return "[\n" + "\n".join(_fill_lines(map(json.dumps, value), inner)) + "\n" + " " * indent + "]"
    return line


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)}: {_line(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


def _fill_lines(items: Iterable[str], indent: str) -> Iterator[str]:
    """Yield lines of items separated by commas, filled to the line width."""
    items = list(items)
    row = indent
    for index, item in enumerate(items):
        item += "," if index < len(items) - 1 else ""
        if row != indent and len(row) + 1 + len(item) > WIDTH:
            yield row
            row = indent
        row += item if row == indent else f" {item}"
    yield row


def main() -> None:
    """Write the generated parts into the files of all versions."""
    for version, name in FILES.items():
        path = Path(__file__).with_name(name)
        write_atomically(path, replace_parts(path.read_text(encoding="utf-8"), generated_parts(version)))


if __name__ == "__main__":
    main()
