"""From a composed config to the nouns: space, objective, stop, fleet."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import resources
from typing import Any

from omegaconf import OmegaConf

from isoplane.models import Design, InputError, Network, Site, dual_cube
from isoplane.models.checks import check_int
from isoplane.models.workloads import Workload
from isoplane.objectives import Criterion, Objective
from isoplane.runs.records import design_of_record, layout_from, prices_from, read_record, switch_from, workload_from
from isoplane.search import ConnectionSets, Fleet, Limits, Space, Threads

from .assignments import asks_for_hybrid, assignments_of, hybrid_design_of, hybrid_objective_of, workload_of
from .config_values import group, path_of, shown

# Names that people know, and the exact metrics behind them, which are minimised.
METRIC_NAMES = {
    "aspl": "sum_of_distances",
    "max_traffic": "max_load",
    "cable_length": "cable_length",
    "delay": "delay",
    "delay_paper": "delay_paper",
    "cost": "cost",
}
FAMILIES = ("hypercube", "folded_hypercube")
DEFAULT_SECONDS = 30


def site_of(config: Mapping[str, Any]) -> Site:
    """Return layout, price list and switch model."""
    layout = None if config.get("layout") is None else layout_from(group(config, "layout"))
    return Site(layout, prices_from(group(config, "prices")), switch_from(group(config, "switch")))


def search_space_of(config: Mapping[str, Any]) -> Space:
    """Return the space that a config describes, whatever its network.

    Raises
    ------
    InputError
        If the network is none that can be searched.
    """
    return assignments_of(config) if asks_for_hybrid(config) else space_of(config)


def criterion_of(config: Mapping[str, Any]) -> Criterion:
    """Return the objective that a config describes, whatever its network.

    Raises
    ------
    InputError
        If a metric is unknown, or the objective needs what the config lacks.
    """
    return hybrid_objective_of(config) if asks_for_hybrid(config) else objective_of(config)


def space_of(config: Mapping[str, Any]) -> ConnectionSets:
    """Return the space of connection sets that a config describes.

    Raises
    ------
    InputError
        If the network is none that can be searched.
    """
    network = group(config, "network")
    family = _require_cube(network)
    check_int("network.n", network.get("n"), 2, 16)
    if network.get("planes") != 2:
        raise InputError(f"network.planes={network.get('planes')!r}: allowed is 2")
    if network.get("generators") is not None:
        raise InputError(f"network.generators={network['generators']}: a search finds them; allowed is null")
    site = site_of(config)
    folded = family == "folded_hypercube"
    return ConnectionSets(network["n"], folded, network["nodes_per_switch"], site.layout, site.prices, site.switch)


def _require_cube(network: Mapping[str, Any]) -> object:
    """Return the family of a network of cubes."""
    family = network.get("family")
    if family not in FAMILIES:
        raise InputError(f"network.family={family!r}: allowed are {', '.join(FAMILIES)}, hybrid")
    return family


def design_of(config: Mapping[str, Any]) -> Design:
    """Return the design of the record that is given, or else with the generators or circuits that are given.

    Raises
    ------
    InputError
        If neither is given, or it is no design.
    """
    if config.get("record") is not None:
        return design_of_record(read_record(path_of("record", config["record"])))
    if asks_for_hybrid(config):
        return hybrid_design_of(config)
    network = group(config, "network")
    _require_cube(network)
    generators = network.get("generators")
    if not isinstance(generators, list):
        raise InputError(f"network.generators={shown(generators)}: allowed is a list such as [3,5,7], or record=FILE")
    return Design(cube_of(config, lambda n: generators))


def judged_workload(config: Mapping[str, Any]) -> Workload:
    """Return the workload of the record that is given, or else that of the config.

    Raises
    ------
    InputError
        If there is none.
    """
    if config.get("record") is None:
        return workload_of(config)
    return workload_from(read_record(path_of("record", config["record"]))["workload"])


def cube_of(config: Mapping[str, Any], generators: Callable[[int], Sequence[int]]) -> Network:
    """Return the two planes that a config describes.

    Parameters
    ----------
    config
        The config; its own generators do not count.
    generators
        Those of plane 1, by dimension.

    Raises
    ------
    InputError
        If it is no network.
    """
    space = space_of({**config, "network": {**group(config, "network"), "generators": None}, "layout": None})
    site = site_of(config)
    return dual_cube(
        space.n,
        tuple(generators(space.n)),
        space.folded,
        nodes_per_switch=space.nodes_per_switch,
        layout=site.layout,
        prices=site.prices,
        switch=site.switch,
    )


def objective_of(config: Mapping[str, Any]) -> Objective:
    """Return the objective that a config describes; for a front the product of its metrics ranks the designs.

    Raises
    ------
    InputError
        If a metric is unknown.
    """
    objective = group(config, "objective")
    front = objective.get("metrics")
    components = objective.get("components")
    if front is not None:
        if not isinstance(front, list) or len(front) != 2 or front[0] == front[1]:
            raise InputError(
                f"objective.metrics={front!r}: allowed are two different metrics of {', '.join(METRIC_NAMES)}"
            )
        front = tuple(_exact(name) for name in front)
        components = [objective["metrics"]]
    if not isinstance(components, list) or not all(isinstance(component, list) for component in components):
        raise InputError(f"objective.components={components!r}: allowed is a list of lists of metrics")
    named = tuple(tuple(_exact(name) for name in component) for component in components)
    name = objective.get("name")
    if not isinstance(name, str) or not name:
        raise InputError(f"objective.name={name!r}: allowed is text")
    return Objective(name, named, front)


def named_objective(name: str) -> Objective:
    """Return the objective of a file of conf/objective.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    files = resources.files("isoplane.conf").joinpath("objective")
    file = files.joinpath(f"{name}.yaml")
    if not file.is_file():
        allowed = sorted(entry.name.removesuffix(".yaml") for entry in files.iterdir())
        raise InputError(f"objective={name}: allowed are {', '.join(allowed)}")
    return objective_of({"objective": OmegaConf.to_container(OmegaConf.create(file.read_text(encoding="utf-8")))})


def _exact(name: object) -> str:
    if not isinstance(name, str) or name not in METRIC_NAMES:
        raise InputError(f"objective metric {name!r}: allowed are {', '.join(METRIC_NAMES)}")
    return METRIC_NAMES[name]


def limits_of(config: Mapping[str, Any]) -> Limits:
    """Return the stops; without a limit of evaluations `seconds=auto` is 30.

    Raises
    ------
    InputError
        If a limit is negative, no number or unknown.
    """
    stop = dict(group(config, "stop"))
    if stop.get("seconds") == "auto":
        counted = stop.get("evaluations") is not None or stop.get("stalled") is not None
        stop["seconds"] = None if counted else DEFAULT_SECONDS
    return Limits(**stop)


def seed_of(config: Mapping[str, Any]) -> int:
    """Return the seed.

    Raises
    ------
    InputError
        If it is out of range.
    """
    return check_int("seed", config["seed"], 0, (1 << 64) - 1)


def fleet_of(config: Mapping[str, Any]) -> AbstractContextManager[Fleet]:
    """Return what opens the fleet: threads of this machine, or Ray, which is imported only here.

    Raises
    ------
    InputError
        If it is none of them, or there are no workers.
    """
    fleet = group(config, "fleet")
    workers = check_int("workers", config["workers"], 1, 1024)
    name, address = fleet.get("name"), fleet.get("address")
    if name not in ("local", "ray"):
        raise InputError(f"fleet.name={name!r}: allowed are local, ray")
    if name == "local":
        if address is not None:
            raise InputError(f"fleet.address={address!r}: allowed with fleet=ray only")
        return nullcontext(Threads(workers))
    if address is not None and not isinstance(address, str):
        raise InputError(f"fleet.address={address!r}: allowed is HOST:PORT of a Ray cluster, auto or null")
    from isoplane.fleet.ray import RayFleet

    return RayFleet(workers, address)


def warm_start_of(config: Mapping[str, Any]) -> Design | None:
    """Return the design of the record to start from, if there is one."""
    path = config.get("warm_start")
    return None if path is None else design_of_record(read_record(path_of("warm_start", path)))
