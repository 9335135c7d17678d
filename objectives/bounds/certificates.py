"""Certificates: multipliers on disk that prove bounds without a solver."""

import json
from pathlib import Path

import numpy as np

from .program import Integers, Program

DATA = Path(__file__).parent / "data"


def certificate_path(program: str, n: int, folded: bool) -> Path:
    """Return where the certificate of a program is kept."""
    return DATA / f"{program}-{'folded_hypercube' if folded else 'hypercube'}-n{n}.json"


def write_certificate(program: str, n: int, folded: bool, multipliers: Integers, **parameters: object) -> None:
    """Keep the multipliers for a program, and the parameters that it was made with."""
    content = {"program": program, "n": n, "folded": folded, **parameters, "multipliers": multipliers.tolist()}
    certificate_path(program, n, folded).write_text(json.dumps(content) + "\n", encoding="utf-8")


def read_certificate(program: str, n: int, folded: bool) -> dict[str, object] | None:
    """Return a certificate, its multipliers as ``int64[rows]``, or None if none is kept."""
    path = certificate_path(program, n, folded)
    if not path.exists():
        return None
    content: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return content | {"multipliers": np.array(content["multipliers"], dtype=np.int64)}


def proven(program: Program, multipliers: object) -> int:
    """Return what multipliers prove of a program whose solutions of interest have whole costs: rounded up.

    Raises
    ------
    ValueError
        If there is not one multiplier for each row.
    """
    if not isinstance(multipliers, np.ndarray) or multipliers.shape != program.least.shape:
        raise ValueError(f"a certificate for another program: {len(program.least)} multipliers are needed")
    numerator, denominator = program.bound(multipliers)
    return -(-numerator // denominator)
