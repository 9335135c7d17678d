"""Errors in statements."""

from isoplane.models import InputError

from .reader import shown


class StatementError(InputError):
    """A statement of a program has an invalid value.

    The parser, which knows the position of the statement, adds line and column.

    Parameters
    ----------
    statement
        Name of the statement.
    value
        The value, as in a program.
    allowed
        Description of the valid values.
    argument
        Index of the wrong word after the name, from 0; -1 for the name itself.
    occurrence
        Index of the statement among those of that name, from 0.
    """

    def __init__(self, statement: str, value: str, allowed: str, argument: int = 0, occurrence: int = 0) -> None:
        super().__init__(f"{f'{statement} {shown(value)}'.rstrip()}: expected {allowed}")
        self.statement = statement
        self.argument = argument
        self.occurrence = occurrence


def require_integer(statement: str, value: object, low: int, high: int, argument: int = 0, occurrence: int = 0) -> None:
    """Raise a `StatementError` unless a value is an integer within [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise StatementError(statement, f"{value}", f"an integer from {low} to {high}", argument, occurrence)
