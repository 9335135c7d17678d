"""From a composed config to the nodes on which the processes of a job run, in networks without circuits."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.checks import check_count, check_int, shown
from isoplane.models.workloads import MappedWorkload, Workload, WorkloadMix
from isoplane.models.workloads.mapped_workload import placed_on, require_room

Nodes = tuple[int, ...]


def _random(workload: Workload, network: Network, config: Mapping[str, Any]) -> Nodes:
    drawn = np.random.default_rng(_seed(config)).permutation(network.nodes)
    return tuple(drawn[: workload.processes].tolist())


def _by_cut(workload: Workload, network: Network, config: Mapping[str, Any]) -> Nodes:
    from isoplane.search.placements.placement_search import by_cut  # only here and below: most jobs have no search

    return by_cut(workload, network)


def _searched(workload: Workload, network: Network, config: Mapping[str, Any]) -> Nodes:
    from isoplane.search.placements.placement_search import searched

    evaluations = check_count("placement_evaluations", config.get("placement_evaluations", 1), 1)
    return searched(workload, network, _seed(config), evaluations)


def _seed(config: Mapping[str, Any]) -> int:
    return check_int("placement_seed", config.get("placement_seed", 1), 0)


# From workload, network and config, of which each reads the options that it has.
RULES: Mapping[str, Callable[[Workload, Network, Mapping[str, Any]], Nodes]] = {
    "in_order": lambda workload, network, config: tuple(range(workload.processes)),
    "random": _random,
    "by_cut": _by_cut,
    "searched": _searched,
}


def on_nodes(workload: Workload, config: Mapping[str, Any], network: Network) -> Workload:
    """Return a workload with its processes on the nodes that `placement` and `placement_seed` of a config name.

    Where several processes share a node, groups of them are placed.
    """
    nodes = _nodes_of(workload, config, network)
    if isinstance(workload, WorkloadMix):
        return WorkloadMix([(weight, placed_on(part, nodes, network.nodes)) for weight, part in workload.parts])
    return placed_on(workload, nodes, network.nodes)


def _nodes_of(workload: Workload, config: Mapping[str, Any], network: Network) -> Nodes:
    """Return the node of every process or group, as for `on_nodes`; in order if the config has no placement."""
    given = config.get("placement", "in_order")
    if isinstance(workload, MappedWorkload):
        require_room(workload.workload.processes, network.nodes, workload.processes_per_node)
    require_room(workload.processes, network.nodes)
    if isinstance(given, list):
        return tuple(check_int("placement", node, 0, network.nodes - 1) for node in given)
    if isinstance(given, str) and given in RULES:
        return RULES[given](workload, network, config)
    raise InputError(f"placement={shown(given)}: expected {', '.join(RULES)}, a list of nodes")
