"""Results under possible interpretations of Shibamura et al.: the numbers in docs/insight.md that are not in a figure.

Means over simulations with the seeds 1, 2, ...: the interpretations of wormhole flow control, and buffers of the 2-D
torus under store-and-forward.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean

from isoplane.runs.figures.shibamura.settings import NODES, PUBLISHED_NODES, SETTINGS, programs
from isoplane.simulator import Simulation
from isoplane.simulator.flits.sliced_run import NO_TIME_LIMIT
from isoplane.simulator.language import Program, hardware_of, network_of_program, traffic_of
from isoplane.simulator.language.report import ProgramReport, report_of

HARDWARE_CLOCKS = 2
COLUMNS = (("RDT", 2), ("3-D torus", 2), ("hypercube", 100))  # network, and interval of messages in us


@dataclass(frozen=True)
class Interpretation:
    """An interpretation: clocks of the hardware delay that only the head of a worm needs, and other open parameters."""

    name: str
    head_clocks: int
    buffer_flits: int
    check_flits: int | None = None  # interval between deadlock checks; None: the time of a packet


INTERPRETATIONS = (
    *(
        Interpretation(f"delay of the head, {flits} flit{'s' * (flits > 1)}", HARDWARE_CLOCKS, flits)
        for flits in (1, 2, 3, 4)
    ),
    *(Interpretation(f"1 of the 2 clock cycles for the head only, {flits} flits", 1, flits) for flits in (2, 3)),
    *(Interpretation(f"delay of every flit, {flits} flits", 0, flits) for flits in (2, 4)),
    Interpretation("head, 2 flits, deadlocks found after 512 clock cycles", HARDWARE_CLOCKS, 2, 512),
)


def program_at(figure: str, network: str, interval_us: int, nodes: int) -> Program:
    """Return the program of a point of a figure."""
    points = programs(SETTINGS[figure], nodes)
    return next(program for name, us, program in points if (name, us) == (network, interval_us))


def simulate(program: Program, interpretation: Interpretation | None, seeds: int) -> Iterator[ProgramReport]:
    """Simulate a program with each seed, under an interpretation of its hardware if given."""
    hardware = hardware_of(program)
    if interpretation is not None:
        routing_ns = interpretation.head_clocks * hardware.tick_ns
        check = interpretation.check_flits or hardware.deadlock_check_flits
        hardware = replace(
            hardware, routing_ns=routing_ns, deadlock_check_flits=check, buffer_flits=interpretation.buffer_flits
        )
    network, traffic = network_of_program(program), traffic_of(program)
    for seed in range(1, seeds + 1):
        run = Simulation(network, hardware, traffic, seed)
        run.run(NO_TIME_LIMIT)
        yield report_of(program, run, [])


def latency_ns(program: Program, interpretation: Interpretation | None, seeds: int) -> float:
    """Return the mean latency of packets in the network."""
    return fmean(report.network_latency_ns or 0 for report in simulate(program, interpretation, seeds))


def print_interpretations(nodes: int, seeds: int) -> None:
    """Print the network latencies under all interpretations."""
    print("| interpretation | RDT | 3-D torus | RDT above | hypercube |\n|---|---|---|---|---|")
    for interpretation in INTERPRETATIONS:
        rdt, torus, cube = (latency_ns(program_at("fig5", *column, nodes), interpretation, seeds) for column in COLUMNS)
        above = "yes" if rdt > torus else "no"
        print(f"| {interpretation.name} | {rdt:,.0f} | {torus:,.0f} | {above} | {cube:,.0f} |", flush=True)
    cut_through = (f"{latency_ns(program_at('fig6', *column, nodes), None, seeds):,.0f}" for column in COLUMNS)
    print(f"virtual cut-through: {', '.join(cut_through)}")
    deadlocks = fmean(report.deadlocks for report in simulate(program_at("fig5", "RDT", 2, nodes), None, seeds))
    print(f"deadlocks of the RDT under wormhole at 2 us: {deadlocks:.1f} per run", flush=True)


def print_torus(nodes: int, seeds: int) -> None:
    """Print the effect of larger buffers on the 2-D torus under store-and-forward."""
    for interval_us in (2, 100):
        program = program_at("fig4", "2-D torus", interval_us, nodes)
        for packets in (1, 4):
            variant = replace(program, buffer_bits=packets * program.packet_bits)
            found = list(simulate(variant, None, seeds))
            latency = fmean(report.network_latency_ns or 0 for report in found)
            deadlocks = fmean(report.deadlocks for report in found)
            print(
                f"2-D torus, store-and-forward at {interval_us} us, buffers of {packets} packet{'s' * (packets > 1)}: "
                f"{latency:,.0f} ns, {deadlocks:,.1f} deadlocks per run",
                flush=True,
            )


def main() -> None:
    """Print all numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=3, help="simulations per point")
    parser.add_argument("--nodes", type=int, choices=NODES, default=PUBLISHED_NODES)
    arguments = parser.parse_args()
    print_interpretations(arguments.nodes, arguments.simulations)
    print_torus(arguments.nodes, arguments.simulations)


if __name__ == "__main__":
    main()
