"""What proves the bound of a record, in words."""

from collections.abc import Callable, Sequence
from typing import Any

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.sums import EXCESS

from .bound_verification import NO_SOURCE, Bound, exceeds, has_several_caches, proof_in, space_bounds
from .hybrid_verification import formula_bounds
from .proof_scope import component_words

NOT_REPEATED = ", which is not repeated"
CIRCUIT_FORMULA = "busy times of nodes and cuts"


def bound_words(
    record: dict[str, Any], design: Design, objective: Callable[[], Lexicographic], workload: Workload | None
) -> str:
    """Return what proves the bound of a record, of each component that is bounded; empty without a bound.

    Parameters
    ----------
    record, design, workload
        The record, its design, and its workload if it has one.
    objective
        Returns the objective of the score; called only if a bound is stated.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> aspl = Lexicographic("aspl", (("sum_of_distances",), ("cable_length",)), CUBES)
    >>> record = {"score_names": aspl.score_names, "bound": [22, 672000], "circuits": None, "status": "optimal"}
    >>> record["provenance"] = {"strategy": "exact", "config": {}}
    >>> bound_words(record, Design(dual_cube(4, (1, 2, 4, 8))), lambda: aspl, None)
    'formulas and certificates of cubes for ASPL; the search (strategy=exact) for cables'
    """
    if all(low is None for low in record["bound"]):
        return ""
    if record["circuits"] is None:
        known, formula = space_bounds(record, design.network, objective, workload)
    else:
        known, formula = formula_bounds(record, design), CIRCUIT_FORMULA
    by_formula, others = _divided(record, known)
    by_formula = [name for name in by_formula if name != EXCESS]  # no excess is below 0
    file = record.get("bound_source", {}).get("file")
    found = [
        (f"{formula} and the stored {file}" if file else formula, by_formula, others),
        (proof_in(record) or NO_SOURCE, others, by_formula),
    ]
    return "; ".join(
        f"{how} for {', '.join(map(component_words, own))}" if rest else how for how, own, rest in found if own
    )


def origin_text(record: dict[str, Any], known: Bound) -> str:
    """Return in words which parts of a bound formulas confirm, and from where the others are; empty without a bound.

    Parameters
    ----------
    record
        A record without differences.
    known
        The bounds by formula.

    Examples
    --------
    >>> record = {"score_names": ["max_load", "cost"], "bound": [4, 90], "circuits": None, "status": "optimal"}
    >>> record["provenance"] = {"strategy": "exact", "config": {}}
    >>> origin_text(record, (4, 80))
    'bound: load recomputed by formula; cost taken from the search (strategy=exact), which is not repeated'
    >>> origin_text(record, (4, 90))
    'bound: recomputed by formula'
    """
    recomputed, taken = _divided(record, known)
    parts = []
    if recomputed:
        file = record.get("bound_source", {}).get("file")
        how = "checked by formula with its cache only" if has_several_caches(record) else "recomputed by formula"
        parts.append(f"{_words(recomputed, taken)}{how}" + (f" and the stored {file}{NOT_REPEATED}" if file else ""))
    if taken:
        proof = proof_in(record)
        parts.append(f"{_words(taken, recomputed)}taken from {proof}{'' if proof == NO_SOURCE else NOT_REPEATED}")
    return f"bound: {'; '.join(parts)}" if parts else ""


def _divided(record: dict[str, Any], known: Bound) -> tuple[list[str], list[str]]:
    """Return the components whose bounds are those by formula, and those with higher ones."""
    stated = [part for part in zip(record["score_names"], record["bound"], known, strict=True) if part[1] is not None]
    higher = [name for name, low, limit in stated if exceeds(low, limit)]
    return [name for name, *_ in stated if name not in higher], higher


def _words(names: Sequence[str], others: Sequence[str]) -> str:
    return f"{', '.join(map(component_words, names))} " if others else ""
