"""What proves a bound, and minimum sums of distances proven by complete exact searches."""

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256

from isoplane.models import dual_cube

from ..cubes.exact import exact_metrics
from .certificates import certificate_path


@dataclass(frozen=True)
class BoundSource:
    """What proves the bounds of a score, as records state it; an attribute is None where it does not apply.

    Attributes
    ----------
    by
        ``formula``, ``counts``, ``enumeration`` of all designs, or ``program:`` and the solver.
    circuits
        With circuits: the bound holds for all sets of at most this number of circuits.
    placement
        With circuits: ``given`` if it holds for the placement of the design only, ``free`` if for all placements.
    bases
        Of cubes under a workload: the number of bases of plane 1, all of which have been evaluated.
    file, sha256
        Of other cubes: the stored enumeration that bounds rely on, by its file name in `objectives/bounds/data` and the
        hash of its contents.

    Examples
    --------
    >>> BoundSource("enumeration", bases=28).content
    {'by': 'enumeration', 'bases': 28}
    """

    by: str
    circuits: int | None = None
    placement: str | None = None
    bases: int | None = None
    file: str | None = None
    sha256: str | None = None

    @property
    def content(self) -> dict[str, str | int]:
        """The attributes that apply, as in a record."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@lru_cache(maxsize=64)
def stored_enumeration(n: int, folded: bool) -> BoundSource | None:
    """Return the stored enumeration of a dimension and family, or None.

    Examples
    --------
    >>> stored_enumeration(9, folded=False).file, stored_enumeration(9, folded=True)
    ('enumeration-hypercube-n9.json', None)
    """
    path = certificate_path("enumeration", n, folded)
    if not path.exists():
        return None
    return BoundSource("enumeration", file=path.name, sha256=sha256(path.read_bytes()).hexdigest())


def enumerated_sum(n: int, folded: bool) -> int | None:
    """Return the minimum sum of distances from the stored proof of an exact search, or None without one.

    The proof is the `proof.json` of a complete `isoplane search objective=aspl layout=none strategy=exact`: the minimum
    is attained by one of its incumbents or of its survivors, which improve on them. With `strategy.everything=true` it
    is the smallest sum of the histogram. Unlike a certificate, the proof is not verified when it is read, because that
    requires repeating the search.

    Raises
    ------
    ValueError
        If the file proves a different statement.

    Examples
    --------
    >>> enumerated_sum(9, folded=False)
    1828
    """
    path = certificate_path("enumeration", n, folded)
    if not path.exists():
        return None
    proof = json.loads(path.read_text(encoding="utf-8"))
    # A full enumeration lists the sums of all classes, whatever its objective was.
    is_about_sums = proof["everything"] or proof["objective"] == [["sum_of_distances"]]
    if (proof["n"], proof["folded"]) != (n, folded) or not is_about_sums:
        raise ValueError(f"{path.name}: not a proof of the minimum sum of distances of n={n}, folded={folded}")
    if proof["everything"]:
        return min(map(int, proof["histogram"]))
    designs = [*proof["incumbents"], *proof["survivors"]]
    return min(exact_metrics(dual_cube(n, tuple(design), folded, layout=None)).sum_of_distances for design in designs)
