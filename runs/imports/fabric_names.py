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


_NamePart = tuple[bool, int, str, str]


def natural(name: str) -> tuple[list[_NamePart], str]:
    """Return the key of natural order."""
    return [_part(part) for part in re.split(r"([0-9]+)", name) if part], name


def _part(text: str) -> _NamePart:
    """Return a key of digits by their value, which may have more digits than Python converts, or of other text."""
    if text[0] not in "0123456789":
        # Digits have False, so that a number is never compared with other text.
        return True, 0, text, ""
    digits = text.lstrip("0")
    # More digits are a larger number; leading zeros decide between equal numbers only.
    return False, len(digits), digits, text
