"""Verification of the enumerations that records of cubes name: stored and unaltered, or of all bases."""

from collections.abc import Iterator
from math import factorial, prod
from typing import Any

from isoplane.objectives.bounds import stored_enumeration

Triple = tuple[str, object, object]


def enumeration_triples(record: dict[str, Any]) -> Iterator[Triple]:
    """Yield file and hash of the enumeration that a record of cubes names, or the number of bases, and those expected.

    The enumeration itself is not repeated: ``strategy=exact`` does that, or with a workload ``strategy=enumerate``.
    GF(2)^n has Π_{i<n} (2^n - 2^i) / n! bases.

    Examples
    --------
    >>> source = {"by": "enumeration", "file": "enumeration-hypercube-n10.json", "sha256": "0" * 64}
    >>> record = {"network": {"n": 10, "folded": False}, "bound_source": source}
    >>> list(enumeration_triples(record))
    [('bound_source.file', 'enumeration-hypercube-n10.json', None)]
    """
    source = record.get("bound_source")
    if source is None:
        return
    n = record["network"]["n"]
    if "bases" in source:
        yield "bound_source.bases", source["bases"], prod((1 << n) - (1 << i) for i in range(n)) // factorial(n)
        return
    stored = stored_enumeration(n, record["network"]["folded"])
    yield "bound_source.file", source["file"], None if stored is None else stored.file
    if stored is not None and source["file"] == stored.file:
        yield "bound_source.sha256", source["sha256"], stored.sha256
