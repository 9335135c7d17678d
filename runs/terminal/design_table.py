"""Tables of metrics: of a design beside its baseline, for people, and of several designs, for programs.

`best` has their units without what computes metrics, which is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isoplane import objectives
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.objectives.scoring.metric_scopes import needing, requested_metrics, requested_names
from isoplane.objectives.scoring.own_metrics import objective_values, own_metrics
from isoplane.objectives.scoring.worded_objective import stated_values

from .table import Table, cell_text, unit_beside

if TYPE_CHECKING:
    from isoplane.models import Design, Network, PriceList
    from isoplane.models.workloads import Workload

CAPACITIES = "throughput_per_node"
NODES = "nodes"
LENGTHS = ("cable_length_m", "longest_cable_m")  # metrics


def units_of(names: Iterable[str]) -> list[str]:
    """Return the units of metrics beside their names; empty for other names, and for those that state the unit.

    Examples
    --------
    >>> units_of(["family", "aspl", "delay_ns"])
    ['', 'hops', '']
    """
    table = known_metrics()
    return [unit_beside(name, table[name].unit) if name in table else "" for name in names]


def known_metrics() -> Mapping[str, objectives.Metric]:
    """Return all metrics by name, those of installed packages included."""
    return {**objectives.METRIC_TABLE, **own_metrics()}


def shown_unit(name: str, design: Design | None) -> str:
    """Return the unit of a metric of a design, if it is one, which says if it is a length that is assumed."""
    table = known_metrics()
    return unit_for(name, table[name].unit if name in table else "", design)


def unit_for(name: str, unit: str, design: Design | None) -> str:
    """Return the unit of a metric of a design, with the rate of the link that it counts, if the network states it."""
    if design is None:
        return unit
    if name == CAPACITIES and (gbps := metric_link_gbps(design.network)) is not None:
        return links_of(gbps)
    return f"{unit}, assumed" if is_assumed(name, design) else unit


def metric_link_gbps(network: Network) -> float | None:
    """Return the rate of the link that counts 1 in the throughput per node; None if the network states no rates."""
    from isoplane.models.paths.transmission_times import fastest_link_mbps, transmission_times_of

    if fastest_link_mbps(network) is None:
        return None
    reference_mbps = transmission_times_of(network).reference_mbps
    assert reference_mbps is not None
    return reference_mbps / 1000


def links_of(gbps: float) -> str:
    """Return a unit: links of a rate.

    Examples
    --------
    >>> links_of(54.545)
    'links of 54.545 Gbit/s'
    """
    return f"links of {gbps:.9g} Gbit/s"


def throughput_of_cubes(design: Design, metrics: Mapping[str, object]) -> MetricValues:
    """Return the throughput per node of cubes with kernels, whose metrics have it by switch; nothing of any other.

    With q nodes at each of 2^n switches of a plane it is 2·2^n / (q · max_load), rounded once, as of any network.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> throughput_of_cubes(Design(dual_cube(3, (3, 5, 7))), {"max_load": 3})
    {'throughput_per_node': 1.3333333333333333}
    """
    family, load = design.network.family, metrics.get("max_load")
    if not isinstance(load, int) or CAPACITIES in metrics:
        return {}
    from isoplane.models.family import plane_count

    return {CAPACITIES: 2 * family.switches**2 / (plane_count(family) ** 2 * family.nodes * load)}


def is_assumed(name: str, design: Design) -> bool:
    """Whether a metric of a design is a length that is assumed."""
    if name not in LENGTHS or design.network.site.layout is None:
        return False
    from isoplane.models.cabling.assumed_lengths import assumed_lengths  # `best` starts without families

    return assumed_lengths(design.network.family) is not None


def assumptions(design: Design) -> list[str]:
    """Return in words what lengths, delays and prices of a design rest on; nothing without a layout."""
    site = design.network.site
    if site.layout is None or not design.network.family.uses_site:
        return []
    from isoplane.models.cabling.assumed_lengths import assumed_lengths

    is_laid_out = design.network.family.assumed_cable_m is None
    stated = f"laid out on the floor (layout={site.layout.name})" if is_laid_out else "as stated"
    lengths = assumed_lengths(design.network.family) or stated
    return [f"Cables between switches are {lengths}.", price_rule(site.prices)]


def assumed_goals(design: Design, objective: objectives.Lexicographic) -> list[str]:
    """Return in a line that an objective or its limits are about lengths which are assumed; none if they are not.

    Examples
    --------
    >>> from isoplane.models import Design, Network
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.objectives.scoring.worded_objective import worded_objective
    >>> torus = Design(Network(Torus(shape=(4, 4))))
    >>> objective = worded_objective("min longest_cable_m", objectives.evaluator_of(torus), torus.network)
    >>> print(*assumed_goals(torus, objective))
    longest_cable_m: cables are assumed 1 m each, in any such network; network.assumed_cable_m=null lays them out
    """
    names = objectives.objective_names(objective.scope)
    asked = [name for name in LENGTHS if names.get(name) in objective.metrics and is_assumed(name, design)]
    if not asked:
        return []
    from isoplane.models.cabling.assumed_lengths import assumed_length_key, assumed_lengths

    key = assumed_length_key(design.network.family)
    remedy = "" if key is None else f"; {key}=null lays them out"
    return [f"{', '.join(asked)}: cables are {assumed_lengths(design.network.family)}, in any such network{remedy}"]


def price_rule(prices: PriceList, per: str = "per node") -> str:
    """Return in words what prices include.

    Examples
    --------
    >>> from isoplane.models import Site
    >>> price_rule(Site().prices)
    'Prices of infiniband_edr, per node: the used ports of switches (prices.by=port), interfaces and cables.'
    """
    return f"Prices of {prices.name}, {per}: {prices.rule} (prices.by={prices.by}), interfaces and cables."


def all_metrics(
    design: Design,
    workload: Workload | None = None,
    known: MetricValues | None = None,
    objective: objectives.Lexicographic | None = None,
) -> MetricValues:
    """Return the metrics of a design, also those that few records state, and those of installed packages.

    Parameters
    ----------
    design, workload
        The design, and the workload if metrics depend on it.
    known
        Those that its record states, which are not computed again.
    objective
        An objective: what its functions return are metrics, too, as are values and limits in words.
    """
    if objective is not None:
        from isoplane.objectives.evaluators import metrics_after_losses

        stated = {**objective_values(objective, design), **stated_values(objective, design)}
        after_losses = metrics_after_losses(design, objective.metrics)
        return {**all_metrics(design, workload, known), **after_losses, **stated}
    if known is None:
        from isoplane.objectives.evaluators import own_values_of

        return {**objectives.metrics_of(design, workload, requested=True), **own_values_of(design, workload)}
    evaluator, network = objectives.evaluator_of(design), design.network
    names = requested_names(evaluator.scope, network)
    return {**known, **(requested_metrics(evaluator.scope, evaluator.exact(design, names), network) if names else {})}


def comparison(design: Design, objective: objectives.Lexicographic) -> str:
    """Return all metrics of a design that was searched as text, next to those of its baseline if it has one.

    Parameters
    ----------
    design
        The design.
    objective
        The objective, whose functions, and metrics after losses with what is said of them, have rows of their own;
        metrics may depend on its workload.
    """
    workload, losses = objective.workload, needing("losses", objective.scope)
    has_rows = objective.functions or not losses.isdisjoint(objective.metrics)
    table, _ = metric_tables(design, workload, objective if has_rows else None)
    return f"{title_of(design, workload)}\n{table}"


def title_of(design: Design, workload: Workload | None = None) -> str:
    """Return what a design and the workload of its metrics are; parameters as of `all_metrics`."""
    details = "" if workload is None else f", {workload.name}: {workload.messages} messages x {workload.iterations}"
    return f"{design.network.family.description}{details}"


def metric_tables(
    design: Design, workload: Workload | None = None, objective: objectives.Lexicographic | None = None
) -> tuple[Table, Table]:
    """Return a table with a row for each metric, and one with a row for the design and one for its baseline.

    The second one also has what designs of other families and sizes have: nodes, and cubes their throughput per node.

    Parameters
    ----------
    design, workload, objective
        As of `all_metrics`.
    """
    ours = all_metrics(design, workload, objective=objective)
    by_design = [beside_others(design.network.title, design, ours)]
    baseline: tuple[str, MetricValues] | None = None
    if title := design.baseline_title:
        baseline = title, all_metrics(design.baseline, workload, objective=objective)
        by_design.append(beside_others(title, design.baseline, baseline[1]))
    names = list(by_design[0])
    right = range(1, len(names))
    data = Table(names, [[row.get(name) for name in names] for row in by_design], right, units_of(names))
    return beside_baseline(ours, baseline, design), data


def beside_others(title: str, design: Design, metrics: Mapping[str, object]) -> dict[str, Any]:
    """Return a title and metrics, with the numbers that designs of other families, and of other sizes, have as well."""
    first = {"design": title, NODES: design.network.nodes}
    return {**first, **metrics, **throughput_of_cubes(design, metrics), **first}


def beside_baseline(
    numbers: Mapping[str, object], baseline: tuple[str, Mapping[str, object]] | None, design: Design | None
) -> Table:
    """Return the numbers of a design, a row each, beside those of its baseline and the change, with units.

    Examples
    --------
    >>> print(beside_baseline({"aspl": 1.0, "diameter": 2}, ("identical planes", {"aspl": 1.5, "diameter": 2}), None))
              this design  identical planes    change  unit
    aspl                1               1.5  -33.33 %  hops
    diameter            2                 2   +0.00 %  hops
    """
    head = ["", "this design", *([baseline[0], "change"] if baseline else []), "unit"]
    rows: list[Sequence[object]] = []
    for name, mine in numbers.items():
        other = baseline[1].get(name) if baseline else None
        beside = [_text(other), _change(mine, other)] if baseline else []
        rows.append([name, _text(mine), *beside, shown_unit(name, design)])  # no column of one metric
    return Table(head, rows, range(1, len(head)))


def _change(value: object, other: object) -> str:
    """Return by how much a number differs from another one, in percent; empty for anything else."""
    numbers = [each for each in (value, other) if isinstance(each, (int, float)) and not isinstance(each, bool)]
    return f"{100 * (numbers[0] / numbers[1] - 1):+.2f} %" if len(numbers) == 2 and numbers[1] else ""


def _text(value: object) -> str:
    """Return a metric as people read it, or whether a limit is met."""
    return {True: "met", False: "not met"}[value] if isinstance(value, bool) else cell_text(value)
