"""Conversion of the temperatures of strategies from configs."""

from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import exact_number


def convert_number(strategy: Any, name: str, low: int = 0, *, above: bool = False) -> None:
    """Convert a parameter of a frozen strategy, which may be text or a fraction, to floating point.

    Raises
    ------
    InputError
        If it is not a number, is below `low`, or equals `low` if `above` is set.
    """
    value = exact_number(f"strategy.{name}", getattr(strategy, name), low, above=above)
    object.__setattr__(strategy, name, float(value))


def convert_range(strategy: Any, cold: str, hot: str) -> None:
    """Convert both ends of a range of temperatures, either of which may be None.

    Raises
    ------
    InputError
        If one is not a positive number, or the first exceeds the second.
    """
    for name in (cold, hot):
        if getattr(strategy, name) is not None:
            convert_number(strategy, name, above=True)
    low, high = getattr(strategy, cold), getattr(strategy, hot)
    if low is not None and high is not None and low > high:
        raise InputError(f"strategy.{cold}={low}, strategy.{hot}={high}: expected {cold} to be at most {hot}")
