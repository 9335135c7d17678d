"""Communication pattern files: messages with dependencies, one per line."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.workloads.message_list import MAX_BYTES, MessageList, dependency_cycle

from .reader import decode_text, error_at, position_at, shown
from .units import MAX_SECONDS, parse_quantity, units_of

HEADER = "CommunicationPattern 1"
MAX_FILE_BYTES = 1 << 27
MAX_ID = (1 << 31) - 1
_LINE = "ID SOURCE DESTINATION BYTES [after ID,ID,...] [delay TIME]"
_TIME = f"a time of at most {MAX_SECONDS}sec in whole psec, such as 2usec, in " + ", ".join(units_of("time"))


@dataclass
class _PatternFile:
    """The messages of the lines read so far; dependencies are ids, because they may refer to later lines."""

    name: str
    text: str
    nodes: int
    index: dict[int, int] = field(default_factory=dict)
    numbers: "array[int]" = field(default_factory=lambda: array("q"))  # source, destination, bytes, delay of each
    starts: "array[int]" = field(default_factory=lambda: array("q", [0]))
    after: "array[int]" = field(default_factory=lambda: array("q"))
    lines: "array[int]" = field(default_factory=lambda: array("q"))

    def error(self, line: int, word: int, problem: str, part: int = 0) -> InputError:
        """Return the error about a word of a line, a comma-separated part of it, or a missing word."""
        # Words carry no columns, since only an error needs them: the line is read again.
        text = next(islice(StringIO(self.text), line - 1, None), "").partition("#")[0].rstrip()
        words = list(re.finditer(r"\S+", text))
        column = len(text)
        if word < len(words):
            earlier_parts = words[word][0].split(",")[:part]
            column = words[word].start() + sum(len(other) + 1 for other in earlier_parts)
        return error_at(self.name, (line, column + 1), problem)


def parse_messages(text: str | bytes, nodes: int, name: str = "pattern") -> MessageList:
    r"""Parse a communication pattern.

    Parameters
    ----------
    text
        The file; bytes are UTF-8.
    nodes
        Number of nodes.
    name
        Name of the file in messages.

    Raises
    ------
    InputError
        If it is not a communication pattern for this network, as ``NAME:LINE:COLUMN: WORD value: expected ...``.

    Examples
    --------
    >>> parse_messages("CommunicationPattern 1\n7 0 1 8\n9 1 0 8 after 7 delay 2nsec", nodes=2).delay_ps.tolist()
    [0, 2000]
    """
    text = decode_text(text, name, MAX_FILE_BYTES)
    found = _PatternFile(name, text, nodes)
    lines = _lines(text)
    number, words = next(lines, (1, []))
    if words != HEADER.split():
        raise found.error(number, 0, f"{shown(' '.join(words[:3])) or 'nothing'}: expected {HEADER}")
    for number, words in lines:
        _add(found, number, words)
    return _message_list(found)


def read_messages(path: Path, nodes: int) -> MessageList:
    """Parse a communication pattern file.

    Raises
    ------
    InputError
        If it is not a communication pattern for this number of nodes, with file, line and column.
    OSError
        If it cannot be read, is not a regular file, or is too large.
    """
    return parse_messages(read_input(path, MAX_FILE_BYTES), nodes, str(path))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the words of every line that has words."""
    for number, line in enumerate(StringIO(text), start=1):
        words = line.partition("#")[0].split()
        if words:
            yield number, words


def _integer(found: _PatternFile, line: int, words: list[str], word: int, low: int, high: int) -> int:
    """Return one of the four numbers at the start of a line."""
    quantity_name = ("id", "source", "destination", "bytes")[word]
    if word >= len(words):
        raise found.error(line, word, f"{quantity_name} is missing: expected {_LINE}")
    value = _number(words[word])
    if not low <= value <= high:
        raise found.error(line, word, f"{quantity_name} {shown(words[word])}: expected an integer from {low} to {high}")
    return value


def _number(text: str) -> int:
    """Return a number, or -1 for any other text."""
    # No allowed number is longer, and the time to convert a text grows with the square of its length.
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1


def _add(found: _PatternFile, line: int, words: list[str]) -> None:
    """Add the message of a line."""
    message_id = _integer(found, line, words, 0, 0, MAX_ID)
    if message_id in found.index:
        first = found.lines[found.index[message_id]]
        raise found.error(line, 0, f"id {message_id} again: expected one; the first is on line {first}")
    source, destination = (_integer(found, line, words, word, 0, found.nodes - 1) for word in (1, 2))
    if source == destination:
        raise found.error(line, 2, f"destination {destination}: expected a node other than the source")
    length = _integer(found, line, words, 3, 1, MAX_BYTES)
    delay = 0
    for word in range(4, len(words), 2):
        key = words[word]
        if key not in ("after", "delay") or key in words[4:word:2]:
            raise found.error(line, word, f"{shown(key)}: expected {_LINE}")
        if key == "after":
            found.after.extend(_ids(found, line, words, word + 1))
        else:
            delay = _delay(found, line, words, word + 1)
    found.index[message_id] = len(found.lines)
    found.lines.append(line)
    found.numbers.extend((source, destination, length, delay))
    found.starts.append(len(found.after))


def _ids(found: _PatternFile, line: int, words: list[str], word: int) -> list[int]:
    """Return the ids of the messages that a message depends on."""
    texts = words[word].split(",") if word < len(words) else [""]
    ids = [_number(text) for text in texts]
    for part, (text, value) in enumerate(zip(texts, ids, strict=True)):
        if not 0 <= value <= MAX_ID:
            allowed = "ids of messages, separated by commas without spaces, such as 3,5"
            raise found.error(line, word, f"{f'after {shown(text)}'.rstrip()}: expected {allowed}", part)
    if len(set(ids)) < len(ids):
        raise found.error(line, word, f"after {shown(words[word])}: expected distinct ids")
    return ids


def _delay(found: _PatternFile, line: int, words: list[str], word: int) -> int:
    """Return a delay in picoseconds."""
    text = words[word] if word < len(words) else ""
    kind, value = parse_quantity(text) or (None, 0)
    picoseconds = value * 10**12
    if kind != "time" or picoseconds.denominator != 1 or value > MAX_SECONDS:
        raise found.error(line, word, f"{f'delay {shown(text)}'.rstrip()}: expected {_TIME}")
    return picoseconds.numerator


def _message_list(found: _PatternFile) -> MessageList:
    """Return the messages with their dependencies as indices."""
    if not found.lines:
        raise error_at(found.name, position_at(found.text, len(found.text)), f"no message: expected {_LINE}")
    starts = np.array(found.starts)
    unknown = next((index for index, message_id in enumerate(found.after) if message_id not in found.index), None)
    if unknown is not None:
        message = int(np.searchsorted(starts, unknown, side="right")) - 1
        problem = f"after {found.after[unknown]}: expected the id of a message"
        raise _after_error(found, message, problem, unknown - int(starts[message]))
    dependency = np.array([found.index[message_id] for message_id in found.after], dtype=np.int32)
    cycle = dependency_cycle(starts, dependency)
    if cycle:
        ids = list(found.index)
        names = [str(ids[message]) for message in cycle]
        listed = " after ".join(names if len(names) < 8 else [*names[:4], "...", *names[-2:]])
        part = dependency[starts[cycle[0]] :].tolist().index(cycle[1])
        raise _after_error(found, cycle[0], f"message {listed}: expected no cycle", part)
    source, destination, length, delay = np.array(found.numbers).reshape(-1, 4).T
    return MessageList(found.nodes, source, destination, length, delay, starts, dependency)


def _after_error(found: _PatternFile, message: int, problem: str, part: int) -> InputError:
    """Return the error about a dependency of a message."""
    line = found.lines[message]
    words = next(islice(StringIO(found.text), line - 1, None)).split()
    return found.error(line, words.index("after") + 1, problem, part)
