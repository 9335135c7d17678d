"""Formulas of the numbers on a page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """A quantity, its formula, and the section of the paper that defines it, if any."""

    name: str
    text: str
    source: str = ""
