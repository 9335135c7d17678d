"""Exact numbers as text, and comma-separated values."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from typing import TypeVar

LINES_AT_ONCE = 4096
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
    >>> counted(1, "switch"), counted(2, "switch"), counted(1200, "cable")
    ('1 switch', '2 switches', '1200 cables')
    """
    plural = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count} {noun}{plural}"


def as_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    r"""Return comma-separated values as bytes, many rows at once.

    Examples
    --------
    >>> list(as_csv(("a", "b"), [(1, "x,y")]))
    [b'a,b\n', b'1,"x,y"\n']
    """
    yield f"{','.join(header)}\n".encode()
    for chunk in in_chunks(rows):
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows(chunk)
        yield text.getvalue().encode()


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
