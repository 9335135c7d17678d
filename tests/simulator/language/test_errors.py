"""Every mistake in a program is reported in one line, with line and column."""

import time

import pytest

from isoplane.models import InputError
from isoplane.simulator.language import read_program
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
        (
            '"rdt.4096.vct.dof"',
            '"rdt',
            "19:17: unmatched quotation mark: expected a string within one line",
        ),
        (WIDTH, "((((((((( )))))))))", "3:9: '(' at level 9: expected at most 8 levels"),
        (WIDTH, f"({1001 * 'x '})", "3:2000: statement of more than 1000 words; expected at most 1000"),
        (WIDTH, "(NetworkChannelWidth\0 32bit)", "3:21: character U+0000: expected printable text"),
        # Statements.
        (WIDTH, "(NetworkChanelWidth 32bit)", "3:2: NetworkChanelWidth: expected NetworkChannelWidth"),
        (WIDTH, "((NetworkChannelWidth) 32bit)", "3:2: (NetworkChannelWidth): expected NetworkChannelWidth"),
        (
            FREQUENCY,
            f"{FREQUENCY}\n  {FREQUENCY}",
            "5:4: NetworkFrequency again: expected one; the first is on line 4",
        ),
        (WIDTH, "", "22:1: NetworkChannelWidth is missing: expected a program that states it"),
        (
            "(MessageLength 8byte to 32byte)",
            "",
            "21:2: MessageLength: expected a length, or a CommunicationPatternFile",
        ),
        # Values and their units.
        (WIDTH, "(NetworkChannelWidth)", f"3:2: NetworkChannelWidth: expected {SIZE}"),
        (WIDTH, "(NetworkChannelWidth 32)", f"3:22: NetworkChannelWidth 32: expected {SIZE}"),
        (WIDTH, "(NetworkChannelWidth 32nsec)", f"3:22: NetworkChannelWidth 32nsec: expected {SIZE}"),
        (WIDTH, '(NetworkChannelWidth "32bit")', f'3:22: NetworkChannelWidth "32bit": expected {SIZE}'),
        (WIDTH, "(NetworkChannelWidth 0.5bit)", "3:22: NetworkChannelWidth 0.5bit: expected a whole number of bits"),
        (WIDTH, "(NetworkChannelWidth 0bit)", "3:22: NetworkChannelWidth 0bit: expected 1bit to 65536bit"),
        (
            WIDTH,
            "(NetworkChannelWidth 1bit 2)",
            "3:27: NetworkChannelWidth 2: expected one size with its unit attached",
        ),
        (
            FREQUENCY,
            "(NetworkFrequency 50mhz)",
            "4:19: NetworkFrequency 50mhz: expected a frequency such as 50MHz, in Hz, kHz, MHz, GHz",
        ),
        (FREQUENCY, "(NetworkFrequency 0MHz)", "4:19: NetworkFrequency 0Hz: expected 1Hz to 1000GHz"),
        ("60nsec", "60", f"7:20: NodeHardwareDelay 60: expected {TIME_OR_CLOCKS}"),
        ("60nsec", "1000001sec", "7:20: NodeHardwareDelay 1000001sec: expected at most 1000000sec"),
        (
            "60nsec",
            "1sec",
            "7:20: NodeHardwareDelay 1sec: expected at least 0 clocks and at most 1000000 at 50MHz",
        ),
        ("1.0%", "1.0", "11:22: MessageCreationRate 1.0: expected a percentage such as 1.0%"),
        ("1.0%", "101%", "11:22: MessageCreationRate 101%: expected above 0% and at most 100%"),
        (
            "MessageCreationMax 10000",
            "MessageCreationMax 1e4",
            "9:21: MessageCreationMax 1e4: expected a number without a unit, such as 10000",
        ),
        (
            "MessageCreationMax 10000",
            "MessageCreationMax 0",
            "9:21: MessageCreationMax 0: expected an integer from 1 to 2147483648",
        ),
        (
            "VirtualCutThrough",
            "CutThrough",
            "2:20: FlowControlMethod CutThrough: expected StoreAndForward or Wormhole or VirtualCutThrough",
        ),
        (
            '"rdt.4096.vct.dof"',
            "rdt.dof",
            '19:17: DataOutputFile rdt.dof: expected a file name in quotation marks, such as "results.csv"',
        ),
        (
            '"rdt.4096.vct.dof"',
            '" "',
            "19:17: DataOutputFile ' ': expected a file name in printable characters without quotation marks",
        ),
        # Ranges.
        (
            "8byte to 32byte",
            "32byte to 8byte",
            "12:26: MessageLength 32byte to 8byte: expected the shortest length first",
        ),
        (
            "8byte to 32byte",
            "8byte - 32byte",
            "12:22: MessageLength -: expected one size, or two sizes with the word to between them",
        ),
        ("8byte to 32byte", "8byte to", f"12:2: MessageLength 8byte to: expected {SIZE}"),
        ("8byte to 32byte", "12bit", "12:16: MessageLength 12bit: expected a whole number of bytes"),
        ("8byte to 32byte", "0byte", "12:16: MessageLength 0byte: expected 1byte to 1073741824byte"),
        (
            "2usec",
            "19nsec",
            "10:26: MessageCreationInterval 19nsec: expected at least 1 clock at 50MHz",
        ),
        # Ranges of the simulator.
        (
            "Size 256bit)\n(NetworkData",
            "Size 524288bit)\n(NetworkData",  # 16384 flits
            "5:20: NetworkPacketSize 524288bit: expected at most 16383 times NetworkChannelWidth 32bit",
        ),
        (
            "(NodeBufferSize 256bit)",
            "(NodeBufferSize 536870912bit)",  # 2^24 flits
            "8:17: NodeBufferSize 536870912bit: expected 1bit to 536870880bit",
        ),
        (
            "8byte to 32byte",
            "1byte to 2Mbyte",
            "12:25: MessageLength 1byte to 2000000byte: expected two lengths that differ by at most 1048576byte",
        ),
        # Inconsistent sizes.
        (
            "Size 256bit)\n(NetworkData",
            "Size 250bit)\n(NetworkData",
            "5:20: NetworkPacketSize 250bit: expected a multiple of NetworkChannelWidth 32bit",
        ),
        (
            "192bit",
            "257bit",
            "6:18: NetworkDataSize 257bit: expected 1bit to 256bit, the NetworkPacketSize",
        ),
        (
            "(NodeBufferSize 256bit)",
            "(NodeBufferSize 16byte)",
            "8:17: NodeBufferSize 128bit: expected at least 256bit, a packet, under VirtualCutThrough",
        ),
        (
            "(NodeBufferSize 256bit)",
            "(NodeBufferSize 300bit)",
            "8:17: NodeBufferSize 300bit: expected a multiple of NetworkChannelWidth 32bit",
        ),
    ],
)
def test_a_mistake_is_reported_with_line_and_column(old, new, expected):
    assert TORUS_PROGRAM.count(old) == 1
    assert error_message(TORUS_PROGRAM.replace(old, new)) == expected


@for_each(
    ("changes", "expected"),
    [
        (
            {"Width 32bit": "Width 8192bit", "50MHz": "1000GHz", "PacketSize 256bit": "PacketSize 8192bit"},
            # 10^15 bit/s over 8192 bits, in whole Hz
            "4:19: NetworkFrequency 1000GHz: expected at most 122070312500Hz at NetworkChannelWidth 8192bit",
        ),
        (
            {"50MHz": "1Hz", "60nsec": "1000000clock"},  # plus one clock to receive the flit
            "7:20: NodeHardwareDelay 1000000clock: expected at least 0 clocks and at most 999999 at 1Hz",
        ),
        (
            {"50MHz": "1Hz", "60nsec": "0sec", "2usec": "10000000000clock", "1usec": "1sec"},
            "10:26: MessageCreationInterval 10000000000clock: expected at most 1000000sec",
        ),
        (
            {"50MHz": "1Hz", "60nsec": "0sec", "2usec": "1clock", "1usec": "1000001clock"},
            "14:21: SimulationInterval 1000001clock: expected at most 1000000sec",
        ),
        (
            {
                "50MHz": "1Hz",
                "60nsec": "0sec",
                "(MessageCreationInterval 2usec)": "",
                "1.0%": "0.00009%",
                "1usec": "1sec",
            },
            "11:22: MessageCreationRate 0.00009%: expected at least one message per node in 1000000sec",
        ),
        (
            {"Torus 8 8": "Graph 2)(NetworkLink 0 1 4000000.001m"},  # 4 m per clock
            "21:43: NetworkLink 0 1 4000000.001m: expected at most 4000000m, 1000000 clocks",
        ),
    ],
)
def test_values_that_are_jointly_out_of_range_are_reported_with_line_and_column(changes, expected):
    text = TORUS_PROGRAM
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert error_message(text) == expected


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
        (
            b"(NetworkFrequency " + b"9" * 10**5 + b"Hz)",
            f"1:19: NetworkFrequency {'9' * 40}...: expected a frequency ",
        ),
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
