"""Problems of a statement, told with its name and found by its place."""

from isoplane.models import InputError

from .reader import shown


class StatementError(InputError):
    """A statement of a program has a value that is not allowed.

    A parser, which knows where the statement stands, adds line and column.

    Parameters
    ----------
    statement
        Its name.
    value
        The value, as a program would state it.
    allowed
        What is allowed instead.
    argument
        Which word after the name is wrong, from 0; -1 is the name itself.
    occurrence
        Which of several statements of that name, from 0.
    """

    def __init__(self, statement: str, value: str, allowed: str, argument: int = 0, occurrence: int = 0) -> None:
        super().__init__(f"{f'{statement} {shown(value)}'.rstrip()}: expected {allowed}")
        self.statement = statement
        self.argument = argument
        self.occurrence = occurrence


def require_integer(statement: str, value: object, low: int, high: int, argument: int = 0, occurrence: int = 0) -> None:
    """Raise a `StatementError` if a value is no integer within [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise StatementError(statement, f"{value}", f"an integer from {low} to {high}", argument, occurrence)
