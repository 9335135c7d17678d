"""Certificates: stored dual multipliers that prove bounds without a solver."""

import json
from pathlib import Path

import numpy as np

from isoplane.models.files.output_file import write_atomically

from .linear_program import Integers, LinearProgram

DATA = Path(__file__).parent / "data"


def certificate_path(program: str, n: int, folded: bool) -> Path:
    """Return the path of the certificate of a linear program."""
    return DATA / f"{program}-{'folded_hypercube' if folded else 'hypercube'}-n{n}.json"


def write_certificate(program: str, n: int, folded: bool, multipliers: Integers, **parameters: object) -> None:
    """Store the multipliers of a linear program and the parameters from which it was built."""
    content = {"program": program, "n": n, "folded": folded, **parameters, "multipliers": multipliers.tolist()}
    write_atomically(certificate_path(program, n, folded), json.dumps(content) + "\n")


def read_certificate(program: str, n: int, folded: bool) -> dict[str, object] | None:
    """Return a stored certificate with its multipliers as ``int64[rows]``, or None if it does not exist."""
    path = certificate_path(program, n, folded)
    if not path.exists():
        return None
    content: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return content | {"multipliers": np.array(content["multipliers"], dtype=np.int64)}


def proven(program: LinearProgram, multipliers: object) -> int:
    """Return the bound that multipliers prove, rounded up because the cost of every network is an integer.

    Raises
    ------
    ValueError
        If the number of multipliers is not the number of rows.
    """
    if not isinstance(multipliers, np.ndarray) or multipliers.shape != program.rhs.shape:
        raise ValueError(f"certificate of another linear program; expected {len(program.rhs)} multipliers")
    numerator, denominator = program.bound(multipliers)
    return -(-numerator // denominator)
