"""Codecs between the words of a statement and values."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeVar

from ..problems import StatementError
from ..reader import Word
from ..units import FREQUENCIES, MAX_CLOCKS, MAX_SECONDS, Duration, Quantity, format_quantity, parse_quantity, units_of

T = TypeVar("T")

_TIME = "a time such as 60nsec, in " + ", ".join(units_of("time"))
_SIZE = "a size such as 32byte, in " + ", ".join(units_of("size"))


@dataclass(frozen=True)
class Statement:
    """A statement: its name and the words after it, as in the text."""

    name: str
    words: tuple[Word, ...]
    occurrence: int = 0

    def error(self, argument: int, allowed: str) -> StatementError:
        """Return the error about a word, or about a missing one."""
        value = str(self.words[argument]) if argument < len(self.words) else " ".join(map(str, self.words))
        return StatementError(self.name, value, allowed, argument, self.occurrence)

    def word(self, argument: int, allowed: str) -> str:
        """Return a word that is neither a string nor a list."""
        return self._text("word", argument, allowed)

    def string(self, argument: int, allowed: str) -> str:
        """Return the characters between two quotation marks."""
        return self._text("string", argument, allowed)

    def _text(self, kind: str, argument: int, allowed: str) -> str:
        if argument >= len(self.words) or self.words[argument].kind != kind:
            raise self.error(argument, allowed)
        return self.words[argument].text

    def end(self, argument: int, allowed: str) -> None:
        """Check that the statement ends before this argument."""
        if argument < len(self.words):
            raise self.error(argument, allowed)

    def integer(self, argument: int, allowed: str) -> int:
        """Return a number without unit or decimals."""
        text = self.word(argument, allowed)
        if not (text.isascii() and text.isdigit() and len(text) <= 20):
            raise self.error(argument, allowed)
        return int(text)

    def measure(self, argument: int, kind: Quantity, allowed: str) -> Fraction:
        """Return a number with a unit of one kind."""
        found = parse_quantity(self.word(argument, allowed))
        if found is None or found[0] is not kind:
            raise self.error(argument, allowed)
        return found[1]

    def size(self, argument: int, unit: int) -> int:
        """Return a size as a whole number of units of `unit` bits."""
        parts = self.measure(argument, "size", _SIZE) / unit
        if parts.denominator != 1:
            raise self.error(argument, "a whole number of bytes" if unit == 8 else "a whole number of bits")
        return parts.numerator


Codec = tuple[Callable[[Statement], T], Callable[[T], str]]  # the reader and the writer of the value of a statement


def single(read: Callable[[Statement], T], only: str, write: Callable[[T], str] = str) -> Codec[T]:
    """Return the codec of a value of one word; `only` says so of a statement with more."""

    def read_single(statement: Statement) -> T:
        value = read(statement)
        statement.end(1, only)
        return value

    return read_single, write


def choice(words: tuple[str, ...]) -> Codec[str]:
    """Return the codec of a choice among words."""
    return single(lambda statement: _read_word(statement, words), f"one of {' or '.join(words)}")


def _read_word(statement: Statement, words: tuple[str, ...]) -> str:
    allowed = " or ".join(words)
    word = statement.word(0, allowed)
    if word not in words:
        raise statement.error(0, allowed)
    return word


def _read_lengths(statement: Statement) -> tuple[int, int]:
    low = statement.size(0, 8)
    if len(statement.words) == 1:
        return low, low
    allowed = "one size, or two sizes with the word to between them"
    if statement.word(1, allowed) != "to":
        raise statement.error(1, allowed)
    high = statement.size(2, 8)
    statement.end(3, allowed)
    return low, high


def _read_duration(statement: Statement, or_clocks: bool = True) -> Duration:
    allowed = f"{_TIME}, or clocks such as 2clock" if or_clocks else _TIME
    found = parse_quantity(statement.word(0, allowed))
    if found is None or found[0] not in ("time", "clocks")[: 1 + or_clocks]:
        raise statement.error(0, allowed)
    statement.end(1, "one time with its unit attached")
    kind, value = found
    high = MAX_CLOCKS if kind == "clocks" else MAX_SECONDS
    if value > high:
        raise statement.error(0, f"at most {high}{'clock' if kind == 'clocks' else 'sec'}")
    return Duration(value, kind == "clocks")


def _write_lengths(lengths: tuple[int, int]) -> str:
    low, high = lengths
    return f"{low}byte" if low == high else f"{low}byte to {high}byte"


INTEGER = single(lambda statement: statement.integer(0, "a number without a unit, such as 10000"), "one number")
BITS = single(lambda statement: statement.size(0, 1), "one size with its unit attached", lambda bits: f"{bits}bit")
LENGTHS = _read_lengths, _write_lengths
FREQUENCY = single(
    lambda statement: statement.measure(0, "frequency", "a frequency such as 50MHz, in " + ", ".join(FREQUENCIES)),
    "one frequency with its unit attached",
    lambda value: format_quantity(value, *FREQUENCIES),
)
PERCENT = single(
    lambda statement: statement.measure(0, "percent", "a percentage such as 1.0%"),
    "one percentage",
    lambda value: format_quantity(value, "%"),
)
DURATION = _read_duration, str
TIME = partial(_read_duration, or_clocks=False), str
FILE = single(
    lambda statement: statement.string(0, 'a file name in quotation marks, such as "results.csv"'),
    "one file name",
    lambda name: f'"{name}"',
)
YES_NO = single(
    lambda statement: _read_word(statement, ("Yes", "No")) == "Yes",
    "either Yes or No",
    lambda yes: "Yes" if yes else "No",
)
