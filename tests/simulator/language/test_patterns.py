"""Communication pattern files are parsed exactly, and mistakes are reported with line and column."""

import time
from contextlib import suppress
from importlib import resources
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.simulator.language import parse_messages, read_messages
from tests.cases import for_each

HEADER = "CommunicationPattern 1\n"
ID, LINE = "0 to 2147483647", "ID SOURCE DESTINATION BYTES [after ID,ID,...] [delay TIME]"
IDS = "ids of messages, separated by commas without spaces, such as 3,5"
TIME = "a time of at most 1000000sec in whole psec, such as 2usec, in s, ms, us, ns, ps, sec, msec, usec, nsec, psec"


def error_message(text, nodes=4):
    with pytest.raises(InputError) as caught:
        parse_messages(text, nodes, "a.cpf")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("a.cpf:")


def test_a_file_gives_messages_in_its_order_with_dependencies_as_indices():
    text = f"\ufeff# a file\r\n\r\n{HEADER}  7 0 1 8 # the first\n3\t1 0 16 delay 1.5nsec after 9,7\n9 2 3 1\n"
    messages = parse_messages(text.encode(), 4)
    assert messages.source.tolist() == [0, 1, 2]
    assert messages.destination.tolist() == [1, 0, 3]
    assert messages.length_bytes.tolist() == [8, 16, 1]
    assert messages.delay_ps.tolist() == [0, 1500, 0]
    assert messages.dependency_start.tolist() == [0, 0, 2, 2]
    assert messages.dependency.tolist() == [2, 0]


def test_the_shipped_pattern_reduces_and_broadcasts_to_7_nodes():
    with resources.as_file(resources.files("isoplane.conf") / "programs" / "sum-8.cpf") as path:
        messages = read_messages(path, 8)
    assert (messages.messages, messages.nodes) == (14, 8)
    # A message depends only on messages to its source.
    for message in range(14):
        predecessors = messages.dependency[messages.dependency_start[message] : messages.dependency_start[message + 1]]
        assert set(messages.destination[predecessors].tolist()) <= {int(messages.source[message])}


@for_each(
    ("text", "expected"),
    [
        ("", "1:1: nothing: expected CommunicationPattern 1"),
        ("0 0 1 8\n", "1:1: 0 0 1: expected CommunicationPattern 1"),
        ("\n  CommunicationPattern 2", "2:3: CommunicationPattern 2: expected CommunicationPattern 1"),
        (HEADER, f"2:1: no message: expected {LINE}"),
        (HEADER + "x 0 1 8", f"2:1: id x: expected an integer from {ID}"),
        (HEADER + "0 0 1 8\n 0 0 1 8", "3:2: id 0 again: expected one; the first is on line 2"),
        (HEADER + "0 4 1 8", "2:3: source 4: expected an integer from 0 to 3"),
        (HEADER + "0 1 -1 8", "2:5: destination -1: expected an integer from 0 to 3"),
        (HEADER + "0 1 1 8", "2:5: destination 1: expected a node other than the source"),
        (HEADER + "0 0 1", f"2:6: bytes is missing: expected {LINE}"),
        (HEADER + "0 0 1 0", "2:7: bytes 0: expected an integer from 1 to 1073741824"),
        (HEADER + "0 0 1 " + 10**5 * "9", f"2:7: bytes {40 * '9'}...: expected an integer from 1 to 1073741824"),
        (HEADER + "0 0 1 8 before 1", f"2:9: before: expected {LINE}"),
        (HEADER + "0 0 1 8 delay 1s delay 1s", f"2:18: delay: expected {LINE}"),
        (HEADER + "0 0 1 8 after", f"2:14: after: expected {IDS}"),
        (HEADER + "0 0 1 8 after 1,,2", f"2:17: after: expected {IDS}"),
        (HEADER + "0 0 1 8 after 1,1", "2:15: after 1,1: expected distinct ids"),
        (HEADER + "0 0 1 8\n1 0 1 8 after 00,5", "3:18: after 5: expected the id of a message"),
        (HEADER + "0 0 1 8 delay", f"2:14: delay: expected {TIME}"),
        (HEADER + "0 0 1 8 delay 0.1psec", f"2:15: delay 0.1psec: expected {TIME}"),
        (HEADER + "0 0 1 8 delay 1000001s", f"2:15: delay 1000001s: expected {TIME}"),
        (HEADER + "0 0 1 8 after 0", "2:15: message 0 after 0: expected no cycle"),
        (HEADER + "9 0 1 8\n5 0 1 8 delay 1s after 9,6\n6 0 1 8 after 7\n7 0 1 8 after 5", "3:26: message 5 after 6"),
        (HEADER.encode() + b"0 0 1 8 # \xff", "2:11: byte 0xff: expected text in UTF-8"),
        (HEADER + "0 0\0 1 8", "2:4: character U+0000: expected printable text"),
    ],
)
def test_a_mistake_is_reported_with_line_and_column(text, expected):
    assert error_message(text).startswith(expected)


def test_a_long_cycle_is_abbreviated():
    lines = [f"{k} 0 1 8 after {(k + 1) % 100}\n" for k in range(100)]
    message = error_message(HEADER + "".join(lines))
    assert message == "2:15: message 0 after 1 after 2 after 3 after ... after 99 after 0: expected no cycle"


@given(st.integers(0, 10**6))
def test_every_mutated_file_is_valid_or_rejected_in_one_line(seed):
    random = Random(seed)
    file = resources.files("isoplane.conf") / "programs" / "sum-8.cpf"
    data = bytearray(file.read_bytes())
    for _ in range(20):
        position = random.randrange(len(data))
        data[position : position + random.randrange(3)] = random.choice(
            (b"", b"0", b",", b" ", b"\n", random.randbytes(1))
        )
    for text in (bytes(data), bytes(data).decode("latin-1")):
        with suppress(InputError):
            assert parse_messages(text, 8, "fuzzed").messages > 0
            continue
        assert error_message(text, 8).isprintable()


def test_thirty_thousand_messages_are_read_in_seconds():
    lines = "".join(f"{k} {k % 8} {(k + 1) % 8} 64 {f'after {k - 1} ' if k else ''}delay 5ns\n" for k in range(30_000))
    start = time.thread_time()
    assert parse_messages(HEADER + lines, 8).messages == 30_000
    assert time.thread_time() - start < 10
