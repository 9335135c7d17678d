"""From a composed config to workloads with their orders, circuits and placements."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

from isoplane.models import Circuits, Design, InputError, Network, Placement, workloads
from isoplane.models.checks import check_int, shown
from isoplane.models.exchanges.all_to_all import MAX_PROCESSES, ExchangeOrder
from isoplane.models.exchanges.contention_free_order import CONTENTION_FREE, contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.models.placement import by_switch
from isoplane.models.workloads import PhasedWorkload, Workload, WorkloadMix, from_matrix
from isoplane.models.workloads.mapped_workload import PER_NODE, in_groups
from isoplane.models.workloads.workload import is_workload
from isoplane.runs.config.installed_choices import installed_choices
from isoplane.runs.inputs.cross_connects import read_cross_connects
from isoplane.runs.inputs.order_file import SUFFIX, read_order
from isoplane.runs.inputs.traffic_matrix import read_matrix

from ..inputs.yaml_files import packaged_yaml
from .config_values import choice_of, group, path_of, values_of

ORDER = "workload.order"


def _from_file(file: object, iterations: int) -> Workload:
    path = path_of("workload.file", file)
    return from_matrix(read_matrix(path), path.stem, check_int("workload.iterations", iterations, 1))


def _from_trace(file: object, gflops: object, eager_bytes: int) -> Workload:
    from isoplane.runs.inputs.process_traces import read_trace  # slow to import

    return read_trace(path_of("workload.file", file), gflops, eager_bytes)


def _from_goal(file: object, eager_bytes: int) -> Workload:
    from isoplane.runs.inputs.process_traces import read_goal  # slow to import

    return read_goal(path_of("workload.file", file), eager_bytes)


def _mix(parts: object) -> Workload:
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise InputError(
            f"workload.parts={shown(parts)}: expected a list of workloads, such as [{{kind: all_to_all, weight: 2}}]"
        )
    return WorkloadMix(tuple(map(_part, parts)))


def _part(given: dict[str, Any]) -> tuple[int, Workload]:
    """Return the weight of a part of a mix, 1 by default, and its workload with the defaults of its kind."""
    kind = choice_of("workload.parts.kind", given.get("kind"), [kind for kind in workload_functions() if kind != MIX])
    if kind in WORKLOADS:
        defaults = packaged_yaml(resources.files("isoplane.conf").joinpath("workload", f"{kind}.yaml"))
    else:
        defaults = dict(installed_choices("workload")[kind])
    keys = {key: value for key, value in given.items() if key != "weight"}
    if unknown := sorted(set(keys) - set(defaults)):
        raise InputError(f"workload.parts.{unknown[0]}={shown(keys[unknown[0]])}: expected {', '.join(defaults)}")
    return given.get("weight", 1), workload_of({"workload": {**defaults, **keys}})


MIX = "mix"
FROM_FILES: Mapping[str, Callable[..., Workload]] = {"matrix": _from_file, "trace": _from_trace, "goal": _from_goal}
WORKLOADS: Mapping[str, Callable[..., Workload]] = {**workloads.WORKLOADS, **FROM_FILES, MIX: _mix}


def workload_functions() -> dict[str, Callable[..., Workload]]:
    """Return the functions of all workloads by kind: built in, or of installed packages."""
    return {**WORKLOADS, **workloads.installed_workloads(WORKLOADS)}


def workload_of(config: Mapping[str, Any], network: Network | None = None) -> Workload:
    """Return the workload that a config describes.

    Parameters
    ----------
    config
        The composed config.
    network
        The network, for orders of an exchange that depend on it; None for networks with circuits, which have none.
    """
    functions = workload_functions()
    if config.get("workload") is None:
        raise InputError(f"workload=null: a network with circuits needs a workload; expected {', '.join(functions)}")
    if is_workload(config["workload"]):  # made in Python
        return config["workload"]
    given = group(config, "workload")
    kind = choice_of("workload.kind", given.get("kind"), functions)
    keys = values_of(given, ("kind", "order", "synchronised", PER_NODE))
    if kind == "all_to_all" and "order" in given:
        processes = check_int("workload.processes", keys["processes"], 2, MAX_PROCESSES)
        order = order_of(given["order"], processes, network)
        found: Workload = order.workload(keys["message_bytes"], keys["iterations"])
    else:
        found = functions[kind](**keys)
    if isinstance(found, PhasedWorkload):
        found = replace(found, synchronised=given["synchronised"])
    return in_groups(found, given[PER_NODE]) if PER_NODE in given else found


def order_of(given: object, processes: int, network: Network | None) -> ExchangeOrder:
    """Return the order that a config names: one by name, that of the network, or one in a file.

    Parameters
    ----------
    given
        The value of `workload.order`.
    processes
        Number of processes.
    network
        The network whose order ``contention_free`` is; None where none can have one.
    """
    if isinstance(given, str) and given in order_names():
        return order_named(given, range(processes))
    if given == CONTENTION_FREE and network is not None:
        order = contention_free_order(network)
    elif isinstance(given, str) and given.endswith(SUFFIX):
        order = read_order(path_of(ORDER, given), ORDER)
    else:
        names = sorted([*order_names(), *([] if network is None else [CONTENTION_FREE])])
        raise InputError(f"{ORDER}={shown(given)}: expected {', '.join(names)}, or a file that ends in {SUFFIX}")
    if order.processes != processes:
        raise InputError(f"{ORDER}={given}: an order of {order.processes} processes; expected {processes}")
    return order


def assigned_design(network: Network, config: Mapping[str, Any]) -> Design:
    """Return the design given in a config, with the `PARTS` among `Family.design_keys`.

    Circuits are pairs or a file, none by default.
    """
    given = group(config, "network")
    parts = {key: PARTS[key] for key in network.family.design_keys if key in PARTS}  # others are of the network itself
    return Design(network, **{key: read(given.get(key), network, config) for key, read in parts.items()})


def _circuits(given: object, network: Network, config: Mapping[str, Any]) -> Circuits:
    if given is None or given == 0:
        return Circuits()
    if isinstance(given, str):
        return read_cross_connects(path_of("network.circuits", given))
    if not isinstance(given, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        raise InputError(
            f"network.circuits={shown(given)}: expected a list of pairs such as [[0,32],[1,33]], or a file of "
            "cross-connects"
        )
    return Circuits(tuple((check_int("network.circuits", a, 0), check_int("network.circuits", b, 0)) for a, b in given))


def _placement(given: object, network: Network, config: Mapping[str, Any]) -> Placement:
    if isinstance(given, list):
        return Placement(tuple(check_int("network.placement", node, 0, network.nodes - 1) for node in given))
    if given == "by_communication":
        from isoplane.search import CircuitSpace  # loaded where a placement is searched for

        variables = dict(network.family.variables)
        variables["placement"] = variables["placement"].within("placement", given)
        return CircuitSpace.of(network, variables, workload_of(config)).placements[0]
    if given in ("by_switch", "free"):  # without a search, processes stay where the scheduler puts them
        return by_switch(network.nodes)
    raise InputError(f"network.placement={shown(given)}: expected by_switch, by_communication, a list of nodes")


PARTS: Mapping[str, Callable[[object, Network, Mapping[str, Any]], Any]] = {
    "circuits": _circuits,
    "placement": _placement,
}
