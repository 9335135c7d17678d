"""Names of the devices of imported fabrics."""

import re
from collections.abc import Iterable


def sorted_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in natural order: numbers in them by value.

    Examples
    --------
    >>> sorted_names(["N10", "N9", "P0-S12", "P0-S2"])
    ('N9', 'N10', 'P0-S2', 'P0-S12')
    """
    return tuple(sorted(names, key=natural))


def natural(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """Return the key of natural order."""
    parts = [part for part in re.split(r"([0-9]+)", name) if part]
    return [_part(part) for part in parts], name


def _part(text: str) -> tuple[bool, int, str]:
    return (False, int(text), text) if text[0] in "0123456789" else (True, 0, text)
