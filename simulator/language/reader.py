"""S-expressions with positions: the lowest layer of the network description language."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from isoplane.models import InputError

MAX_BYTES = 1 << 24  # of a program
MAX_LEVELS = 8
MAX_WORDS = 1000  # of a statement
SHOWN = 40  # characters of a value in a message; a value may have millions

# What may stand in a text: printable characters and white space. Everything else is refused where it stands.
_REFUSED = re.compile("[^\t\n\f\r -~\xa0-\ud7ff\ue000-\U0010ffff]")
# A token and the white space after it within its line.
_TOKEN = re.compile(
    r"""(?:(?P<word>[^ \t\n\f\r();"]+)
         | (?P<open>\()
         | (?P<close>\))
         | (?P<line>;[^\n]*|\n)
         | "(?P<string>[^"\n]*)"
         | (?P<space>[ \t\f\r])
         | (?P<quote>"))[ \t\f\r]*""",
    re.VERBOSE,
)


class Place(NamedTuple):
    """Line and column of a character, both from 1; a tab is one column."""

    line: int
    column: int


class Word(NamedTuple):
    """An atom: a word, or with `quoted` the characters between two quotation marks."""

    text: str
    place: Place
    quoted: bool = False

    def __str__(self) -> str:
        return shown(f'"{self.text}"' if self.quoted else self.text)


class Form(NamedTuple):
    """What stands between two parentheses."""

    items: "tuple[Word | Form, ...]"
    place: Place

    def __str__(self) -> str:
        return shown(f"({' '.join(map(str, self.items[:SHOWN]))})")


def shown(text: str) -> str:
    """Return a value as messages show it: one line of printable characters, cut where it is long."""
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    return cut if cut.isprintable() else ascii(cut)[1:-1]


def error_at(name: str, place: Place, problem: str) -> InputError:
    """Return the error that tells a problem at a place of a file."""
    return InputError(f"{name}:{place.line}:{place.column}: {problem}")


def place_of(text: str, index: int) -> Place:
    """Return line and column of the character with this index."""
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def decoded(text: str | bytes, name: str, most: int = MAX_BYTES) -> str:
    """Return the text of a file, free of anything that is no text.

    Parameters
    ----------
    text
        What stands in the file; bytes are UTF-8, with or without a byte order mark.
    name
        What messages call the file.
    most
        How many bytes it may have.

    Raises
    ------
    InputError
        If it has more bytes, is not UTF-8 or has control characters; with line and column.
    """
    if len(text) > most:
        raise error_at(name, Place(1, 1), f"{len(text)} bytes: expected at most {most}")
    if isinstance(text, bytes):
        text = _from_utf8(text, name)
    text = text.removeprefix("\ufeff")
    refused = _REFUSED.search(text)
    if refused is not None:
        place = place_of(text, refused.start())
        raise error_at(name, place, f"character U+{ord(refused[0]):04X}: expected printable text")
    return text


def _from_utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        place = place_of(before, len(before))
        raise error_at(name, place, f"byte 0x{data[error.start]:02x}: expected text in UTF-8") from None


def read_forms(text: str, name: str) -> Iterator[Form]:
    """Yield the forms of a decoded text one after the other, so that a long text needs little memory.

    Raises
    ------
    InputError
        If parentheses or quotation marks do not match, something stands outside of a form, or a form has more than
        eight levels or a thousand words; with line and column.
    """
    line, start, words = 1, 0, 0
    stack: list[tuple[Place, list[Word | Form]]] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "line" or kind == "space":
            if token[0][0] == "\n":
                line, start = line + 1, token.start() + 1
            continue
        place = Place(line, token.start() - start + 1)
        if kind == "close":
            form = _closed(stack, place, name)
            if not stack:
                words = 0
                yield form
            continue
        words += 1
        _check(token, place, name, len(stack), words)
        if kind == "open":
            stack.append((place, []))
        else:
            stack[-1][1].append(Word(token[str(kind)], place, kind == "string"))
    if stack:
        raise error_at(name, stack[-1][0], "'(' without a ')'; expected (STATEMENT VALUE ...)")


def _check(token: re.Match[str], place: Place, name: str, levels: int, words: int) -> None:
    """Check that a token may stand where it stands."""
    kind = token.lastgroup
    if kind == "quote":
        raise error_at(name, place, "quotation mark without a second one: expected a string within one line")
    if words > MAX_WORDS:
        raise error_at(name, place, f"statement of more than {MAX_WORDS} words; expected at most so many")
    if kind == "open" and levels == MAX_LEVELS:
        raise error_at(name, place, f"'(' on level {MAX_LEVELS + 1}: expected at most {MAX_LEVELS} levels")
    if kind != "open" and not levels:
        raise error_at(
            name, place, f"{shown(token[0].strip())}: outside of parentheses; expected (STATEMENT VALUE ...)"
        )


def _closed(stack: list[tuple[Place, list[Word | Form]]], place: Place, name: str) -> Form:
    """Return the form that ends here, and make it an item of the one around it."""
    if not stack:
        raise error_at(name, place, "')' without a '('; expected (STATEMENT VALUE ...)")
    opened, items = stack.pop()
    form = Form(tuple(items), opened)
    if stack:
        stack[-1][1].append(form)
    return form
