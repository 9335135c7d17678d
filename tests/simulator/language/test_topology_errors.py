"""Every mistake in a topology or a choice is reported with line and column."""

import time

from isoplane.simulator.language import topology
from tests.cases import for_each

from .listing import TORUS_PROGRAM, error_message

TORUS = "(NetworkTopology Torus 8 8)"
TIME = "a time such as 60nsec, in s, ms, us, ns, ps, sec, msec, usec, nsec, psec"
TOPOLOGIES = "Torus, Mesh, Hypercube, FoldedHypercube, RDT or Graph, and its sizes"
RING = "(NetworkTopology Graph 3)\n(NetworkLink 0 1)\n(NetworkLink 1 2)\n"
HOT_SPOT = "HotSpot with a node and the percentage of messages that it gets, such as HotSpot 5 20%"
PATTERNS = "Uniform or Complement or BitReverse or Transpose or Shuffle or Tornado or Neighbour or HotSpot"


@for_each(
    ("statements", "expected"),
    [
        # Topologies.
        ("(NetworkTopology)", f"21:2: NetworkTopology: expected {TOPOLOGIES}"),
        ("(NetworkTopology Ring 8)", f"21:18: NetworkTopology Ring: expected {TOPOLOGIES}"),
        ("(NetworkTopology Torus)", "21:2: NetworkTopology Torus: expected a number without a unit, such as 64"),
        ("(NetworkTopology Mesh 8 1)", "21:25: NetworkTopology 1: expected an integer from 2 to 1048576"),
        (
            "(NetworkTopology Torus 1024 1024 2)",
            "21:34: NetworkTopology 2: expected a network of at most 1048576 switches",
        ),
        (f"(NetworkTopology Torus{' 2' * 17})", "21:24: NetworkTopology of 17 sizes: expected 1 to 16 sizes"),
        ("(NetworkTopology Hypercube 18)", "21:28: NetworkTopology 18: expected an integer from 1 to 17"),
        ("(NetworkTopology Hypercube 3 3)", "21:30: NetworkTopology 3: expected 1 number"),
        ("(NetworkTopology FoldedHypercube 1)", "21:34: NetworkTopology 1: expected an integer from 2 to 17"),
        (
            "(NetworkTopology Hypercube 3)(Generators 3 5 6)",
            "21:42: Generators 3 5 6: expected 3 independent numbers from 1 to 7; not a basis, since 6 = 3 ^ 5",
        ),
        (
            "(NetworkTopology Hypercube 3)(Generators 3 5 8)",
            "21:46: Generators 8: expected 3 independent numbers from 1 to 7",
        ),
        (
            TORUS + "(Generators 1)",
            "21:29: Generators: expected NetworkTopology Hypercube or FoldedHypercube with it",
        ),
        (TORUS + "(NetworkLink 0 1)", "21:29: NetworkLink: expected NetworkTopology Graph with it"),
        (
            "(NetworkTopology RDT 3 4 1 8 8)",
            "21:22: NetworkTopology 3: expected 2, because only RDT(2, R, 1) is supported",
        ),
        ("(NetworkTopology RDT 2 3 1 8 8)", "21:24: NetworkTopology 3: expected 4, or 3 with a RankTile"),
        ("(NetworkTopology RDT 2 4 1 8 6)", "21:30: NetworkTopology 6: expected a multiple of 4 from 4 to 1024"),
        ("(NetworkTopology RDT 2 4 1 8 4)", "21:30: NetworkTopology 4: expected 8, a square torus"),
        (
            "(NetworkTopology RDT 2 2 1 8 8)(RankTile 1212 2121 1212 2123)",
            "21:57: RankTile 2123: expected a row of four ranks from 1 to 2",
        ),
        (
            "(NetworkTopology RDT 2 2 1 8 8)(RankTile \ufeff1212 2121 1212 2121)",
            "21:42: RankTile \\ufeff1212: expected a row of four ranks from 1 to 2",
        ),
        (
            "(NetworkTopology RDT 2 2 1 8 8)(RankTile 1211 2121 1211 2121)",
            "21:52: RankTile 1211: expected 1112, which is row 0 rotated by two",
        ),
        (
            "(NetworkTopology RDT 2 2 1 8 8)(RankTile 1111 1111 1111 1111)",
            "21:42: RankTile 1111 1111 1111 1111: expected a tile that also has rank 2",
        ),
        # Graphs.
        (RING.replace("1 2)", "1 3)"), "23:16: NetworkLink 3: expected an integer from 0 to 2"),
        (RING.replace("1 2)", "1 1)"), "23:16: NetworkLink 1 1: expected a link between two different switches"),
        (RING.replace("1 2)", "1 0)"), "23:14: NetworkLink 1 0: expected at most one link between two switches"),
        (
            RING.replace("1 2)", "1 2 5)"),
            "23:18: NetworkLink 5: expected two switches and optionally a length, such as 0 1 5m",
        ),
        (
            RING.replace("1 2)", "1 2 5m 6m)"),
            "23:21: NetworkLink 6m: expected two switches and optionally a length, such as 0 1 5m",
        ),
        (
            RING.replace("1 2)", "1 2 0.0005m)"),
            "23:18: NetworkLink 0.0005m: expected a length of at most 10000000m with at most three decimals",
        ),
        (
            RING.replace("Graph 3", "Graph 5"),
            "21:24: NetworkTopology Graph 5: expected a connected network; no route from switch 0 to switch 3",
        ),
        ("(NetworkTopology Graph 1)", "21:24: NetworkTopology Graph 1: expected a network of at least 2 switches"),
        ("(NetworkTopology Graph 1048577)", "21:24: NetworkTopology 1048577: expected an integer from 1 to 1048576"),
        # Choices incompatible with the network.
        (
            TORUS + "(RoutingAlgorithm VectorRouting)",
            "21:46: RoutingAlgorithm VectorRouting: expected DimensionOrder or ShortestPath or UpDown in a torus",
        ),
        (
            "(NetworkTopology Torus 256 256)(RoutingAlgorithm UpDown)",
            "21:50: RoutingAlgorithm UpDown: expected at most 16384 switches for this routing, which needs a table",
        ),
        (
            "(NetworkTopology Mesh 256 256)",
            "21:2: RoutingAlgorithm DimensionOrder: expected at most 16384 switches for this routing, which needs a "
            "table",
        ),
        (TORUS + "(VirtualChannels 17)", "21:45: VirtualChannels 17: expected an integer from 1 to 16"),
        (TORUS + "(DateLines yes)", "21:39: DateLines yes: expected Yes or No"),
        (TORUS + "(DateLines Yes)", "21:39: DateLines Yes: expected No, except with VirtualChannels 2 or more"),
        (
            "(NetworkTopology Mesh 8 8)(VirtualChannels 2)(DateLines Yes)",
            "21:57: DateLines Yes: expected No, except with DimensionOrder in a torus or VectorRouting in an RDT",
        ),
        (TORUS + "(HopClasses Yes)", "21:40: HopClasses Yes: expected No, except with RoutingAlgorithm ShortestPath"),
        (TORUS + "(HopClasses 2)", "21:40: HopClasses 2: expected Yes or No"),
        (TORUS + "(NetworkCableDelay 1clock)", f"21:47: NetworkCableDelay 1clock: expected {TIME}"),
        (TORUS + "(TrafficPattern Random)", f"21:44: TrafficPattern Random: expected {PATTERNS}"),
        (TORUS + "(TrafficPattern HotSpot 5)", f"21:29: TrafficPattern HotSpot 5: expected {HOT_SPOT}"),
        (
            TORUS + "(TrafficPattern HotSpot 64 20%)",
            "21:52: TrafficPattern 64: expected an integer from 0 to 63",
        ),
        (
            "(NetworkTopology Torus 6 8)(TrafficPattern Shuffle)",
            "21:44: TrafficPattern Shuffle: expected another pattern, as 48 is not a power of two",
        ),
        (
            "(NetworkTopology Torus 4 8)(TrafficPattern Transpose)",
            "21:44: TrafficPattern Transpose: expected another pattern, as 32 is not a square",
        ),
        (
            "(NetworkTopology Hypercube 4)(TrafficPattern Tornado)",
            "21:46: TrafficPattern Tornado: expected a pattern for a network without coordinates",
        ),
        (
            TORUS + "(RandomSeed 9223372036854775808)",
            "21:40: RandomSeed 9223372036854775808: expected an integer from 0 to 9223372036854775807",
        ),
    ],
)
def test_a_mistake_is_reported_with_line_and_column(statements, expected):
    assert error_message(TORUS_PROGRAM.replace(TORUS, statements)) == expected


def test_the_largest_network_without_links_is_rejected_quickly():
    start = time.thread_time()
    text = TORUS_PROGRAM.replace("Torus 8 8", "Graph 1048576")
    assert error_message(text).endswith("no route from switch 0 to switch 1")
    assert time.thread_time() - start < 3


def test_too_many_links_are_rejected_at_the_first_surplus_one(monkeypatch):
    monkeypatch.setattr(topology, "MAX_LINKS", 3)
    links = "(NetworkLink 0 1)" * 3
    text = TORUS_PROGRAM.replace(TORUS, f"{links}\n (NetworkLink 0 1)\n(NetworkTopology Graph 2)")
    assert error_message(text) == "22:3: NetworkLink once more: expected at most 3 links"


def test_a_switch_with_too_many_links_in_a_large_network_is_rejected():
    links = "".join(f"(NetworkLink 0 {other})\n" for other in range(1, 5000))
    text = TORUS_PROGRAM.replace(TORUS, f"(NetworkTopology Graph 5000)\n{links}")
    expected = "21:24: NetworkTopology Graph 5000: expected at most 3355 links per switch; one has 4999"
    assert error_message(text) == expected
