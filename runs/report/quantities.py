"""How numbers are written for people."""

from collections.abc import Mapping
from dataclasses import replace

from isoplane.objectives import METRIC_TABLE, Metric

MINUS = "−"


# What pages call metrics otherwise than `METRIC_TABLE`, and numbers that only pages have.
QUANTITIES: Mapping[str, Metric] = {
    **{name: METRIC_TABLE[name] for name in ("aspl", "sum_of_distances", "max_load")},
    "max_traffic": replace(METRIC_TABLE["max_traffic"], unit="link capacities per node"),
    "max_traffic_per_node": Metric(
        "max_traffic_per_node", "link capacities per node", "All-to-all maximum traffic of a real node", 4, True
    ),
    **{name: METRIC_TABLE[name] for name in ("cable_length_m", "delay_ns", "delay_paper_ns")},
    "cost_usd_per_node": replace(METRIC_TABLE["cost_usd_per_node"], unit="US$ per node", title="Cost of the network"),
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
    """Write a value of a metric, or a dash where there is none.

    Examples
    --------
    >>> written("delay_ns", 601.0), written("cost_usd_per_node", 3319.5), written("delay_ns", None)
    ('601', '3,319.50', '–')
    """
    quantity = _quantity(metric)
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
    return "better" if (value > before) == _quantity(metric).higher_is_better else "worse"


def _quantity(metric: str) -> Metric:
    return QUANTITIES[metric] if metric in QUANTITIES else METRIC_TABLE[metric]
