"""Checks of single values, with uniform messages."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from .errors import InputError

MAX_NODES_PER_SWITCH = 1024
SHOWN_CHARACTERS = 80  # of a value in a message

Json = dict[str, Any]
Metres = int | float | str | Fraction


def shown(value: object) -> str:
    """Return a value as messages show it, on one line, cut if it is long; None is null, as on the command line.

    Examples
    --------
    >>> shown(None), shown("torus"), len(shown(list(range(1000))))
    ('null', "'torus'", 80)
    """
    text = "null" if value is None else re.sub(r"\n\s*", " ", repr(value))  # arrays have several lines
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def check_int(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` if it is an integer within [low, high].

    Raises
    ------
    InputError
        If it is not; booleans do not count as integers.
    """
    allowed = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        raise InputError(f"{name}={shown(value)}: expected {allowed}")
    return value


def check_count(name: str, value: object, low: int) -> int:
    """Return a count as an integer; counts may be large, so a whole number may be written like 1e6.

    Raises
    ------
    InputError
        If it is not a whole number of at least `low`.

    Examples
    --------
    >>> check_count("stop.evaluations", 1e6, 1)
    1000000
    """
    return check_int(name, int(value) if isinstance(value, float) and value.is_integer() else value, low)


def check_cables_per_pair(value: object, count: int, unit: str, most: int) -> int | tuple[int, ...]:
    """Return the parallel cables between two switches: one number if all are equal, so that equal networks are equal.

    Parameters
    ----------
    value
        One number, or a list with one for each unit.
    count, unit
        How many of what have separate numbers, such as dimensions.
    most
        Maximum number of parallel cables.

    Examples
    --------
    >>> check_cables_per_pair((1, 2), 2, "level", most=8), check_cables_per_pair([2, 2], 2, "level", most=8)
    ((1, 2), 2)
    """
    given = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    numbers = tuple(check_int("network.cables_per_pair", number, 1, most) for number in given)
    if len(numbers) not in (1, count):
        raise InputError(f"network.cables_per_pair={list(numbers)}: expected one number, or {count}, one per {unit}")
    return numbers[0] if len(set(numbers)) == 1 else numbers


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is true or false."""
    if not isinstance(value, bool):
        raise InputError(f"{name}={shown(value)}: expected true or false")
    return value


KINDS: Mapping[object, str] = MappingProxyType(
    {int: "a whole number", float: "a number", str: "text", bool: "true or false", NoneType: "null"}
)


def check_type(name: str, value: object, kind: Any) -> None:
    """Require that a value is of the type in an annotation, such as ``tuple[int, ...] | None``; of others any is taken.

    Raises
    ------
    InputError
        If it is not.

    Examples
    --------
    >>> check_type("network.steps", [1, 5], tuple[int, ...])
    >>> check_type("network.n", "abc", int | None)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.n='abc': expected a whole number or null
    """
    if not _is_of(value, kind):
        raise InputError(f"{name}={shown(value)}: expected {_words(kind)}")


def _is_of(value: object, kind: Any) -> bool:
    parts = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return any(_is_of(value, part) for part in parts)
    if get_origin(kind) is tuple and parts[-1] is Ellipsis:
        return isinstance(value, (list, tuple)) and all(_is_of(part, parts[0]) for part in value)
    if kind not in KINDS:
        return True
    return isinstance(value, (int, float) if kind is float else kind) and (kind is bool or not isinstance(value, bool))


def _words(kind: Any) -> str:
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        return f"a list, of which each is {_words(parts[0])}"
    return " or ".join(map(_words, parts)) or KINDS.get(kind, str(kind))


# Far larger than any real network needs, and small enough that totals over all cables and nodes fit in 64 bits.
MAX_METRES = MAX_USD = MAX_WATTS = 10**7
MAX_GBPS = 10**6
MAX_NUMBER = 10**15
MAX_EXPONENT = 400


def exact_number(name: str, value: object, low: int = 0, high: int = MAX_NUMBER, *, above: bool = False) -> Fraction:
    """Return a decimal number as an exact fraction: its decimal notation, not its binary floating-point value.

    Raises
    ------
    InputError
        If it is not a finite number, is below `low` (or equal to it, with `above`), or is above `high`.
    """
    least = f"a number {'above' if above else 'of at least'} {low}"
    allowed = least if high == MAX_NUMBER else f"{least} and at most {high}"
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, str, Fraction)):
        raise InputError(f"{name}={shown(value)}: expected {allowed}")
    try:
        decimal = value if isinstance(value, Fraction) else Decimal(str(value))
    except (InvalidOperation, ValueError) as error:
        raise InputError(f"{name}={shown(value)}: expected {allowed}") from error
    # Check the exponent before the conversion to a fraction: 1e999999999 would be an integer of a billion digits.
    if isinstance(decimal, Decimal) and not (decimal.is_finite() and abs(decimal.adjusted()) < MAX_EXPONENT):
        is_large = decimal.is_finite() and decimal.adjusted() > 0
        raise InputError(f"{name}={shown(value)}: expected {f'{least} and at most {high}' if is_large else allowed}")
    number = Fraction(decimal)
    if number > high:
        raise InputError(f"{name}={_format(value)}: expected {least} and at most {high}")
    if number < low or (above and number == low):
        raise InputError(f"{name}={_format(value)}: expected {allowed}")
    return number


def fraction_of(value: object) -> Fraction:
    """Return the exact fraction of a number that `exact_number` has accepted before.

    Examples
    --------
    >>> fraction_of(0.1), fraction_of("2.5e1")
    (Fraction(1, 10), Fraction(25, 1))
    """
    return value if isinstance(value, Fraction) else Fraction(Decimal(str(value)))


def _format(value: object) -> str:
    """Format a number for messages."""
    return f"{float(value):g}" if isinstance(value, Fraction) else shown(value)


def millimetres(name: str, value_m: object) -> int:
    """Return a length in metres as whole millimetres.

    Raises
    ------
    InputError
        If it is negative or finer than a millimetre.
    """
    return _to_units(name, value_m, MAX_METRES, 1000, "a length in metres with at most three decimals")


def cents(name: str, value_usd: object) -> int:
    """Return a price in US dollars as whole cents.

    Raises
    ------
    InputError
        If it is negative or finer than a cent.
    """
    return _to_units(name, value_usd, MAX_USD, 100, "a price in US$ with at most two decimals")


def milliwatts(name: str, value_w: object) -> int:
    """Return a power in watts as whole milliwatts.

    Raises
    ------
    InputError
        If it is negative or finer than a milliwatt.
    """
    return _to_units(name, value_w, MAX_WATTS, 1000, "a power in watts with at most three decimals")


def _to_units(name: str, value: object, high: int, parts: int, allowed: str) -> int:
    """Return a value as an integer in units of 1 / `parts`."""
    convert = _kept_units if isinstance(value, (int, float, str)) else _units  # others may have no hash
    return convert(name, value, high, parts, allowed)


def _units(name: str, value: object, high: int, parts: int, allowed: str) -> int:
    number = exact_number(name, value, high=high) * parts
    if number.denominator != 1:
        raise InputError(f"{name}={shown(value)}: expected {allowed}")
    return number.numerator


# The same few lengths and prices are read for thousands of designs. Typed, because True is no number, but equals 1.
_kept_units = lru_cache(maxsize=1 << 10, typed=True)(_units)


def decimal_number(name: str, value: object) -> int | float:
    """Return a number in the canonical form of records, so that 2 and 2.0 give the same content hash.

    Raises
    ------
    InputError
        If it is not a number of at least 0, or no float has its decimal representation.

    Examples
    --------
    >>> decimal_number("layout.slack_m", 2.0), decimal_number("layout.slack_m", "0.8")
    (2, 0.8)
    """
    exact = exact_number(name, value)
    if exact.denominator == 1:
        return exact.numerator
    if exact < 1 << 53:  # above that, floats have no decimals anyway
        nearest = float(exact)
        if Fraction(Decimal(repr(nearest))) == exact:
            return nearest
    raise InputError(f"{name}={_format(value)}: expected a decimal number of at most 15 digits")


def check_rates(name: str, values: object, planes: int) -> tuple[int | float, ...]:
    """Return rates in Gbit/s, one for each plane, in the form of records.

    Raises
    ------
    InputError
        If they are not as many as planes, or one is not above 0 or finer than a Mbit/s.

    Examples
    --------
    >>> check_rates("network.rates_gbps", [400.0, 200], 2)
    (400, 200)
    """
    if not isinstance(values, (list, tuple)) or len(values) != planes:
        raise InputError(f"{name}={shown(values)}: expected null, or a rate for each of {planes} planes")
    for rate in values:
        if (1000 * exact_number(name, rate, high=MAX_GBPS, above=True)).denominator > 1:
            raise InputError(f"{name}={shown(rate)}: expected a rate in Gbit/s with at most three decimals")
    return tuple(decimal_number(name, rate) for rate in values)
