"""Sums of distances that a complete exact search has proven to be the least."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

from isoplane.models import dual_cube

from ..exact import exact_metrics
from .certificates import certificate_path


@dataclass(frozen=True)
class Enumeration:
    """A stored enumeration, as records name it when their bounds rest on it.

    Attributes
    ----------
    by
        ``enumeration``, which tells it from other sources of bounds.
    file, sha256
        Its name in `objectives/bounds/data`, and the hash of its bytes.
    """

    by: str = field(default="enumeration", init=False)
    file: str
    sha256: str


@lru_cache(maxsize=64)
def kept_enumeration(n: int, folded: bool) -> Enumeration | None:
    """Return the stored enumeration of a dimension and family, None where none is kept.

    Examples
    --------
    >>> kept_enumeration(9, folded=False).file, kept_enumeration(9, folded=True)
    ('enumeration-hypercube-n9.json', None)
    """
    path = certificate_path("enumeration", n, folded)
    return Enumeration(path.name, sha256(path.read_bytes()).hexdigest()) if path.exists() else None


def enumerated_sum(n: int, folded: bool) -> int | None:
    """Return the least sum of distances as the kept proof of an exact search says, None where none is kept.

    The proof is the `proof.json` of a complete `isoplane search objective=aspl layout=none strategy=exact`: no sum is
    smaller than those of its incumbents and of the survivors, which bettered them. With `strategy.everything=true` the
    least is the smallest sum of the histogram. Unlike a certificate it is not checked when it is read: to check it is
    to search again.

    Raises
    ------
    ValueError
        If the file is the proof of something else.

    Examples
    --------
    >>> enumerated_sum(9, folded=False)
    1828
    """
    path = certificate_path("enumeration", n, folded)
    if not path.exists():
        return None
    proof = json.loads(path.read_text(encoding="utf-8"))
    about_sums = proof["everything"] or proof["objective"] == [["sum_of_distances"]]
    if (proof["n"], proof["folded"]) != (n, folded) or not about_sums:
        raise ValueError(f"{path.name}: not the proof that no sum of distances is smaller")
    if proof["everything"]:
        return min(map(int, proof["histogram"]))
    designs = [*proof["incumbents"], *proof["survivors"]]
    return min(exact_metrics(dual_cube(n, tuple(design), folded, layout=None)).sum_of_distances for design in designs)
