"""Statements with several values: topologies and traffic patterns."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import get_args

from isoplane.models import ConnectionSet, Cube, InputError

from ..problems import StatementError, require_integer
from ..program import Pattern, Traffic
from ..topology import MAX_MM, Graph, Link, Rdt, StatedTopology, Torus, require_room
from ..units import format_quantity
from .values import Statement

TOPOLOGY = "NetworkTopology"
GENERATORS, TILE, LINK = "Generators", "RankTile", "NetworkLink"
TOPOLOGY_STATEMENTS = {GENERATORS: "Hypercube or FoldedHypercube", TILE: "RDT", LINK: "Graph"}
MAX_CUBE = 17
_NAMES = ("Torus", "Mesh", "Hypercube", "FoldedHypercube", "RDT", "Graph")


def read_topology(
    statement: Statement, generators: Statement | None, tile: Statement | None, links: Sequence[Link]
) -> StatedTopology:
    """Return the topology of a statement and its companion statements.

    Parameters
    ----------
    statement
        ``NetworkTopology``.
    generators, tile
        ``Generators`` and ``RankTile``, if given.
    links
        Links of the ``NetworkLink`` statements, in order.

    Raises
    ------
    StatementError
        If a name or a number is invalid.
    """
    name = topology_name(statement)
    if name in ("Torus", "Mesh"):
        sizes = _read_sizes(statement, range(1, max(2, len(statement.words))))
        return Torus(sizes, wraps=name == "Torus")
    if name in ("Hypercube", "FoldedHypercube"):
        return _cube(statement, generators, name == "FoldedHypercube")
    if name == "RDT":
        return _rdt(statement, tile)
    (switches,) = _read_sizes(statement, range(1, 2))
    return Graph(switches, tuple(links))


def topology_name(statement: Statement) -> str:
    """Return the name of the topology in a ``NetworkTopology`` statement.

    Raises
    ------
    StatementError
        If it is unknown.
    """
    allowed = f"{', '.join(_NAMES[:-1])} or {_NAMES[-1]}, and its sizes"
    name = statement.word(0, allowed)
    if name not in _NAMES:
        raise statement.error(0, allowed)
    return name


def read_link(statement: Statement) -> Link:
    """Return the link of a ``NetworkLink`` statement."""
    require_room(statement.occurrence)
    allowed = "two switches and optionally a length, such as 0 1 5m"
    a, b = (statement.integer(argument, allowed) for argument in (0, 1))
    statement.end(3, allowed)
    if len(statement.words) == 2:
        return a, b, 0
    mm = 1000 * statement.measure(2, "length", allowed)
    if mm.denominator != 1 or mm > MAX_MM:
        raise statement.error(2, f"a length of at most {MAX_MM // 1000}m with at most three decimals")
    return a, b, mm.numerator


def topology_words(topology: StatedTopology) -> str:
    """Return the words of a topology in ``NetworkTopology``."""
    if isinstance(topology, Cube):
        return f"{'Folded' if topology.folded else ''}Hypercube {topology.n}"
    if isinstance(topology, Rdt):
        return f"RDT 2 {topology.rank} 1 {_join(topology.shape)}"
    if isinstance(topology, Graph):
        return f"Graph {topology.switches}"
    return f"{topology.name} {_join(topology.shape)}"


def topology_lines(topology: StatedTopology) -> Iterator[str]:
    """Yield the statements of a topology."""
    yield f"({TOPOLOGY} {topology_words(topology)})"
    if isinstance(topology, Cube) and topology.connections != ConnectionSet.unit(topology.n):
        yield f"({GENERATORS} {_join(topology.connections.generators)})"
    if isinstance(topology, Rdt):
        yield f"({TILE} {' '.join(topology.tile)})"
    if isinstance(topology, Graph):
        for a, b, mm in topology.links:
            yield f"({LINK} {a} {b} {format_quantity(Fraction(mm, 1000), 'm')})" if mm else f"({LINK} {a} {b})"


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _read_sizes(statement: Statement, arguments: range) -> tuple[int, ...]:
    """Return the numeric arguments of a topology."""
    sizes = tuple(statement.integer(argument, "a number without a unit, such as 64") for argument in arguments)
    statement.end(arguments.stop, f"{len(arguments)} number{'s' if len(arguments) > 1 else ''}")
    return sizes


def _cube(statement: Statement, generators: Statement | None, folded: bool) -> Cube:
    (n,) = _read_sizes(statement, range(1, 2))
    require_integer(TOPOLOGY, n, 1 + folded, MAX_CUBE, 1)
    if generators is None:
        return Cube(ConnectionSet.unit(n), folded)
    allowed = f"{n} independent numbers from 1 to {(1 << n) - 1}"
    # At least one, so that a statement without values is reported as lacking one.
    values = tuple(generators.integer(argument, allowed) for argument in range(max(1, len(generators.words))))
    for argument, value in enumerate(values):
        if not 1 <= value < 1 << n or argument == n:
            raise generators.error(argument, allowed)
    try:
        return Cube(ConnectionSet.basis(n, values), folded)
    except InputError as error:
        problem = str(error).partition("]: ")[2].partition(";")[0]
        raise StatementError(GENERATORS, _join(values), f"{allowed}; {problem}") from None


def _rdt(statement: Statement, tile: Statement | None) -> Rdt:
    base, rank, multiplicity, width, height = _read_sizes(statement, range(1, 6))
    for argument, number, required in ((1, base, 2), (3, multiplicity, 1)):
        if number != required:
            raise statement.error(argument, f"{required}, because only RDT(2, R, 1) is supported")
    require_integer(TOPOLOGY, rank, 1, 8, 2)
    if tile is None:
        if rank != 4:
            raise statement.error(2, f"4, or {rank} with a {TILE}")
        return Rdt(rank, (width, height))
    allowed = "four rows of four ranks, such as 1443 2312 4314 1223"
    rows = tuple(tile.word(argument, allowed) for argument in range(4))
    tile.end(4, allowed)
    return Rdt(rank, (width, height), rows)


def _read_traffic(statement: Statement) -> Traffic:
    patterns: tuple[Pattern, ...] = get_args(Pattern)
    allowed = " or ".join(patterns)
    name = statement.word(0, allowed)
    pattern = next((pattern for pattern in patterns if pattern == name), None)
    if pattern is None:
        raise statement.error(0, allowed)
    if pattern != "HotSpot":
        statement.end(1, "one pattern")
        return Traffic(pattern)
    allowed = "HotSpot with a node and the percentage of messages that it gets, such as HotSpot 5 20%"
    node, share = statement.integer(1, allowed), statement.measure(2, "percent", allowed)
    statement.end(3, allowed)
    return Traffic(pattern, node, share)


def _write_traffic(traffic: Traffic) -> str:
    if traffic.pattern != "HotSpot":
        return traffic.pattern
    return f"{traffic.pattern} {traffic.hot_node} {format_quantity(traffic.hot_share, '%')}"


TRAFFIC = _read_traffic, _write_traffic
