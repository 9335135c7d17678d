"""Lines of text files with their places, for messages on errors."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.checks import MAX_NUMBER, exact_number
from isoplane.models.files.bounded_file import read_input
from isoplane.models.workloads.message_list import MAX_DELAY_PS

MAX_BYTES = 1 << 30
MAX_PROCESSES = 1 << 16
WHOLE = re.compile(r"[+-]?[0-9]{1,19}")  # as many digits as the largest number that is allowed


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: Path
    line: int

    def error(self, problem: str, expected: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"workload.file={self.file}, line {self.line}: {problem}; expected {expected}")

    def time_ps(self, word: str, what: str, ps_per_unit: Fraction) -> int:
        """Return a time in picoseconds, of a number of units."""
        try:
            amount = exact_number(what, word)
        except InputError as error:
            raise self.error(f"{what} {word}", f"a number from 0 to {MAX_NUMBER:g}") from error
        if amount * ps_per_unit > MAX_DELAY_PS:
            raise self.error(f"{what} {word}", f"a time of at most {MAX_DELAY_PS // 10**12} s")
        return round(amount * ps_per_unit)

    def integer(self, word: str, what: str, low: int = 0, high: int = 1 << 62) -> int:
        """Return a whole number, which traces may write as 1e6."""
        try:
            number = int(word) if WHOLE.fullmatch(word) else float(word)
        except ValueError:
            number = low - 1
        # NaN and infinities fail the comparison, before int() could raise on them.
        if not low <= number <= high or number != int(number):
            raise self.error(f"{what} {word[:40]}", f"a whole number from {low} to {high}")
        return int(number)


def lines_of(path: Path) -> Iterator[tuple[Place, str]]:
    """Yield the lines of a text file that are not empty, without comments after #."""
    try:
        text = read_input(path, MAX_BYTES).decode("utf-8")
    except OSError as error:
        raise InputError(f"workload.file={path}: {error.strerror}; expected a file with a trace") from error
    except UnicodeDecodeError as error:
        raise InputError(f"workload.file={path}: not text; expected a file with a trace") from error
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            yield Place(path, number), content


def require(place: Place, name: str, arguments: Sequence[str], least: int, most: int) -> None:
    """Require a number of arguments."""
    if not least <= len(arguments) <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        raise place.error(f"{name} with {len(arguments)} arguments", expected)
