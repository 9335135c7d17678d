"""Parser of programs."""

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from isoplane.models.files.bounded_file import read_input

from ..problems import StatementError
from ..program import Program
from ..reader import MAX_BYTES, Position, Word, decode_text, error_at, position_at, read_lists
from ..rules import check, default_routing
from ..topology import Link
from .forms import GENERATORS, LINK, TILE, TOPOLOGY, TOPOLOGY_STATEMENTS, read_link, read_topology, topology_name
from .statements import REQUIRED, STATEMENT_NAMES, STATEMENTS
from .values import Statement

_LINK_POSITIONS = 5  # per link: the statement, its three words and a surplus one


@dataclass
class _Statements:
    """The statements of a text: at most one of each name, except links."""

    name: str
    end: Position
    statements: dict[str, Statement] = field(default_factory=dict)
    positions: dict[str, Position] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    # Line and column of each link statement and of its words: flat, because a text may have 2^18 links.
    link_positions: "array[int]" = field(default_factory=lambda: array("i"))

    def position_at(self, error: StatementError) -> Position:
        """Return the position of an error: its word, or else its statement, the topology or the end of the text."""
        if error.statement == LINK and LINK in self.positions:
            start = 2 * (_LINK_POSITIONS * error.occurrence + 1 + error.argument)
            line, column = self.link_positions[start : start + 2]
            return line, column
        for name in (error.statement, TOPOLOGY):
            if name in self.statements:
                words = self.statements[name].words
                has_word = name == error.statement and 0 <= error.argument < len(words)
                return words[error.argument].position if has_word else self.positions[name]
        return self.end

    def add_link(self, statement: Statement, position: Position) -> None:
        """Add a link with its positions."""
        self.positions.setdefault(LINK, position)
        positions = [position, *(word.position for word in statement.words[: _LINK_POSITIONS - 1])]
        for each in [*positions, *(_LINK_POSITIONS - len(positions)) * [position]]:
            self.link_positions.extend(each)
        self.links.append(read_link(statement))


def parse_program(text: str | bytes, name: str = "program") -> Program:
    """Parse a program in the network description language.

    Parameters
    ----------
    text
        The program; bytes are UTF-8.
    name
        Name of the program in messages, such as its file name.

    Raises
    ------
    InputError
        If it is not a program, as ``NAME:LINE:COLUMN: STATEMENT value: expected ...``.

    Examples
    --------
    >>> parse_program("(NetworkChanelWidth 32bit)", "a.ndl")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: a.ndl:1:2: NetworkChanelWidth: expected NetworkChannelWidth
    """
    with _statements(text, name) as found:
        return _program(found)


@contextmanager
def _statements(text: str | bytes, name: str) -> Iterator[_Statements]:
    """Yield the statements of a text, and add line and column to errors about them."""
    text = decode_text(text, name)
    found = _Statements(name, position_at(text, len(text)))
    try:
        for position, words in read_lists(text, name):
            _add(found, position, words)
        yield found
    except StatementError as error:
        raise error_at(name, found.position_at(error), str(error)) from None


@contextmanager
def placed(path: Path) -> Iterator[None]:
    """Add line and column to errors in the program of a file that are detected only when it is simulated.

    Raises
    ------
    InputError
        If a `StatementError` is raised inside.
    """
    try:
        yield
    except StatementError as error:
        with _statements(read_input(path, MAX_BYTES), str(path)):
            raise error from None


def read_program(path: Path) -> Program:
    """Parse the program in a file.

    Raises
    ------
    InputError
        If it is not a program, with file, line and column.
    OSError
        If it cannot be read, is not a regular file, or is too large.
    """
    return parse_program(read_input(path, MAX_BYTES), str(path))


def _add(found: _Statements, position: Position, words: list[Word]) -> None:
    """Add a statement."""
    head, *rest = words or [Word("()", position, "list")]
    if head.kind != "word" or head.text not in STATEMENT_NAMES:
        raise error_at(found.name, head.position, f"{head}: expected {_closest_name(str(head))}")
    statement = Statement(head.text, tuple(rest), len(found.links) if head.text == LINK else 0)
    if head.text == LINK:
        found.add_link(statement, head.position)
        return
    if head.text in found.statements:
        first, _ = found.positions[head.text]
        raise error_at(found.name, head.position, f"{head.text} again: expected one; the first is on line {first}")
    found.statements[head.text], found.positions[head.text] = statement, head.position


def _closest_name(word: str) -> str:
    """Return the statement name that is most similar to a word, or a list of all."""
    names = {name.lower(): name for name in STATEMENT_NAMES}
    near = get_close_matches(word.lower(), names, n=1)
    return names[near[0]] if near else f"a statement: {', '.join(STATEMENT_NAMES)}"


def _program(found: _Statements) -> Program:
    given = found.statements
    known = ((STATEMENTS[name], statement) for name, statement in given.items() if name in STATEMENTS)
    values = {field: read(statement) for (field, (read, _)), statement in known}
    for name in REQUIRED:
        if name not in given:
            raise error_at(found.name, found.end, f"{name} is missing: expected a program that states it")
    kind = topology_name(given[TOPOLOGY])
    for name, kinds in TOPOLOGY_STATEMENTS.items():
        if name in found.positions and kind not in kinds.split(" or "):
            allowed = f"NetworkTopology {kinds} with it"
            raise error_at(found.name, found.positions[name], f"{name}: expected {allowed}")
    topology = read_topology(given[TOPOLOGY], given.get(GENERATORS), given.get(TILE), found.links)
    program = Program(topology=topology, **{"routing": default_routing(topology), **values})
    check(program)
    return program
