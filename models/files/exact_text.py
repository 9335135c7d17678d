"""Exact numbers as text, short lists, texts in the order of their numbers, and comma-separated values."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain, islice
from typing import TypeVar

NUMBER = re.compile(r"-?\d[\d,]*(\.\d*)?")  # as tables show them
LINES_AT_ONCE = 4096
MAX_SHOWN = 8  # words of a list in a line
Line = TypeVar("Line")


def metres(length_mm: int) -> str:
    """Return a length in metres, exactly.

    Examples
    --------
    >>> metres(2500), metres(1234567), metres(3000)
    ('2.5', '1234.567', '3')
    """
    return f"{length_mm // 1000}.{length_mm % 1000:03d}".rstrip("0").rstrip(".")


def dollars(price_cents: int) -> str:
    """Return a price in US$, exactly.

    Examples
    --------
    >>> dollars(1105)
    '11.05'
    """
    return f"{price_cents // 100}.{price_cents % 100:02d}"


def counted(count: int, noun: str) -> str:
    """Return a number with a noun.

    Examples
    --------
    >>> counted(1, "switch"), counted(2, "switch"), counted(2, "family"), counted(1200, "cable")
    ('1 switch', '2 switches', '2 families', '1200 cables')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}{'es' if noun.endswith('ch') else 's'}"


def shortened(shown: Sequence[str]) -> str:
    """Return the first of many words for a line, and the number of the others.

    Examples
    --------
    >>> shortened([f"link {number}" for number in range(10)])[-31:]
    'link 6, link 7 and 2 more of 10'
    """
    rest = len(shown) - MAX_SHOWN
    first = ", ".join(shown[:MAX_SHOWN])
    return f"{first} and {rest} more of {len(shown)}" if rest > 0 else first


def number_order(text: str) -> list[tuple[bool, int, str]]:
    """Return the sort key of a text by its numbers.

    Examples
    --------
    >>> sorted(["10", "9", "n10", "n9"], key=number_order)
    ['9', '10', 'n9', 'n10']
    """
    parts = re.findall(r"\d+|\D+", text)
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def as_csv(header: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    r"""Return comma-separated values as bytes, many rows at once; None is empty, and truth values are in lower case.

    Examples
    --------
    >>> list(as_csv(("a", "b"), [(1, "x,y"), (None, True)]))
    [b'a,b\n', b'1,"x,y"\n,true\n']
    """
    chunks: Iterable[list[Iterable[object]]] = chain([[header]], in_chunks(rows))
    for chunk in chunks:
        text = StringIO()
        lines = ([str(cell).lower() if isinstance(cell, bool) else cell for cell in row] for row in chunk)
        csv.writer(text, lineterminator="\n").writerows(lines)
        yield text.getvalue().encode()


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return comma-separated values as text.

    Examples
    --------
    >>> csv_text(["load", "stable"], [[0.5, True], [None, False]])
    'load,stable\n0.5,true\n,false\n'
    """
    return b"".join(as_csv(header, rows)).decode()


def in_chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield lines in lists of many at once.

    Examples
    --------
    >>> [len(chunk) for chunk in in_chunks(range(5000))]
    [4096, 904]
    """
    rest = iter(lines)
    while chunk := list(islice(rest, LINES_AT_ONCE)):
        yield chunk
