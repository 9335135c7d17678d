"""From a composed config to what is simulated."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np

from isoplane.models import ConnectionSet, Fabric, FabricPlane, InputError, Network, Wiring, evenly, fabric_of
from isoplane.models.checks import check_int, exact_number, millimetres
from isoplane.models.network import MAX_NODES_PER_SWITCH
from isoplane.models.routing import Routes, channel_cycle, describe_cycle, mesh_order, torus_order, vector_routing
from isoplane.models.topologies import mesh, rdt, torus
from isoplane.runs.records import network_of, read_record
from isoplane.simulator import Hardware, Listed, Precision, Scenario, Traffic
from isoplane.simulator.language import DeadlockRecovery, Program, StatementError, interval_ns_of, output_names, placed
from isoplane.simulator.traffic import PATTERNS

from .config_values import group, path_of, shown
from .message_files import listed_from
from .program_files import parts_of, program_of
from .setup import FAMILIES, cube_of, seed_of, site_of

IDENTICAL = "identical"
AUTO = tuple(Fraction(part, 10) for part in (1, 3, 5, 7, 8, 9, 10, 11))  # of the likely limit
DIGITS, FEWEST_STEPS = 1000, 100  # loads of `auto` are multiples of 10^-3, or finer where the limit is below 0.1


@dataclass(frozen=True, eq=False)
class Case:
    """What is simulated, at which loads.

    Attributes
    ----------
    loads
        Ascending; None alone where messages come as a program says.
    tolerance
        Of the saturation throughput; None where that is not asked for.
    network
        A cube, with which the results are compared; None for other families.
    program
        What is run as it is.
    """

    scenario: Scenario
    loads: tuple[Fraction, ...] | tuple[None]
    tolerance: Fraction | None
    network: Network | None
    program: Program | None = None


def precision_of(config: Mapping[str, Any]) -> Precision:
    """Return how well runs are measured.

    Raises
    ------
    InputError
        If a value is out of range or unknown.
    """
    limits = {key: value for key, value in group(config, "measurement").items() if key != "tolerance"}
    return Precision(**_known({"measurement": limits}, "measurement", Precision))


def case_of(config: Mapping[str, Any]) -> Case:
    """Return what a config describes.

    Raises
    ------
    InputError
        If a value is out of range or the parts do not fit together.
    """
    if config.get("program") is not None and config.get("record") is not None:
        raise InputError(f"program={config['program']}, record={config['record']}: allowed is one of them")
    if config.get("program") is None:
        return _case(config)
    with placed(path_of("program", config["program"])):
        return _case(config)


def _case(config: Mapping[str, Any]) -> Case:
    if not isinstance(config["saturation"], bool):
        raise InputError(f"saturation={shown(config['saturation'])}: allowed is true or false")
    tolerance = exact_number("measurement.tolerance", group(config, "measurement").get("tolerance"), high=1, above=True)
    precision = precision_of(config)
    fabric, hardware, traffic, network, own = _parts(config)
    interval_ns, seed = (own[key] if config[key] is None else config[key] for key in ("interval_ns", "seed"))
    scenario = Scenario(
        fabric,
        hardware,
        traffic,
        precision,
        _pairs(config["pairs"], fabric.nodes),
        None if interval_ns is None else exact_number("interval_ns", interval_ns, above=True),
        watch_deadlock=_can_lock(fabric, hardware, in_program="program" in own),
        seed=seed_of({"seed": seed}),
    )
    as_it_is = config["loads"] == "auto" and (config["program"] is not None or config["messages"] is not None)
    saturation = config["saturation"] and not as_it_is
    if saturation and isinstance(traffic, Traffic) and traffic.most_created is not None:
        raise InputError(
            f"saturation=true, traffic.most_created={traffic.most_created}: so many messages saturate nothing; allowed "
            f"is saturation=false with them"
        )
    loads = (None,) if as_it_is else _loads(config["loads"], scenario)
    scenario.simulation(loads[-1])  # says what does not fit before anything is written
    return Case(scenario, loads, tolerance if saturation else None, network, own.get("program") if as_it_is else None)


def _parts(
    config: Mapping[str, Any],
) -> tuple[Fabric, Hardware, Traffic | Listed, Network | None, Mapping[str, Any]]:
    """Return fabric, hardware, traffic, the cube if it is one, and what holds where the config leaves it open."""
    if config.get("program") is not None:
        path = path_of("program", config["program"])
        program = program_of(path)
        output_names(program)  # says what is no name
        for note in program.notes:
            print(f"{path}: {note}", file=sys.stderr)
        parts = parts_of(program, path, as_it_is=config["loads"] == "auto")
        return *parts, None, {"interval_ns": interval_ns_of(program), "seed": program.random_seed, "program": program}
    network = _cube(config)
    fabric = fabric_of(network) if network is not None else _fabric(group(config, "network"))
    switch = network.site.switch if network is not None else site_of(config).switch
    hardware = Hardware(**_known(config, "hardware", Hardware, without=("switch",)), switch=switch)
    listed = config["messages"] is not None
    traffic = listed_from(path_of("messages", config["messages"]), fabric.nodes) if listed else _traffic(config)
    return fabric, hardware, traffic, network, {"interval_ns": None, "seed": 1}


def _cube(config: Mapping[str, Any]) -> Network | None:
    """Return the network of a record or of a cube's config, None for other families."""
    if config.get("record") is not None:
        return network_of(read_record(path_of("record", config["record"])))
    network = group(config, "network")
    if network.get("family") not in FAMILIES:
        return None
    generators = network.get("generators")
    if generators == IDENTICAL:
        return cube_of(config, lambda n: ConnectionSet.unit(n).generators)
    if not isinstance(generators, list):
        raise InputError(
            f"network.generators={shown(generators)}: allowed is a list such as [3,5,7], {IDENTICAL}, or record=FILE"
        )
    return cube_of(config, lambda n: generators)


def _fabric(network: Mapping[str, Any]) -> Fabric:
    """Return the fabric of a torus, a mesh or a recursive diagonal torus, with cables of one length."""
    family = network.get("family")
    if not isinstance(family, str) or family not in BUILDERS:
        raise InputError(f"network.family={family!r}: allowed are {', '.join([*FAMILIES, *BUILDERS])}")
    try:
        name, wiring, routes = BUILDERS[family](network)
    except InputError as error:
        raise InputError(f"network.{error}") from error
    cable_mm = np.where(wiring.peer >= 0, millimetres("network.cable_m", network.get("cable_m")), 0)
    node_cable_m = network.get("node_cable_m")
    node_cable_mm = None if node_cable_m is None else millimetres("network.node_cable_m", node_cable_m)
    nodes_per_switch = check_int("network.nodes_per_switch", network.get("nodes_per_switch"), 1, MAX_NODES_PER_SWITCH)
    if node_cable_mm is None and nodes_per_switch != 1:
        raise InputError(
            f"network.nodes_per_switch={nodes_per_switch}: allowed is 1 in a direct network, whose nodes have no cables"
        )
    plane = FabricPlane(wiring, routes, cable_mm, evenly(wiring.switches, nodes_per_switch))
    return Fabric(name, (plane,), node_cable_mm)


def _torus(network: Mapping[str, Any]) -> tuple[str, Wiring, Routes]:
    shape: Any = network.get("shape")  # what it must be, the topology says
    datelines = network.get("datelines")
    if not isinstance(datelines, bool):
        raise InputError(f"datelines={shown(datelines)}: allowed is true or false")
    wiring = torus(shape)
    return f"torus {_times(shape)}", wiring, torus_order(shape, datelines)


def _mesh(network: Mapping[str, Any]) -> tuple[str, Wiring, Routes]:
    shape: Any = network.get("shape")
    wiring = mesh(shape)
    return f"mesh {_times(shape)}", wiring, mesh_order(shape)


def _rdt(network: Mapping[str, Any]) -> tuple[str, Wiring, Routes]:
    side: Any = network.get("side")
    wiring = rdt(side)
    return f"rdt {_times((side, side))}", wiring, vector_routing(side)


def _times(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


BUILDERS = {"torus": _torus, "mesh": _mesh, "rdt": _rdt}


def _known(config: Mapping[str, Any], name: str, kind: type, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a group whose keys must be fields of a class."""
    values = group(config, name)
    allowed = [field.name for field in fields(kind) if field.name not in without]
    for key in values:
        if key not in allowed:
            raise InputError(f"{name}.{key}: unknown; allowed are {', '.join(allowed)}")
    return values


def _traffic(config: Mapping[str, Any]) -> Traffic:
    """Return the traffic, whose load is replaced later."""
    values = dict(_known(config, "traffic", Traffic, without=("load", "interval_ns", "table")))
    for name in ("message_bytes", "hot_nodes"):
        if isinstance(values.get(name), list):
            values[name] = tuple(values[name])
    allowed = [pattern for pattern in PATTERNS if pattern != "table"]  # that is for Python: `messages` says who sends
    if values.get("pattern", "uniform") not in allowed:
        raise InputError(f"traffic.pattern={shown(values['pattern'])}: allowed are {', '.join(allowed)}")
    return Traffic(**values, load=1)


def _pairs(pairs: object, nodes: int) -> tuple[tuple[int, int], ...]:
    if not isinstance(pairs, list):
        raise InputError(f"pairs={shown(pairs)}: allowed is a list of pairs of nodes such as [[0,5]]")
    found = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"pairs: {pair!r}; allowed are pairs of two nodes such as [0,5]")
        found.append((check_int("pairs", pair[0], 0, nodes - 1), check_int("pairs", pair[1], 0, nodes - 1)))
    return tuple(dict.fromkeys(found))


def _loads(loads: object, scenario: Scenario) -> tuple[Fraction, ...]:
    """Return the loads in ascending order."""
    if loads == "auto":
        limit, digits = scenario.likely_limit(), DIGITS
        while limit * digits < FEWEST_STEPS:
            digits *= 10
        rounded = (Fraction(round(part * limit * digits), digits) for part in AUTO)
        return tuple(dict.fromkeys(min(load, scenario.most_offered) for load in rounded))
    if not isinstance(loads, list) or not loads:
        raise InputError(f"loads={shown(loads)}: allowed is auto or a list such as [0.1,0.5]")
    most = int(2 * scenario.most_sent)
    for load in loads:
        exact_number("loads", load, high=most, above=True)
    return tuple(sorted({scenario.exact_load(load) for load in loads}))


def _can_lock(fabric: Fabric, hardware: Hardware, *, in_program: bool) -> bool:
    """Whether packets can wait for each other in a circle, which a program or the config must allow for then."""
    for plane in fabric.planes:
        rule = plane.routes.channels
        if rule is not None:
            check_int("hardware.virtual_channels", hardware.virtual_channels, rule.classes)
        cycle = channel_cycle(plane.wiring, plane.routes, hardware.virtual_channels)
        if cycle is not None and hardware.deadlock == "report" and in_program:
            allowed = f"Drop, for {describe_cycle(cycle)}"
            raise StatementError("DeadlockRecovery", DeadlockRecovery.REPORT, allowed)
        if cycle is not None and hardware.deadlock == "report":
            raise InputError(
                f"hardware.deadlock=report: {describe_cycle(cycle)}; allowed are routes without circles, such as those "
                f"with datelines and at least 2 virtual channels, or hardware.deadlock=drop"
            )
        if cycle is not None:
            return True
    return False
