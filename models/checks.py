"""Checks of single values, worded alike everywhere."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from .errors import InputError


def check_int(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` if it is an integer within [low, high].

    Raises
    ------
    InputError
        If it is not; booleans are not integers here.
    """
    allowed = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        raise InputError(f"{name}={value!r}: expected {allowed}")
    return value


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is true or false.

    Raises
    ------
    InputError
        If it is anything else.
    """
    if not isinstance(value, bool):
        raise InputError(f"{name}={value!r}: expected true or false")
    return value


# Far beyond any network, and small enough that totals over all cables and nodes fit 64 bits.
MAX_METRES = MAX_USD = 10**7
MOST = 10**15
DIGITS = 400


def exact_number(name: str, value: object, low: int = 0, high: int = MOST, *, above: bool = False) -> Fraction:
    """Return a decimal number as an exact fraction, as it is written rather than as binary floating point holds it.

    Raises
    ------
    InputError
        If it is no finite number, below `low` (or equal to it, with `above`), or above `high`.
    """
    limit = "" if high == MOST else f" and at most {high}"
    allowed = f"a number {'above' if above else 'of at least'} {low}{limit}"
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, str, Fraction)):
        raise InputError(f"{name}={value!r}: expected {allowed}")
    try:
        decimal = value if isinstance(value, Fraction) else Decimal(str(value))
    except (InvalidOperation, ValueError) as error:
        raise InputError(f"{name}={value!r}: expected {allowed}") from error
    # Before it becomes a fraction: 1e999999999 would be an integer of a billion digits.
    if isinstance(decimal, Decimal) and not (decimal.is_finite() and abs(decimal.adjusted()) < DIGITS):
        raise InputError(f"{name}={value!r}: expected {allowed}")
    number = Fraction(decimal)
    if number < low or number > high or (above and number == low):
        raise InputError(f"{name}={_shown(value)}: expected {allowed}")
    return number


def _shown(value: object) -> str:
    """Return a number as messages show it."""
    return f"{float(value):g}" if isinstance(value, Fraction) else repr(value)


def millimetres(name: str, value_m: object) -> int:
    """Return a length in metres as whole millimetres.

    Raises
    ------
    InputError
        If it is negative or finer than a millimetre.
    """
    return _whole(name, value_m, MAX_METRES, 1000, "a length in metres with at most three decimals")


def cents(name: str, value_usd: object) -> int:
    """Return a price in US dollars as whole cents.

    Raises
    ------
    InputError
        If it is negative or finer than a cent.
    """
    return _whole(name, value_usd, MAX_USD, 100, "a price in US$ with at most two decimals")


def _whole(name: str, value: object, high: int, parts: int, allowed: str) -> int:
    """Return a value in its smallest unit, of which `parts` make one."""
    number = exact_number(name, value, high=high) * parts
    if number.denominator != 1:
        raise InputError(f"{name}={value!r}: expected {allowed}")
    return number.numerator


def decimal_number(name: str, value: object) -> int | float:
    """Return a number in the one way in which records write it, so that 2 and 2.0 give one content hash.

    Raises
    ------
    InputError
        If it is no number of at least 0, or no float prints as it.

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
    raise InputError(f"{name}={_shown(value)}: expected a decimal number of at most 15 digits")
