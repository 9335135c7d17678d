"""Certificates: multipliers on disk that prove bounds without a solver."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from .lifted import lifted_program
from .program import Integers, Program
from .solver import multipliers
from .split import sum_program

DATA = Path(__file__).parent / "data"
PROGRAMS: Mapping[str, Callable[[int, bool], Program]] = MappingProxyType(
    {"split": sum_program, "lifted": lifted_program}
)


def certificate_path(program: str, n: int, folded: bool) -> Path:
    """Return where the multipliers of a program are kept."""
    return DATA / f"{program}-{'folded_hypercube' if folded else 'hypercube'}-n{n}.json"


def write_certificate(program: str, n: int, folded: bool) -> int:
    """Solve a program, keep its multipliers, and return the bound that they prove."""
    found = multipliers(PROGRAMS[program](n, folded), interior=program == "lifted")
    text = json.dumps({"program": program, "n": n, "folded": folded, "multipliers": found.tolist()})
    certificate_path(program, n, folded).write_text(text + "\n", encoding="utf-8")
    return proven_bound(program, n, folded, found)


def read_certificate(program: str, n: int, folded: bool) -> Integers | None:
    """Return the multipliers that are kept, or None."""
    path = certificate_path(program, n, folded)
    if not path.exists():
        return None
    return np.array(json.loads(path.read_text(encoding="utf-8"))["multipliers"], dtype=np.int64)


def proven_bound(program: str, n: int, folded: bool, found: Integers) -> int:
    """Return the lower bound of the sum of distances that multipliers prove, by exact arithmetic.

    Sums of distances are whole numbers, so what is proven is rounded up.
    """
    numerator, denominator = PROGRAMS[program](n, folded).bound(found)
    return -(-numerator // denominator)


@lru_cache(maxsize=64)
def sum_bound(n: int, folded: bool) -> int:
    """Return a number that no sum of distances of a dual-plane cube is below.

    It comes from the kept certificate, or where there is none from the split weight enumerator, solved here and now.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # no network has less than 58; the exact search proves it too
    58
    """
    kept = read_certificate("lifted", n, folded)
    if kept is not None:
        return proven_bound("lifted", n, folded, kept)
    return proven_bound("split", n, folded, multipliers(sum_program(n, folded)))
