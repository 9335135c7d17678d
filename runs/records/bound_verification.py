"""Verification of bounds: what formulas of the space prove, and what only the search of a record has proven."""

from collections.abc import Callable, Iterator, Sequence
from math import factorial, prod
from typing import Any

from isoplane.models import InputError, Network
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import stored_enumeration
from isoplane.search import space_of
from isoplane.search.caches.space import CacheChoice
from isoplane.search.core.chain_strategy import is_of_chains
from isoplane.search.programs import FORMULA

from .record import COMPLETE

Bound = Sequence[int | None]
Triple = tuple[str, object, object]
NO_SOURCE = "the record, which names no source"  # of its bound


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


def space_bounds(
    record: dict[str, Any], network: Network, objective: Callable[[], Lexicographic], workload: Workload | None
) -> tuple[Bound, str]:
    """Return what formulas prove about the components of the score of a record without circuits; None if nothing.

    The second value names the formulas. If the search chose among several caches, the bounds are those
    with the cache of the record, which are at least as high as those over all caches.

    Parameters
    ----------
    record, network, workload
        The record, its network, and its workload if it has one.
    objective
        Returns the objective of the score; called only if a bound is stated.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> aspl = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
    >>> record = {"bound": [22], "provenance": {"config": {}}}
    >>> space_bounds(record, dual_cube(4, (1, 2, 4, 8)), lambda: aspl, None)
    ((22,), 'formulas and certificates of cubes')
    """
    unknown = (None,) * len(record["bound"])
    if record["bound"] == list(unknown):
        return unknown, ""
    try:
        space = space_of(network, network.family.variables, workload)
        space = CacheChoice((space,)) if has_several_caches(record) else space
        return space.bounds(objective()), space.bounded_by
    except InputError:  # no search varies such networks by such a score, or it would have refused them
        return unknown, ""


def proof_in(record: dict[str, Any]) -> str:
    """Return what a record states to have proven more than formulas do, in words; empty if it states nothing.

    A search over all designs ends with a score that reaches its bound, or a complete front; chains prove nothing.
    Integer programs of circuits may also have raised a bound that the score does not reach.

    Examples
    --------
    >>> record = {"circuits": None, "status": "optimal", "provenance": {"strategy": "exact", "config": {}}}
    >>> proof_in(record), proof_in(record | {"status": "feasible"})
    ('the search (strategy=exact)', '')
    >>> proof_in(record | {"circuits": [], "bound_source": {"by": "program:cp_sat"}})
    'the proof by program:cp_sat'
    """
    if record["circuits"] is not None:
        source = record.get("bound_source")
        if source is None:
            return NO_SOURCE
        if source["by"] != "enumeration":
            return "" if source["by"] == FORMULA else f"the proof by {source['by']}"
    strategy = record["provenance"]["strategy"]
    is_complete = record["status"] == "optimal" or record.get("front") == COMPLETE
    # With the first of several caches searched through, its best score bounds what the others have not beaten yet.
    if strategy is None or is_of_chains(strategy) or not (is_complete or has_several_caches(record)):
        return ""
    return f"the search (strategy={strategy})"


def bound_triples(record: dict[str, Any], score: Sequence[int | None], known: Bound) -> Iterator[Triple]:
    """Yield bounds above the score, or unproven ones above those by formula, and in an optimal record those below it.

    Parameters
    ----------
    record, score
        The record, and its score as recomputed.
    known
        The bounds by formula.
    """
    optimal, proof = record["status"] == "optimal", proof_in(record)
    for index, (low, value, limit) in enumerate(zip(record["bound"], score, known, strict=True)):
        if low is None:
            continue
        if value is not None and low > value:
            yield f"bound[{index}]", low, f"at most {value}"
        elif not proof and exceeds(low, limit):
            right = "null, because no formula bounds it" if limit is None else f"at most {limit}, the bound by formula"
            yield f"bound[{index}]", low, right
        elif optimal and value is not None and low < value:
            yield f"bound[{index}]", low, f"{value}, the score, because status is optimal"
    if optimal and record["bound"][0] is None:
        yield "status", "optimal", "feasible, because bound[0] is null"


def exceeds(stated: int, known: int | None) -> bool:
    """Whether a stated bound is above the one by formula, or has none."""
    return known is None or stated > known


def has_several_caches(record: dict[str, Any]) -> bool:
    """Whether the search of a record had lists of values for the cache of switches."""
    switch = record["provenance"]["config"].get("switch")
    cache = switch.get("cache") if isinstance(switch, dict) else None
    return isinstance(cache, dict) and any(isinstance(value, list) for value in cache.values())
