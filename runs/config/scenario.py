"""From a composed config to the scenario and the loads of a simulation."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

from isoplane.models import InputError, Network, Plane
from isoplane.models.checks import check_bool, check_int, exact_number, shown
from isoplane.models.deadlock.cycles import channel_cycle, describe_cycle, detour_channel_cycle
from isoplane.models.planes.detours import Detours
from isoplane.models.planes.route_walk import Link
from isoplane.runs.simulations.link_unit import hardware_for
from isoplane.runs.terminal.messages import print_message
from isoplane.simulator import Hardware, MessageTrace, Precision, Scenario, Traffic
from isoplane.simulator.flits.plan import detours_of, region_nodes, require_channels
from isoplane.simulator.language import (
    Program,
    StatementError,
    interval_ns_of,
    notes,
    output_names,
    placed,
)
from isoplane.simulator.traffic.traffic import PATTERNS

from ..inputs.program_files import listed_from, parts_of, program_of
from .assignments import workload_of
from .config_values import group, path_of, plain, values_of
from .placements import on_nodes
from .setup import seed_of

AUTO = tuple(Fraction(part, 10) for part in (1, 3, 5, 7, 8, 9, 10, 11))  # fractions of the estimated saturation load
DIGITS, MIN_STEPS = 1000, 100  # loads of `auto` are multiples of 10^-3, or of a finer step if the limit is below 0.1


@dataclass(frozen=True, eq=False)
class SimulationCase:
    """A scenario and the loads at which it is simulated.

    Attributes
    ----------
    loads
        In ascending order; (None,) if a program, a file of messages or a workload says what is sent.
    tolerance
        Tolerance of the saturation throughput; None if it is not searched for.
    program
        The program to run unchanged, if any.
    workload
        Name of the workload whose messages are sent, if any.
    """

    scenario: Scenario
    loads: tuple[Fraction, ...] | tuple[None]
    tolerance: Fraction | None
    program: Program | None = None
    workload: str | None = None


def precision_of(config: Mapping[str, Any]) -> Precision:
    """Return the precision of the measurements."""
    return Precision(**_fields_of(config, "measurement", Precision, apart=("tolerance",)))


def case_of(config: Mapping[str, Any], network: Network | None) -> SimulationCase:
    """Return the case that a config describes.

    Parameters
    ----------
    config
        The composed config.
    network
        The network; None for that of a program.
    """
    if config.get("program") is not None and config.get("record") is not None:
        raise InputError(f"program={config['program']}, record={config['record']}: expected one of them")
    if config.get("program") is None:
        return _case(config, network)
    with placed(path_of("program", config["program"])):
        return _case(config, None)


def _case(config: Mapping[str, Any], network: Network | None) -> SimulationCase:
    as_written = _creates_messages_as_written(config)
    saturation = not as_written and check_bool("saturation", config["saturation"])
    tolerance = _tolerance(config) if saturation else None
    # A run to its end needs no precision of measurements.
    precision = precision_of(plain(config) if as_written else config)
    network, hardware, traffic, defaults = _parts(config, network, as_written=as_written)
    interval_ns, seed = (defaults[key] if config[key] is None else config[key] for key in ("interval_ns", "seed"))
    scenario = Scenario(
        network,
        hardware,
        traffic,
        precision,
        _pairs(config["pairs"], network.nodes),
        None if interval_ns is None else exact_number("interval_ns", interval_ns, above=True),
        check_deadlock=_can_deadlock(network, hardware, in_program="program" in defaults),
        seed=seed_of({"seed": seed}),
    )
    if saturation and isinstance(traffic, Traffic) and traffic.max_created is not None:
        raise InputError(
            f"saturation=true, traffic.max_created={traffic.max_created}: a limited number of messages does not "
            "saturate a network; expected saturation=false"
        )
    loads = (None,) if as_written else _loads(config["loads"], scenario)
    scenario.new_simulation(loads[-1])  # raises errors before anything is written
    program = defaults.get("program") if as_written else None
    return SimulationCase(scenario, loads, tolerance, program, defaults.get("workload"))


def _creates_messages_as_written(config: Mapping[str, Any]) -> bool:
    """Whether messages have their own creation times, and a run ends with the last of them: a program without loads."""
    if config.get("program") is not None:
        return bool(config["loads"] == "auto")
    return config.get("messages") is not None or config.get("workload") is not None


def _tolerance(config: Mapping[str, Any]) -> Fraction:
    given = group(config, "measurement").get("tolerance")
    return exact_number("measurement.tolerance", given, high=1, above=True)


def _parts(
    config: Mapping[str, Any], network: Network | None, *, as_written: bool
) -> tuple[Network, Hardware, Traffic | MessageTrace, Mapping[str, Any]]:
    """Return network, hardware, traffic, and the defaults of options that the config leaves open."""
    if network is None:
        path = path_of("program", config["program"])
        program = program_of(path)
        output_names(program)  # raises an error for invalid names
        for note in notes(program):
            print_message(f"{path}: {note}")
        parts = parts_of(program, path, as_written=as_written)
        return *parts, {"interval_ns": interval_ns_of(program), "seed": program.random_seed, "program": program}
    hardware = hardware_for(network, _fields_of(config, "hardware", Hardware, excluded=("switch",)))
    defaults = {"interval_ns": None, "seed": 1}
    if config["messages"] is not None:
        return network, hardware, listed_from(path_of("messages", config["messages"]), network.nodes), defaults
    if config.get("workload") is not None:
        workload = on_nodes(workload_of(config, network), config, network)
        messages = workload.scaled(check_int("shorten", config["shorten"], 1)).message_list()
        return network, hardware, MessageTrace(messages), {**defaults, "workload": workload.name}
    return network, hardware, _traffic(config, network), defaults


def _fields_of(
    config: Mapping[str, Any], name: str, kind: type, excluded: tuple[str, ...] = (), apart: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a group, without the keys `apart`, after checking that the others are fields of a class."""
    values = values_of(group(config, name), apart)
    allowed = [field.name for field in fields(kind) if field.name not in excluded]
    for key in values:
        if key not in allowed:
            raise InputError(f"{name}.{key}: unknown; expected {', '.join(allowed)}")
    return values


def _traffic(config: Mapping[str, Any], network: Network) -> Traffic:
    """Return the traffic, whose load is replaced later."""
    values = _fields_of(config, "traffic", Traffic, excluded=("load", "interval_ns", "table"))
    for name in ("message_bytes", "hot_nodes", "pair"):
        if isinstance(values.get(name), list):
            values[name] = tuple(values[name])
    allowed = [
        pattern for pattern in PATTERNS if pattern != "table"
    ]  # "table" is for Python; `messages` takes its place here
    if values.get("pattern", "uniform") not in allowed:
        raise InputError(f"traffic.pattern={shown(values['pattern'])}: expected {', '.join(allowed)}")
    if values.get("pattern") == "group_shift" and values.get("group_nodes") is None:
        values["group_nodes"] = region_nodes(network)
    return Traffic(**values, load=1)


def _pairs(pairs: object, nodes: int) -> tuple[tuple[int, int], ...]:
    if not isinstance(pairs, list):
        raise InputError(f"pairs={shown(pairs)}: expected a list of pairs of nodes such as [[0,5]]")
    found = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"pairs: {pair!r}; expected pairs of two nodes such as [0,5]")
        found.append((check_int("pairs", pair[0], 0, nodes - 1), check_int("pairs", pair[1], 0, nodes - 1)))
    return tuple(dict.fromkeys(found))


def _loads(loads: object, scenario: Scenario) -> tuple[Fraction, ...]:
    """Return the loads in ascending order."""
    if loads == "auto":
        limit, digits = scenario.saturation_guess(), DIGITS
        while limit * digits < MIN_STEPS:
            digits *= 10
        rounded = (Fraction(round(part * limit * digits), digits) for part in AUTO)
        return tuple(dict.fromkeys(min(load, scenario.max_offered) for load in rounded))
    if not isinstance(loads, list) or not loads:
        raise InputError(f"loads={shown(loads)}: expected auto or a list such as [0.1,0.5]")
    max_load = ceil(2 * scenario.max_sent)
    for load in loads:
        exact_number("loads", load, high=max_load, above=True)
    return tuple(sorted({scenario.exact_load(load) for load in loads}))


def _can_deadlock(network: Network, hardware: Hardware, *, in_program: bool) -> bool:
    """Whether deadlock is possible; a program or the config must then state how it is handled."""
    detours = detours_of(network, hardware)
    for number, plane in enumerate(network.planes):
        cycle = _channel_cycle(plane, None if detours is None else detours[number], hardware)
        if cycle is not None and hardware.deadlock == "report" and in_program:
            allowed = f"Drop, for {describe_cycle(cycle, network.family.names, number)}"
            raise StatementError("DeadlockRecovery", "Report", allowed)
        if cycle is not None and hardware.deadlock == "report":
            raise InputError(
                f"hardware.deadlock=report: {describe_cycle(cycle, network.family.names, number)}; expected "
                "deadlock-free routes, for example datelines with at least 2 virtual channels, or "
                "hardware.deadlock=drop"
            )
        if cycle is not None:
            return True
    return False


def _channel_cycle(plane: Plane, detours: Detours | None, hardware: Hardware) -> list[Link] | None:
    """Return a cycle of channel dependencies of a plane, if any."""
    rule = plane.routes.channels if detours is None else detours.channels
    if rule is not None:
        require_channels(rule, hardware)
    if detours is None:
        return channel_cycle(plane.topology, plane.routes, hardware.virtual_channels)
    return detour_channel_cycle(plane.topology, plane.routes, detours, hardware.virtual_channels)
