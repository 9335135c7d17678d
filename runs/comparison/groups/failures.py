"""Failed cables, and lost switches, racks and planes."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from isoplane.models import Network
from isoplane.models.device_names import switch_name
from isoplane.objectives.failures import (
    SHARES,
    Baseline,
    FailureSummary,
    LossSummary,
    cable_failures,
    plane_lost,
    rack_lost,
    switch_lost,
)
from isoplane.objectives.failures.failed_cables import MAX_SINGLES

from ..column import Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 60
LOSSES = ("switch", "rack", "plane")


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return what remains after failures, relative to the intact network."""
    network, seed = compared.network, compared.request.seed
    found: dict[str, Value] = {}
    baseline = Baseline(network)
    cables = baseline.model.cables
    # Of more cables, each would take too long, and the worst of some draws is not that of all.
    single = [1 / cables] if 0 < cables <= MAX_SINGLES else []
    summaries = cable_failures(network, [*SHARES, *single], seed=seed, baseline=baseline)
    for summary in summaries[: len(SHARES)]:
        found.update(_of_cables(summary))
    found.update(_of_each_cable(summaries[-1] if single else None))
    losses = {
        "switch": switch_lost(network, seed, baseline),
        "rack": rack_lost(network, _racks(network), seed, baseline),
    }
    if len(network.planes) > 1:
        losses["plane"] = plane_lost(network, baseline)
    for name in LOSSES:
        found.update(_of_loss(name, losses.get(name)))
    return {**found, **_worst(network, losses["switch"].worst, losses["rack"].worst)}


def _worst(network: Network, switch: int | None, rack: int | None) -> dict[str, Value]:
    """Return the names of a switch, by its number in all planes, and of one of the racks with switches."""
    found = dict[str, Value](switch_lost_worst=None, rack_lost_worst=None)
    if switch is not None:
        starts = np.cumsum([0, *network.plane_switches])
        plane = int(np.searchsorted(starts, switch, side="right")) - 1
        names, number = network.family.names, switch - int(starts[plane])
        found["switch_lost_worst"] = switch_name(plane, number) if names is None else names.switch(plane, number)
    if rack is not None:
        assert network.floor is not None
        found["rack_lost_worst"] = network.floor.names[int(np.unique(np.concatenate(_racks(network)))[rack])]
    return found


def _of_cables(summary: FailureSummary) -> dict[str, Value]:
    name, aspl, throughput = f"cables_{100 * summary.share:g}", summary.aspl, summary.throughput
    return {
        f"{name}_aspl": None if aspl is None else float(aspl.mean),
        f"{name}_throughput": None if throughput is None else float(throughput.mean),
        f"{name}_throughput_worst": None if throughput is None else float(throughput.worst),
        f"{name}_disconnected": summary.disconnected,
    }


def _of_each_cable(summary: FailureSummary | None) -> dict[str, Value]:
    throughput = None if summary is None else summary.throughput
    return {
        "cable_lost_disconnected": None if summary is None else summary.disconnected,
        "cable_lost_throughput": None if throughput is None else float(throughput.worst),
    }


def _of_loss(name: str, loss: LossSummary | None) -> dict[str, Value]:
    if loss is None:
        return {f"{name}_lost_nodes": None, f"{name}_lost_throughput": None}
    worst = None if loss.throughput is None else float(loss.throughput.worst)
    return {f"{name}_lost_nodes": loss.max_lost_nodes, f"{name}_lost_throughput": worst}


def _racks(network: Network) -> Sequence[np.ndarray]:
    """Return the rack of each switch, by plane."""
    assert network.floor is not None
    return network.floor.of_switches


def _columns() -> Iterator[Column]:
    for share in SHARES:
        name, title = f"cables_{100 * share:g}", f"{100 * share:g} % of cables"
        yield Column(f"{name}_aspl", f"{title}: ASPL", "of intact", 3)
        yield Column(f"{name}_throughput", f"{title}: throughput", "mean, of intact", 3)
        yield Column(f"{name}_throughput_worst", f"{title}: throughput", "worst, of intact", 3)
        yield Column(f"{name}_disconnected", f"{title}: disconnected", "draws or cables")
    few = f"if at most {MAX_SINGLES} cables"
    yield Column("cable_lost_disconnected", "a cable lost: cut nodes off", f"cables that do, {few}")
    yield Column("cable_lost_throughput", "a cable lost: throughput", f"worst, of intact, {few}", 3)
    for name in LOSSES:
        yield Column(f"{name}_lost_nodes", f"a {name} lost: nodes cut off", "at most")
        yield Column(f"{name}_lost_throughput", f"a {name} lost: throughput", "worst, of intact", 3)
    for name in ("switch", "rack"):
        yield Column(f"{name}_lost_worst", f"a {name} lost: the worst")


GROUP = Group(
    "Failures",
    "Of the designs on the front of price against delay or throughput, and those that equal one (failures=all: of "
    "all). Cables between switches fail at random in 20 draws (5 above 1,024 switches), those of nodes do not. A "
    "share is rounded to at least one cable, so that 1 %, 5 % and 10 % of few cables can all be one: of up to 256 "
    "cables each fails once then, in place of draws. The loss of a cable is that of the worst one, not computed "
    "above 256 cables; one of your choice fails with isoplane evaluate failed_cables=. Routes are repaired along "
    "shortest paths; draws in which nodes are cut off, or cables whose failure cuts some off, are "
    "counted and left out. A node is cut off if it can reach "
    "the others in no plane: one that loses its links in one plane and keeps those in another is not counted, but "
    "lowers the throughput. Throughputs, also that of the intact network, are those that all links allow, of nodes and "
    "between switches: at most the rate of a node. After the loss of a switch, rack or plane it is that among the "
    "remaining nodes, each with the links it keeps; of more than 64 switches or racks, 16 are drawn (4 above 1,024 "
    "switches). The worst is named as in exports, the first of several along the repaired routes, whose ties differ by "
    "switch; a dash: all have the same throughput.",
    tuple(_columns()),
    values,
    scope="front",
)
