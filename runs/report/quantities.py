"""How numbers are written for people."""

from collections.abc import Mapping
from dataclasses import dataclass

MINUS = "−"


@dataclass(frozen=True)
class Quantity:
    """A metric of a record, as people read it.

    Attributes
    ----------
    title, unit
        What it is called and counted in.
    decimals
        The most that are shown; zeros at the end are left out unless `padded`.
    more_is_better
        Which direction is an improvement.
    padded
        Whether zeros at the end stay, as in prices.
    """

    title: str
    unit: str
    decimals: int
    more_is_better: bool = False
    padded: bool = False


QUANTITIES: Mapping[str, Quantity] = {
    "aspl": Quantity("Average shortest path length (ASPL)", "hops", 4),
    "sum_of_distances": Quantity("Sum of distances over all offsets", "hops", 0),
    "max_load": Quantity("Load of the busiest generator", "packets", 0),
    "max_traffic": Quantity("All-to-all maximum traffic, one node at each switch", "link capacities per node", 4, True),
    "max_traffic_per_node": Quantity("All-to-all maximum traffic of a real node", "link capacities per node", 4, True),
    "cable_length_m": Quantity("Mean length of the cables between switches", "m", 3),
    "delay_ns": Quantity("Mean delay over the real routes", "ns", 2),
    "delay_paper_ns": Quantity("Mean delay by the published formula", "ns", 2),
    "cost_usd_per_node": Quantity("Cost of the network", "US$ per node", 2, padded=True),
}


def number(value: float, decimals: int = 4, padded: bool = False) -> str:
    """Write a number with thousands separated and no zeros at the end.

    Examples
    --------
    >>> number(3.125), number(80000), number(-2.0), number(485, 2, padded=True)
    ('3.125', '80,000', '−2', '485.00')
    """
    text = f"{value:,.{decimals}f}"
    if decimals and not padded:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", MINUS) if text != "-0" else "0"


def written(metric: str, value: float | None) -> str:
    """Write a value of one of `QUANTITIES`, or a dash where there is none.

    Examples
    --------
    >>> written("delay_ns", 601.0), written("cost_usd_per_node", 3319.5), written("delay_ns", None)
    ('601', '3,319.50', '–')
    """
    quantity = QUANTITIES[metric]
    return "–" if value is None else number(value, quantity.decimals, quantity.padded)


def change(value: float, before: float, decimals: int = 1) -> str:
    """Write by how many percent a value differs from another one.

    Examples
    --------
    >>> change(3.125, 4), change(5.12, 4), change(4, 4), change(1, 0), change(3.125, 4, 2)
    ('−21.9 %', '+28 %', '±0 %', '–', '−21.88 %')
    """
    if before == 0:
        return "–"
    percent = number(100 * (value / before - 1), decimals)
    if percent == "0":
        return "±0 %"
    return f"{percent} %" if percent.startswith(MINUS) else f"+{percent} %"


def verdict(metric: str, value: float, before: float) -> str:
    """Return ``better``, ``worse`` or ``same``.

    Examples
    --------
    >>> verdict("delay_ns", 512, 601), verdict("max_traffic", 4, 5)
    ('better', 'worse')
    """
    if value == before:
        return "same"
    return "better" if (value > before) == QUANTITIES[metric].more_is_better else "worse"
