"""Simulation of a program."""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from pathlib import Path

import numpy as np

from isoplane.models import InputError, MessageList
from isoplane.simulator.flits.message_trace import MAX_TICKS, MessageTrace
from isoplane.simulator.flits.simulation import Simulation
from isoplane.simulator.flits.sliced_run import MAX_MOMENTS, CounterSnapshot, SlicedRun
from isoplane.simulator.traffic.permutations import Nodes, neighbour, reverse, shuffle, tornado
from isoplane.simulator.traffic.traffic import Traffic

from .build import clock_ns, hardware_of, network_of_program
from .patterns import read_messages
from .problems import StatementError
from .program import Program
from .report import ProgramReport, report_of
from .topology import Rdt, Torus
from .units import format_quantity


def destinations(program: Program) -> Nodes | None:
    """Return the destination of every node, or None if the pattern is random.

    Examples
    --------
    >>> from importlib.resources import files
    >>> from dataclasses import replace
    >>> from . import Traffic, read_program
    >>> torus = read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl")
    >>> destinations(replace(torus, traffic=Traffic("Tornado")))[:3].tolist()  # 31 steps ahead in x and in y
    [2015, 2016, 2017]
    """
    pattern, nodes = program.traffic.pattern, program.nodes
    ids: Nodes = np.arange(nodes, dtype=np.int64)
    if pattern == "Complement":
        return np.flip(ids)
    if pattern == "Transpose":
        side = isqrt(nodes)
        return side * (ids % side) + ids // side
    if pattern == "Shuffle":
        return shuffle(nodes)
    if pattern == "BitReverse":
        return reverse(nodes)
    if pattern in ("Tornado", "Neighbour"):
        assert isinstance(program.topology, (Torus, Rdt))  # only these have coordinates
        return (tornado if pattern == "Tornado" else neighbour)(program.topology.shape)
    return None


OnProgress = Callable[[int, int], None]  # receives the number of messages arrived or dropped, and the total; may raise


def interval_ns_of(program: Program) -> Fraction | None:
    """Return the length of the intervals of time series, in ns; None if a program states none."""
    interval = program.simulation_interval
    return None if interval is None else interval.in_clocks(program.frequency_hz) * clock_ns(program)


def traffic_of(program: Program, folder: Path = Path()) -> Traffic | MessageTrace:
    """Return the messages of a program.

    Parameters
    ----------
    program
        The program.
    folder
        Folder of its file, and of its communication pattern file.

    Raises
    ------
    InputError
        If the pattern file does not fit the network, its delays are too long, or no node sends anything.
    """
    if program.pattern_file is not None:
        path = folder / program.pattern_file
        try:
            messages = read_messages(path, program.nodes)
        except OSError as error:
            allowed = f"a readable file; {path}: {error.strerror}"
            raise StatementError("CommunicationPatternFile", f'"{program.pattern_file}"', allowed) from error
        _check_delays(program, messages)
        return MessageTrace(messages, program.processor_performance, program.message_max_count)
    assert program.creation_probability is not None  # guaranteed by `rules.check`
    table = destinations(program)
    if table is not None and (table == range(program.nodes)).all():
        raise StatementError("TrafficPattern", program.traffic.pattern, "a pattern in which nodes send to others")
    hot = program.traffic.pattern == "HotSpot"
    return Traffic(
        pattern="table" if table is not None else "hot_spot" if hot else "uniform",
        interval_ns=clock_ns(program) / program.creation_probability,
        message_bytes=program.message_bytes,
        hot_nodes=(program.traffic.hot_node,) if hot else (),
        hot_share=program.traffic.hot_share,
        max_created=program.message_creation_max,
        max_in_flight=program.message_max_count,
        table=() if table is None else tuple(table.tolist()),
    )


def _check_delays(program: Program, messages: MessageList) -> None:
    """Check that no processor delay exceeds the maximum number of ticks of the engine."""
    longest = int(messages.delay_ps.max(initial=0)) / (1000 * clock_ns(program) * program.processor_performance)
    if longest > MAX_TICKS:
        value = format_quantity(program.processor_performance, "%")
        allowed = f"a percentage at which no delay takes more than {MAX_TICKS} clocks"
        raise StatementError("ProcessorPerformanceExpandRate", value, allowed)


def simulation_of(program: Program, folder: Path = Path()) -> Simulation:
    """Return the simulation of a program at its first tick; folder and errors are those of `traffic_of`."""
    traffic = traffic_of(program, folder)
    return Simulation(network_of_program(program), hardware_of(program), traffic, program.random_seed)


def run_program(program: Program, folder: Path = Path(), on_progress: OnProgress | None = None) -> ProgramReport:
    """Simulate a program until every message has arrived, has been dropped or waits for ever.

    A message waits for ever in a deadlock, or if it depends on a message that was dropped or is deadlocked.

    Parameters
    ----------
    program
        The program.
    folder
        Folder of its file, and of its communication pattern file.
    on_progress
        Called several times per second.

    Raises
    ------
    InputError
        If program and pattern file are inconsistent, or there are too many intervals of time series.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from importlib.resources import files
    >>> from .text.parse import read_program
    >>> program = read_program(files("isoplane.conf") / "programs" / "hypercube-12.ndl")
    >>> report = run_program(replace(program, message_creation_max=100))
    >>> report.messages_arrived, report.messages_dropped
    (100, 0)
    """
    simulation = simulation_of(program, folder)
    return report_of(program, simulation, _run_to_end(simulation, program, on_progress))


def _run_to_end(simulation: Simulation, program: Program, on_progress: OnProgress | None) -> list[CounterSnapshot]:
    """Run a simulation to its end, and return snapshots at the ends of the intervals of the program."""

    def report_progress() -> None:
        if on_progress is not None:
            totals = simulation.totals()
            on_progress(totals["messages_arrived"] + totals["messages_dropped"], simulation.max_messages)

    interval = interval_ns_of(program)
    slices = SlicedRun(simulation, report_progress, interval)
    if interval is None:
        slices.run_to()
        return []
    try:
        slices.run_to()
        return slices.snapshots()
    except InputError as error:
        allowed = f"at most {MAX_MOMENTS} intervals per run"
        raise StatementError("SimulationInterval", str(program.simulation_interval), allowed) from error
