"""From the text of a program to what it states."""

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from isoplane.models.input_file import read_input

from .forms import COMPANIONS, GENERATORS, LINK, TILE, TOPOLOGY, read_link, read_topology, topology_name
from .problems import StatementError
from .program import Program
from .reader import MAX_BYTES, Form, Place, Word, decoded, error_at, place_of, read_forms
from .rules import default_routing
from .statements import KINDS, NAMES, REQUIRED
from .topology import Link
from .values import Statement

_LINK_PLACES = 5  # of the statement, its three words and one too many


@dataclass
class _Found:
    """The statements of a text: each of them once, and all links."""

    name: str
    end: Place
    statements: dict[str, Statement] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    # Line and column of the statement of each link and of its words; a text may have a million of them.
    link_places: "array[int]" = field(default_factory=lambda: array("i"))

    def place_of(self, error: StatementError) -> Place:
        """Return where a statement is wrong: the word, or its statement, or the topology, or the end of the text."""
        if error.statement == LINK and LINK in self.places:
            start = 2 * (_LINK_PLACES * error.occurrence + 1 + error.argument)
            return Place(*self.link_places[start : start + 2])
        for name in (error.statement, TOPOLOGY):
            if name in self.statements:
                words = self.statements[name].words
                same = name == error.statement and 0 <= error.argument < len(words)
                return words[error.argument].place if same else self.places[name]
        return self.end

    def add_link(self, statement: Statement, place: Place) -> None:
        """Keep a link and its places."""
        self.places.setdefault(LINK, place)
        places = [place, *(word.place for word in statement.words[: _LINK_PLACES - 1])]
        for here in [*places, *(_LINK_PLACES - len(places)) * [place]]:
            self.link_places.extend(here)
        self.links.append(read_link(statement))


def parse_program(text: str | bytes, name: str = "program") -> Program:
    """Return what a program in the network description language states.

    Parameters
    ----------
    text
        The program; bytes are UTF-8.
    name
        What messages call it, such as the name of its file.

    Raises
    ------
    InputError
        If it is no program, as ``NAME:LINE:COLUMN: STATEMENT value: expected ...``.

    Examples
    --------
    >>> parse_program("(NetworkChanelWidth 32bit)", "a.ndl")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: a.ndl:1:2: NetworkChanelWidth: expected NetworkChannelWidth
    """
    with _statements(text, name) as found:
        return _program(found)


@contextmanager
def _statements(text: str | bytes, name: str) -> Iterator[_Found]:
    """Give the statements of a text, and add line and column to what is wrong with them."""
    text = decoded(text, name)
    found = _Found(name, place_of(text, len(text)))
    try:
        for form in read_forms(text, name):
            _add(found, form)
        yield found
    except StatementError as error:
        raise error_at(name, found.place_of(error), str(error)) from None


@contextmanager
def placed(path: Path) -> Iterator[None]:
    """Add line and column to what is wrong with the program of a file, and is found only when it is simulated.

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
    """Return what the program in a file states.

    Raises
    ------
    InputError
        If it is no program, with file, line and column.
    OSError
        If it cannot be read, is no ordinary file, or is too large.
    """
    return parse_program(read_input(path, MAX_BYTES), str(path))


def _add(found: _Found, form: Form) -> None:
    """Take in a statement."""
    head = form.items[0] if form.items else None
    if not isinstance(head, Word) or head.quoted or head.text not in NAMES:
        word = str(head) if head is not None else "()"
        raise error_at(found.name, head.place if head else form.place, f"{word}: expected {_nearest(word)}")
    statement = Statement(head.text, form.items[1:], len(found.links) if head.text == LINK else 0)
    if head.text == LINK:
        found.add_link(statement, head.place)
        return
    if head.text in found.statements:
        first = found.places[head.text].line
        raise error_at(found.name, head.place, f"{head.text} again: expected one; the first is in line {first}")
    found.statements[head.text], found.places[head.text] = statement, head.place


def _nearest(word: str) -> str:
    """Return the statement that was probably meant, or all of them."""
    names = {name.lower(): name for name in NAMES}
    near = get_close_matches(word.lower(), names, n=1)
    return names[near[0]] if near else f"a statement: {', '.join(NAMES)}"


def _program(found: _Found) -> Program:
    given = found.statements
    values = {KINDS[name].field: KINDS[name].codec.read(given[name]) for name in given if name in KINDS}
    for name in REQUIRED:
        if name not in given:
            raise error_at(found.name, found.end, f"{name} is missing: expected a program with it")
    kind = topology_name(given[TOPOLOGY])
    for name in _companions(found):
        if kind not in COMPANIONS[name].split(" or "):
            raise error_at(
                found.name, found.places[name], f"{name}: expected NetworkTopology {COMPANIONS[name]} with it"
            )
    topology = read_topology(given[TOPOLOGY], given.get(GENERATORS), given.get(TILE), found.links)
    return Program(topology=topology, **{"routing": default_routing(topology), **values})


def _companions(found: _Found) -> Iterator[str]:
    """Yield the statements that complete a topology."""
    return (name for name in COMPANIONS if name in found.places)
