"""Writer of programs."""

from collections.abc import Iterator

from ..program import Program
from ..rules import check
from .forms import topology_lines
from .statements import STATEMENTS


def write_program(program: Program) -> str:
    """Return the text of a program, from which `parse_program` reads the same program.

    Defaults are included; optional statements without a value are not.

    Raises
    ------
    InputError
        If a value is out of range or two values are inconsistent, with the name of the statement.
    """
    check(program)
    return "".join(f"{line}\n" for line in _lines(program))


def _lines(program: Program) -> Iterator[str]:
    yield from topology_lines(program.topology)
    for name, kind in STATEMENTS.items():
        value = getattr(program, kind.field)
        if value is not None:
            yield f"({name} {kind.codec.write(value)})"
