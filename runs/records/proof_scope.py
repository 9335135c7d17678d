"""The proof status of a score, component by component, and the space over which it is proven."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models import Network, Variable
from isoplane.objectives import gap_text, relative_gaps


def component_statuses(score: Sequence[int], bound: Sequence[int | None]) -> list[str]:
    """Return ``optimal`` for each component that reaches its bound, else ``feasible``.

    Examples
    --------
    >>> component_statuses([80000, 29248000], [80000, 21056000])
    ['optimal', 'feasible']
    """
    return ["optimal" if gap == 0 else "feasible" for gap in relative_gaps(score, bound)]


def proof_status(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None], scope: str = "") -> str:
    """Return ``optimal`` if every component reaches its bound, else the status and gap of each; and over what.

    Parameters
    ----------
    names, score, bound
        The components of a score, with their bounds.
    scope
        The space over which the bounds hold, as `scope_of` names it.

    Examples
    --------
    >>> names, score, bound = ["sum_of_distances*max_load", "cable_length"], [80000, 29248000], [80000, 21056000]
    >>> proof_status(names, score, bound, "all bases of plane 1")
    'sum_of_distances*max_load optimal, cable_length feasible (gap 28.01 %), over all bases of plane 1'
    >>> proof_status(["sum_of_distances"], [800], [800], "all bases of plane 1")
    'optimal over all bases of plane 1'
    >>> proof_status(["sum_of_distances"], [801], [None], "all bases of plane 1")
    'sum_of_distances feasible (gap unknown)'
    """
    gaps = relative_gaps(score, bound)
    over = f" over {scope}" if scope and any(gap is not None for gap in gaps) else ""
    if not any(gaps) and None not in gaps:
        return f"optimal{over}"
    pairs = zip(names, gaps, strict=True)
    parts = (f"{name} {'optimal' if gap == 0 else f'feasible (gap {gap_text(gap)})'}" for name, gap in pairs)
    return ", ".join(parts) + (over and f",{over}")


def proven_variables(network: Network, bound_source: Mapping[str, Any] | None) -> list[Variable]:
    """Return the variables over whose values the bounds of a design hold, within the limits that their source states.

    Parameters
    ----------
    network
        The network of the design.
    bound_source
        What the bounds rest on, as in a record; None if it states nothing.

    Returns
    -------
    list of Variable
        Empty if the network has none, or has circuits and an older record that does not state what was proven.
    """
    variables = dict(network.family.variables)
    if network.family.kind != "circuits":
        return list(variables.values())
    if bound_source is None:
        return []
    rule = "free" if bound_source["placement"] == "free" else "by_switch"
    return [
        variables["circuits"].within("circuits", bound_source["circuits"]),
        variables["placement"].within("placement", rule),
    ]


def scope_of(network: Network, bound_source: Mapping[str, Any] | None) -> str:
    """Return the space over which the bounds of a design hold, in words; arguments as for `proven_variables`.

    Examples
    --------
    >>> from isoplane.models import Hybrid, dual_cube
    >>> scope_of(dual_cube(3, (3, 5, 7)), None)
    'all bases of plane 1'
    >>> scope_of(Network(Hybrid(2, 2)), {"by": "enumeration", "circuits": 2, "placement": "given"})
    'all sets of at most 2 circuits and the given placement'
    """
    return " and ".join(variable.scope for variable in proven_variables(network, bound_source))
