"""The proof status of a score, component by component."""

from collections.abc import Sequence

from isoplane.objectives import gap_text, relative_gaps


def component_statuses(score: Sequence[int], bound: Sequence[int | None]) -> list[str]:
    """Return ``optimal`` for each component that reaches its bound, else ``feasible``.

    Examples
    --------
    >>> component_statuses([80000, 29248000], [80000, 21056000])
    ['optimal', 'feasible']
    """
    return ["optimal" if gap == 0 else "feasible" for gap in relative_gaps(score, bound)]


def standing(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None]) -> str:
    """Return ``optimal`` if every component reaches its bound, else the status and gap of each.

    Examples
    --------
    >>> standing(["sum_of_distances*max_load", "cable_length"], [80000, 29248000], [80000, 21056000])
    'sum_of_distances*max_load optimal, cable_length feasible (gap 28.01 %)'
    >>> standing(["sum_of_distances"], [800], [800]), standing(["sum_of_distances"], [801], [None])
    ('optimal', 'sum_of_distances feasible (gap unknown)')
    """
    gaps = relative_gaps(score, bound)
    if not any(gaps) and None not in gaps:
        return "optimal"
    parts = zip(names, gaps, strict=True)
    return ", ".join(f"{name} {'optimal' if gap == 0 else f'feasible (gap {gap_text(gap)})'}" for name, gap in parts)
