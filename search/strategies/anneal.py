"""Simulated annealing in any space with native annealing chains."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_int

from ..core.chain_setup import ChainKind
from ..core.chain_strategy import ChainStrategy
from ..core.strategy import Task
from .temperatures import convert_number, convert_range


@dataclass(frozen=True)
class Anneal(ChainStrategy):
    """Runs annealing chains from the starting designs of a space, each in cooling cycles of growing length.

    A move is accepted with probability min(1, exp(-ΔE / T)). The initial temperature of a cycle is drawn log-uniformly
    from [coolest, hottest] and falls by the factor `fall`. Moves, energy E and temperatures depend on the space.

    *Connection sets.* A move changes one or two coordinates of a generator, adds a generator to another or, where a
    layout distinguishes coordinates, exchanges two of them. E is the first component of the score relative to that of
    the identical planes, plus 0.02 of each later one. Cycles start from random, quasi-cyclic or good bases; those from
    quasi-cyclic bases move whole orbits of a random symmetry.

    *Circuits.* Chains start from the designs of all rules, in turn. A move shifts one endpoint of a circuit to another
    node of its group or to any free port, exchanges endpoints of two circuits, adds or removes a circuit, connects the
    endpoints of a message, reassigns the circuits between two groups or, where placements are free, exchanges the nodes
    of two processes. E is the first component of the score plus 0.02 of each later one plus 0.2 of the 8-norm of the
    busy times of links and circuits, each relative to the start of the chain; every second cycle starts from the best
    design of its chain. If the objective is (bottleneck, total) and the placement is fixed, E is the sum of the 8th
    powers of the busy times of links and circuits (of the 24th in every second chain), relative to the shortest
    bottleneck time so far; T falls from 0.4 to 0.02 in every cycle, half of the moves begin at a busiest link, and only
    the messages that a move affects are rerouted: `coolest`, `hottest` and `fall` are then unused. If the placement is
    fixed, the chains pause once, after a few rounds, for a few seconds: integer programs are solved, with a fixed
    effort, for a lower bound on the bottleneck time (`prove_bound`).

    *Connection sets under a workload.* Moves are those of connection sets. Chains minimise sums of the loads that the
    messages put on links, level by level; for completions, the fluid model then chooses among their best designs: see
    docs/algorithms.md.

    *Regular graphs.* A move exchanges the mates of two pairs of ends of edges, or changes a voltage, for groups of
    symmetries in turn. With limits, or cables in the objective, it exchanges mates or the places of two switches. By
    loads and functions it exchanges mates, and the network is evaluated anew after every move.
    `coolest`, `hottest` and `fall` are unused: see docs/algorithms.md.

    *Relabelled planes.* A move exchanges the places of two switches in a plane or, for `structured` chains, changes an
    automorphism of Z4^a × Z2^b that gives the places; every second cycle starts from the best design of its chain.
    `coolest`, `hottest` and `fall` are unused. With limits, and for all but distances and loads, all planes
    are evaluated anew after every move.

    Parameters
    ----------
    chains
        Number of chains, independent of the number of workers; the default strategy for circuits has 4, for graphs
        and relabelled planes 2.
    coolest, hottest
        Range of the temperature at which a cycle begins. For connection sets it is relative to the score of the
        identical planes; `hottest` is by default 0.02 if the first component or a limit depends on cables, else
        0.22 · 2^(-n/2), because the steps of a sum of distances are finer in larger cubes; `coolest` is a sixteenth of
        it. For circuits the default is 0.002 to 0.2, and under a workload 0.002 to 0.05, relative to the start.
    fall
        Ratio of the temperatures at the beginning and the end of a cycle; by default 10, for circuits and under a
        workload 20.
    first_leg
        Number of evaluations of the first cycles of a chain; by default 16 · 2^n, for circuits and under a workload
        2000, for graphs 4000, by cables or with limits 20,000, for relabelled planes 20,000, for linear ones 50,000,
        wherever the network is evaluated anew 300.
    growth
        Factor by which cycles grow: for connection sets every five cycles, for circuits every cycle, for graphs every
        pass and for relabelled planes every cycle, by 1.5 at least.
    structured
        For connection sets: omit phases 1 and 2 (random bases, best design); phases 3 to 5 remain (see
        docs/algorithms.md); not under a workload; has no effect if the score depends only on cables. For relabelled
        planes: places linear over Z4 and GF(2) only, or for loads over GF(2), where distances depend on the XOR of the
        ids of switches alone, as in cubes; required for loads.

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi, Optimization by Simulated Annealing, 1983.

    Examples
    --------
    >>> Anneal().name
    'anneal'
    """

    name: ClassVar[str] = "anneal"

    coolest: float | None = None
    hottest: float | None = None
    fall: float | None = None
    first_leg: int | None = None
    growth: float = 1.2
    structured: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first_leg is not None:
            check_int("strategy.first_leg", self.first_leg, 16, 1 << 40)
        convert_range(self, "coolest", "hottest")
        for name in ("fall", "growth"):
            if getattr(self, name) is not None:
                convert_number(self, name, 1)
        check_bool("strategy.structured", self.structured)

    def check(self, task: Task) -> None:
        """Do nothing: of a front, annealing finds one design."""


def walk_kinds(
    settings: Sequence[object], kind: ChainKind, varied: str, structured: ChainKind | None = None
) -> tuple[ChainKind, ...] | None:
    """Return the kinds of walks whose temperatures are fixed; None if any settings belong to another strategy.

    Parameters
    ----------
    settings
        Those of each walk.
    kind
        The walk, with its temperatures, its ``first_leg`` by default, and its least ``growth``.
    varied
        What is searched, for errors.
    structured
        The walk of structured chains, if there is one.

    Raises
    ------
    InputError
        If a parameter is given that has no effect: a temperature, or `structured` without such a walk.
    """
    chosen = [strategy for strategy in settings if isinstance(strategy, Anneal)]
    if len(chosen) < len(settings):
        return None
    for strategy in chosen:
        for name in ("coolest", "hottest", "fall"):
            if (value := getattr(strategy, name)) is not None:
                raise InputError(f"strategy.{name}={value}: has no effect on a search of {varied}; expected null")
        if strategy.structured and structured is None:
            raise InputError(f"strategy.structured=true: has no effect on a search of {varied}; expected false")
    return tuple(_with_cycles(each, structured if each.structured and structured else kind) for each in chosen)


def _with_cycles(strategy: Anneal, kind: ChainKind) -> ChainKind:
    """Return the kind of a walk with the cycles that are given."""
    default = dict(kind.settings)
    first_leg, growth = strategy.first_leg or default["first_leg"], max(strategy.growth, default["growth"])
    return kind._replace(settings=tuple((default | {"first_leg": first_leg, "growth": growth}).items()))
