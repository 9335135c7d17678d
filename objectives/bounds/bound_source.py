"""What a bound rests on."""

from dataclasses import asdict, dataclass


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
