"""Verification of the stored enumerations that records name: present, unaltered, and for the same network."""

from collections.abc import Iterator
from typing import Any

from isoplane.objectives.bounds import stored_enumeration

Triple = tuple[str, object, object]


def enumeration_triples(record: dict[str, Any]) -> Iterator[Triple]:
    """Yield file and hash of the enumeration that a record of cubes names, recorded and expected.

    The enumeration itself is not repeated: ``strategy=exact`` does that.

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
    stored = stored_enumeration(record["network"]["n"], record["network"]["folded"])
    yield "bound_source.file", source["file"], None if stored is None else stored.file
    if stored is not None and source["file"] == stored.file:
        yield "bound_source.sha256", source["sha256"], stored.sha256
