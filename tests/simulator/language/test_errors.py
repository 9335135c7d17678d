"""Every mistake in a program is reported in one line, with line and column."""

import time

import pytest

from isoplane.models import InputError
from isoplane.simulator.language import read_program, topology
from tests.cases import for_each

from .listing import TORUS_PROGRAM, error_message

WIDTH, FREQUENCY = "(NetworkChannelWidth 32bit)", "(NetworkFrequency 50MHz)"
SIZE = "a size such as 32byte, in bit, byte, kbyte, Mbyte, kibyte, Mibyte"
TIME = "a time such as 60nsec, in s, ms, us, ns, ps, sec, msec, usec, nsec, psec"
TIME_OR_CLOCKS = f"{TIME}, or clocks such as 2clock"


@for_each(
    ("old", "new", "expected"),
    [
        # Syntax.
        (WIDTH, "(NetworkChannelWidth 32bit", "3:1: '(' without a ')'; expected (STATEMENT VALUE ...)"),
        (WIDTH, WIDTH + ")", "3:28: ')' without a '('; expected (STATEMENT VALUE ...)"),
        (WIDTH, f"  x{WIDTH}", "3:3: x: outside of parentheses; expected (STATEMENT VALUE ...)"),
        ('"rdt.4096.vct.dof"', '"rdt', "19:17: unmatched quotation mark: expected a string within one line"),
        (WIDTH, "((((((((( )))))))))", "3:9: '(' at level 9: expected at most 8 levels"),
        (WIDTH, f"({1001 * 'x '})", "3:2000: statement of more than 1000 words; expected at most 1000"),
        (WIDTH, "(NetworkChannelWidth\0 32bit)", "3:21: character U+0000: expected printable text"),
        # Statements.
        (WIDTH, "(NetworkChanelWidth 32bit)", "3:2: NetworkChanelWidth: expected NetworkChannelWidth"),
        (WIDTH, "((NetworkChannelWidth) 32bit)", "3:2: (NetworkChannelWidth): expected NetworkChannelWidth"),
        (FREQUENCY, f"{FREQUENCY}\n  {FREQUENCY}", "5:4: NetworkFrequency again: expected one; the first is on line 4"),
        (WIDTH, "", "22:1: NetworkChannelWidth is missing: expected a program that states it"),
        ("(MessageLength 8byte to 32byte)", "", "21:2: MessageLength: expected a length, or a"),
        # Values and their units.
        (WIDTH, "(NetworkChannelWidth)", f"3:2: NetworkChannelWidth: expected {SIZE}"),
        (WIDTH, "(NetworkChannelWidth 32)", f"3:22: NetworkChannelWidth 32: expected {SIZE}"),
        (WIDTH, "(NetworkChannelWidth 32nsec)", f"3:22: NetworkChannelWidth 32nsec: expected {SIZE}"),
        (WIDTH, '(NetworkChannelWidth "32bit")', f'3:22: NetworkChannelWidth "32bit": expected {SIZE}'),
        (WIDTH, "(NetworkChannelWidth 0.5bit)", "3:22: NetworkChannelWidth 0.5bit: expected a whole number of bits"),
        (WIDTH, "(NetworkChannelWidth 0bit)", "3:22: NetworkChannelWidth 0bit: expected 1bit to 65536bit"),
        (WIDTH, "(NetworkChannelWidth 1bit 2)", "3:27: NetworkChannelWidth 2: expected one size with its unit"),
        (FREQUENCY, "(NetworkFrequency 50mhz)", "4:19: NetworkFrequency 50mhz: expected a frequency such as 50MHz, in"),
        (FREQUENCY, "(NetworkFrequency 0MHz)", "4:19: NetworkFrequency 0Hz: expected 1Hz to 1000GHz"),
        ("60nsec", "60", f"7:20: NodeHardwareDelay 60: expected {TIME_OR_CLOCKS}"),
        ("60nsec", "1000001sec", "7:20: NodeHardwareDelay 1000001sec: expected at most 1000000sec"),
        ("60nsec", "1sec", "7:20: NodeHardwareDelay 1sec: expected at least 0 clocks and at most 1000000 at 50MHz"),
        ("1.0%", "1.0", "11:22: MessageCreationRate 1.0: expected a percentage such as 1.0%"),
        ("1.0%", "101%", "11:22: MessageCreationRate 101%: expected above 0% and at most 100%"),
        ("MessageCreationMax 10000", "MessageCreationMax 1e4", "9:21: MessageCreationMax 1e4: expected a number"),
        ("MessageCreationMax 10000", "MessageCreationMax 0", "9:21: MessageCreationMax 0: expected an integer from 1"),
        ("VirtualCutThrough", "CutThrough", "2:20: FlowControlMethod CutThrough: expected StoreAndForward or Wormhole"),
        ('"rdt.4096.vct.dof"', "rdt.dof", "19:17: DataOutputFile rdt.dof: expected a file name in quotation marks,"),
        ('"rdt.4096.vct.dof"', '" "', "19:17: DataOutputFile ' ': expected a file name in printable characters"),
        # Ranges.
        ("8byte to 32byte", "32byte to 8byte", "12:26: MessageLength 32byte to 8byte: expected the shortest length"),
        ("8byte to 32byte", "8byte - 32byte", "12:22: MessageLength -: expected one size, or two sizes with the word"),
        ("8byte to 32byte", "8byte to", f"12:2: MessageLength 8byte to: expected {SIZE}"),
        ("8byte to 32byte", "12bit", "12:16: MessageLength 12bit: expected a whole number of bytes"),
        ("8byte to 32byte", "0byte", "12:16: MessageLength 0byte: expected 1byte to 1073741824byte"),
        ("2usec", "19nsec", "10:26: MessageCreationInterval 19nsec: expected at least 1 clock at 50MHz"),
        # Ranges of the simulator.
        # 16384 flits, and 2^24 flits
        ("Size 256bit)\n(NetworkData", "Size 524288bit)\n(NetworkData", "5:20: NetworkPacketSize 524288bit: expected"),
        (
            "(NodeBufferSize 256bit)",
            "(NodeBufferSize 536870912bit)",
            "8:17: NodeBufferSize 536870912bit: expected 1bit",
        ),
        ("8byte to 32byte", "1byte to 2Mbyte", "12:25: MessageLength 1byte to 2000000byte: expected two lengths that"),
        # Inconsistent sizes.
        ("Size 256bit)\n(NetworkData", "Size 250bit)\n(NetworkData", "5:20: NetworkPacketSize 250bit: expected a"),
        ("192bit", "257bit", "6:18: NetworkDataSize 257bit: expected 1bit to 256bit, the NetworkPacketSize"),
        ("(NodeBufferSize 256bit)", "(NodeBufferSize 16byte)", "8:17: NodeBufferSize 128bit: expected at least"),
        ("(NodeBufferSize 256bit)", "(NodeBufferSize 300bit)", "8:17: NodeBufferSize 300bit: expected a multiple of"),
    ],
)
def test_a_mistake_is_reported_with_line_and_column(old, new, expected):
    assert TORUS_PROGRAM.count(old) == 1
    assert error_message(TORUS_PROGRAM.replace(old, new)).startswith(expected)


@for_each(
    ("changes", "expected"),
    [
        # 10^15 bit/s over 8192 bits, in whole Hz
        ({"Width 32bit": "Width 8192bit", "50MHz": "1000GHz", "PacketSize 256bit": "PacketSize 8192bit"},
         "4:19: NetworkFrequency 1000GHz: expected at most 122070312500Hz at NetworkChannelWidth 8192bit"),
        # plus one clock to receive the flit
        ({"50MHz": "1Hz", "60nsec": "1000000clock"}, "7:20: NodeHardwareDelay 1000000clock: expected at least 0"),
        ({"50MHz": "1Hz", "60nsec": "0sec", "2usec": "10000000000clock", "1usec": "1sec"},
         "10:26: MessageCreationInterval 10000000000clock: expected at most 1000000sec"),
        ({"50MHz": "1Hz", "60nsec": "0sec", "2usec": "1clock", "1usec": "1000001clock"}, "14:21: SimulationInterval"),
        ({"50MHz": "1Hz", "60nsec": "0sec", "(MessageCreationInterval 2usec)": "", "1.0%": "0.00009%", "1usec": "1sec"},
         "11:22: MessageCreationRate 0.00009%: expected at least one message per node in 1000000sec"),
        # 4 m per clock
        ({"Torus 8 8": "Graph 2)(NetworkLink 0 1 4000000.001m"}, "21:43: NetworkLink 0 1 4000000.001m: expected at"),
    ],
)  # fmt: skip
def test_values_that_are_jointly_out_of_range_are_reported_with_line_and_column(changes, expected):
    text = TORUS_PROGRAM
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert error_message(text).startswith(expected)


def test_an_unknown_statement_is_reported_with_a_list_of_all_statements():
    text = error_message("(Colour red)")
    assert text.startswith("1:2: Colour: expected a statement: NetworkTopology, Generators, RankTile, NetworkLink, ")
    assert text.endswith(", DataOutputFile, ScreenOutputFile")


@for_each(
    ("text", "expected"),
    [
        (b"", "1:1: NetworkTopology is missing: expected a program that states it"),
        (b"()", "1:1: (): expected a statement: "),
        (b"; \xe7\xb6\xb2\n (\xff)", "2:3: byte 0xff: expected text in UTF-8"),
        (b"; ok\n\x00", "2:1: character U+0000: expected printable text"),
        (b"\xed\xa0\x80", "1:1: byte 0xed: expected text in UTF-8"),
        ("\ud800", "1:1: character U+D800: expected printable text"),
        (b"(" * 10**6, "1:9: '(' at level 9: expected at most 8 levels"),
        (b"\n" * (1 << 24) + b"x", "1:1: 16777217 bytes: expected at most 16777216"),
        (b"(MessageMaxCount " + b"9" * 10**5 + b")", f"1:18: MessageMaxCount {'9' * 40}...: expected a number "),
        (b"(NetworkFrequency " + b"9" * 10**5 + b"Hz)", f"1:19: NetworkFrequency {'9' * 40}...: expected a frequency "),
        (b"(" + b"x" * 10**7, "1:1: '(' without a ')'"),
        ("(\u202e)", "1:2: \\u202e: expected a statement: "),
    ],
)
def test_a_text_that_is_not_a_program_is_rejected_quickly(text, expected):
    start = time.thread_time()
    assert error_message(text).startswith(expected)
    assert time.thread_time() - start < 3


def test_an_invalid_file_is_named(tmp_path):
    path = tmp_path / "empty.ndl"
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"empty\.ndl:1:1: NetworkTopology is missing"):
        read_program(path)


TORUS = "(NetworkTopology Torus 8 8)"
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
        ("(NetworkTopology Torus 1024 1024 2)", "21:34: NetworkTopology 2: expected a network of at most 1048576"),
        (f"(NetworkTopology Torus{' 2' * 17})", "21:24: NetworkTopology of 17 sizes: expected 1 to 16 sizes"),
        ("(NetworkTopology Hypercube 3 3)", "21:30: NetworkTopology 3: expected 1 number"),
        ("(NetworkTopology FoldedHypercube 1)", "21:34: NetworkTopology 1: expected an integer from 2 to 17"),
        ("(NetworkTopology Hypercube 3)(Generators 3 5 6)", "21:42: Generators 3 5 6: expected 3 independent numbers"),
        ("(NetworkTopology Hypercube 3)(Generators 3 5 8)", "21:46: Generators 8: expected 3 independent numbers from"),
        (TORUS + "(Generators 1)", "21:29: Generators: expected NetworkTopology Hypercube or FoldedHypercube with it"),
        (TORUS + "(NetworkLink 0 1)", "21:29: NetworkLink: expected NetworkTopology Graph with it"),
        ("(NetworkTopology RDT 3 4 1 8 8)", "21:22: NetworkTopology 3: expected 2, because only RDT(2, R, 1) is"),
        ("(NetworkTopology RDT 2 3 1 8 8)", "21:24: NetworkTopology 3: expected 4, or 3 with a RankTile"),
        ("(NetworkTopology RDT 2 4 1 8 6)", "21:30: NetworkTopology 6: expected a multiple of 4 from 4 to 1024"),
        ("(NetworkTopology RDT 2 4 1 8 4)", "21:30: NetworkTopology 4: expected 8, a square torus"),
        ("(NetworkTopology RDT 2 2 1 8 8)(RankTile 1212 2121 1212 2123)", "21:57: RankTile 2123: expected a row of"),
        ("(NetworkTopology RDT 2 2 1 8 8)(RankTile 1211 2121 1211 2121)", "21:52: RankTile 1211: expected 1112, which"),
        ("(NetworkTopology RDT 2 2 1 8 8)(RankTile 1111 1111 1111 1111)", "21:42: RankTile 1111 1111 1111 1111:"),
        # Graphs.
        (RING.replace("1 2)", "1 3)"), "23:16: NetworkLink 3: expected an integer from 0 to 2"),
        (RING.replace("1 2)", "1 1)"), "23:16: NetworkLink 1 1: expected a link between two different switches"),
        (RING.replace("1 2)", "1 0)"), "23:14: NetworkLink 1 0: expected at most one link between two switches"),
        (RING.replace("1 2)", "1 2 5)"), "23:18: NetworkLink 5: expected two switches and optionally a length, such"),
        (RING.replace("1 2)", "1 2 0.0005m)"), "23:18: NetworkLink 0.0005m: expected a length of at most 10000000m"),
        (RING.replace("Graph 3", "Graph 5"), "21:24: NetworkTopology Graph 5: expected a connected network; no route"),
        ("(NetworkTopology Graph 1)", "21:24: NetworkTopology Graph 1: expected a network of at least 2 switches"),
        # Choices incompatible with the network.
        (TORUS + "(RoutingAlgorithm VectorRouting)", "21:46: RoutingAlgorithm VectorRouting: expected DimensionOrder"),
        ("(NetworkTopology Torus 256 256)(RoutingAlgorithm UpDown)", "21:50: RoutingAlgorithm UpDown: expected at"),
        ("(NetworkTopology Mesh 256 256)", "21:2: RoutingAlgorithm DimensionOrder: expected at most 16384 switches"),
        (TORUS + "(VirtualChannels 17)", "21:45: VirtualChannels 17: expected an integer from 1 to 16"),
        (TORUS + "(DateLines yes)", "21:39: DateLines yes: expected Yes or No"),
        (TORUS + "(DateLines Yes)", "21:39: DateLines Yes: expected No, except with VirtualChannels 2 or more"),
        ("(NetworkTopology Mesh 8 8)(VirtualChannels 2)(DateLines Yes)", "21:57: DateLines Yes: expected No, except"),
        (TORUS + "(HopClasses Yes)", "21:40: HopClasses Yes: expected No, except with RoutingAlgorithm ShortestPath"),
        (TORUS + "(NetworkCableDelay 1clock)", f"21:47: NetworkCableDelay 1clock: expected {TIME}"),
        (TORUS + "(TrafficPattern Random)", f"21:44: TrafficPattern Random: expected {PATTERNS}"),
        (TORUS + "(TrafficPattern HotSpot 5)", f"21:29: TrafficPattern HotSpot 5: expected {HOT_SPOT}"),
        (TORUS + "(TrafficPattern HotSpot 64 20%)", "21:52: TrafficPattern 64: expected an integer from 0 to 63"),
        ("(NetworkTopology Torus 6 8)(TrafficPattern Shuffle)", "21:44: TrafficPattern Shuffle: expected another"),
        ("(NetworkTopology Torus 4 8)(TrafficPattern Transpose)", "21:44: TrafficPattern Transpose: expected another"),
        ("(NetworkTopology Hypercube 4)(TrafficPattern Tornado)", "21:46: TrafficPattern Tornado: expected a pattern"),
        (TORUS + "(RandomSeed 9223372036854775808)", "21:40: RandomSeed 9223372036854775808: expected an integer from"),
    ],
)
def test_a_mistake_in_a_topology_or_a_choice_is_reported_with_line_and_column(statements, expected):
    assert error_message(TORUS_PROGRAM.replace(TORUS, statements)).startswith(expected)


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
