"""S-expressions with positions: the lowest layer of the network description language."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from isoplane.models import InputError

MAX_BYTES = 1 << 24  # per program
MAX_LEVELS = 8
MAX_WORDS = 1000  # per statement
MAX_SHOWN = 40  # characters of a value in a message; a value may have millions

# All but printable characters and white space.
_INVALID = re.compile("[^\t\n\f\r -~\xa0-\ud7ff\ue000-\U0010ffff]")
# A token and the white space that follows it on its line.
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


Position = tuple[int, int]  # line and column of a character, both from 1; a tab is one column


class Word(NamedTuple):
    """A part of a list: a word, the characters between two quotation marks, or what messages show of an inner list."""

    text: str
    position: Position
    kind: Literal["word", "string", "list"] = "word"

    def __str__(self) -> str:
        return shown(f'"{self.text}"' if self.kind == "string" else self.text)


def shown(text: str) -> str:
    """Return a value as shown in messages: one line of printable characters, truncated if long."""
    cut = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
    return cut if cut.isprintable() else ascii(cut)[1:-1]


def error_at(name: str, position: Position, problem: str) -> InputError:
    """Return the error for a problem at a position of a file."""
    line, column = position
    return InputError(f"{name}:{line}:{column}: {problem}")


def position_at(text: str, index: int) -> Position:
    """Return line and column of the character with this index."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def decode_text(text: str | bytes, name: str, max_bytes: int = MAX_BYTES) -> str:
    """Decode the text of a file, without control characters.

    Parameters
    ----------
    text
        Contents of the file; bytes are UTF-8, with or without a byte order mark.
    name
        Name of the file in messages.
    max_bytes
        Maximum size.

    Raises
    ------
    InputError
        If it is too large, is not UTF-8 or has control characters; with line and column.
    """
    if len(text) > max_bytes:
        raise error_at(name, (1, 1), f"{len(text)} bytes: expected at most {max_bytes}")
    if isinstance(text, bytes):
        text = _from_utf8(text, name)
    text = text.removeprefix("\ufeff")
    invalid = _INVALID.search(text)
    if invalid is not None:
        position = position_at(text, invalid.start())
        raise error_at(name, position, f"character U+{ord(invalid[0]):04X}: expected printable text")
    return text


def _from_utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Columns count characters, not bytes.
        valid = data[: error.start].decode("utf-8")
        position = position_at(valid, len(valid))
        raise error_at(name, position, f"byte 0x{data[error.start]:02x}: expected text in UTF-8") from None


def read_lists(text: str, name: str) -> Iterator[tuple[Position, list[Word]]]:
    """Yield the position and the words of each list in parentheses, so that a long decoded text needs little memory.

    Raises
    ------
    InputError
        If parentheses or quotation marks do not match, text is outside of a list, or a list has more than
        eight levels or a thousand words; with line and column.
    """
    line, start, words = 1, 0, 0
    stack: list[tuple[Position, list[Word]]] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "line" or kind == "space":
            if token[0][0] == "\n":
                line, start = line + 1, token.start() + 1
            continue
        position = line, token.start() - start + 1
        if kind == "close":
            if not stack:
                raise error_at(name, position, "')' without a '('; expected (STATEMENT VALUE ...)")
            begin, items = stack.pop()
            if stack:
                stack[-1][1].append(Word(f"({' '.join(map(str, items[:MAX_SHOWN]))})", begin, "list"))
            else:
                words = 0
                yield begin, items
            continue
        words += 1
        _check(token, position, name, len(stack), words)
        if kind == "open":
            stack.append((position, []))
        else:
            stack[-1][1].append(Word(token[str(kind)], position, "string" if kind == "string" else "word"))
    if stack:
        raise error_at(name, stack[-1][0], "'(' without a ')'; expected (STATEMENT VALUE ...)")


def _check(token: re.Match[str], position: Position, name: str, levels: int, words: int) -> None:
    """Check that a token is valid at its position."""
    kind = token.lastgroup
    if kind == "quote":
        raise error_at(name, position, "unmatched quotation mark: expected a string within one line")
    if words > MAX_WORDS:
        raise error_at(name, position, f"statement of more than {MAX_WORDS} words; expected at most {MAX_WORDS}")
    if kind == "open" and levels == MAX_LEVELS:
        raise error_at(name, position, f"'(' at level {MAX_LEVELS + 1}: expected at most {MAX_LEVELS} levels")
    if kind != "open" and not levels:
        raise error_at(
            name, position, f"{shown(token[0].strip())}: outside of parentheses; expected (STATEMENT VALUE ...)"
        )
