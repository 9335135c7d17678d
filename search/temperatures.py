"""Temperatures of strategies, as they are taken from a config."""

from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import exact_number


def take_number(strategy: Any, name: str, low: int = 0, *, above: bool = False) -> None:
    """Make a parameter of a frozen strategy a floating-point number; a text or a fraction may be one.

    Raises
    ------
    InputError
        If it is no number, below `low`, or equal to it with `above`.
    """
    given = exact_number(f"strategy.{name}", getattr(strategy, name), low, above=above)
    object.__setattr__(strategy, name, float(given))


def take_range(strategy: Any, cold: str, hot: str) -> None:
    """Take the two ends of a range of temperatures, either of which may be None.

    Raises
    ------
    InputError
        If one is no positive number, or the first exceeds the second.
    """
    for name in (cold, hot):
        if getattr(strategy, name) is not None:
            take_number(strategy, name, above=True)
    low, high = getattr(strategy, cold), getattr(strategy, hot)
    if low is not None and high is not None and low > high:
        raise InputError(f"strategy.{cold}={low}, strategy.{hot}={high}: expected {cold} up to {hot}")
