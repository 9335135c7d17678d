"""Fuzzed programs: mutations of shipped ones, and random sequences of words. The sequence depends only on the seed."""

import re
from collections.abc import Iterator
from importlib import resources
from random import Random

from isoplane.models import InputError
from isoplane.simulator.language import hardware_of, parse_program, write_program
from isoplane.simulator.language.text.statements import STATEMENT_NAMES
from isoplane.simulator.language.units import UNITS

from .listing import LISTING

_GRAPH = """\
(NetworkTopology Graph 4)
(NetworkLink 0 1 5m)
(NetworkLink 1 2)
(NetworkLink 2 3 0.5m)
(RoutingAlgorithm ShortestPath)
(TrafficPattern HotSpot 1 20%)
(ProcessorPerformanceExpandRate 50%)
(CommunicationPatternFile "a.cpf")
"""
_CUBE = "(NetworkTopology FoldedHypercube 3)\n(Generators 3 5 7)\n(NetworkCableDelay 4.5ns)\n"
_RDT = "(NetworkTopology RDT 2 2 1 8 8)\n(RankTile 1212 2121 1212 2121)\n(RandomSeed 7)\n"
_TORUS = "(NetworkTopology Torus 4 4)\n(VirtualChannels 2)\n(DateLines Yes)\n(DeadlockRecovery Report)\n"
_MESH = "(NetworkTopology Mesh 3 3)\n(RoutingAlgorithm ShortestPath)\n(VirtualChannels 4)\n(HopClasses Yes)\n"
PARTS = (_GRAPH, _CUBE, _RDT, _TORUS, _MESH)

_TOKEN = re.compile(r'[()]|"[^"\n]*"|;[^\n]*|\s+|[^\s()";]+')
_ODD_WORDS = (
    *("1e999999999", "9" * 30, "9" * 5000, "0" * 400 + "1", "-1", "+1", "0", "1", "2", "1048576", "1048577", "0x10"),
    *("0.000000000001", "0.0000000000001", ".5", "5.", "1.2.3", "NaN", "inf", "1/3", "50", "%", "50%%", "٣", "１", "²"),
    *("to", "Yes", "No", "Torus", "Mesh", "Hypercube", "FoldedHypercube", "RDT", "Graph", "1443", "12124"),
    *(
        '"',
        '""',
        '"a b"',
        "\0",
        "\ufeff",
        "\u202e",
        "\ud800",
        "网",
        "(((((((((",
        ")",
        "(",
        ";",
        "\r",
        "\n",
        "\x85",
        "\\",
    ),
)
_UNITS = tuple(UNITS)


def shipped() -> list[str]:
    """The texts to mutate: shipped programs, the published listing, and one with the remaining statements."""
    files = sorted((resources.files("isoplane.conf") / "programs").iterdir(), key=lambda file: file.name)
    programs = [file.read_text(encoding="utf-8") for file in files if file.name.endswith(".ndl")]
    return [*programs, *(LISTING + part for part in PARTS)]


def fuzzed(seed: int, programs: int) -> Iterator[str | bytes]:
    """Yield programs, the same ones for the same seed."""
    random = Random(seed)
    texts = shipped()
    mutations = (
        _mutate_bytes,
        _mutate_tokens,
        _mutate_tokens,
        _mutate_statements,
        _mutate_statements,
        _mutate_number,
        _mutate_number,
        _random_tokens,
    )
    for _ in range(programs):
        text: str | bytes = random.choice(texts)
        for _ in range(random.choice((1, 1, 1, 2, 5))):
            mutate = random.choice(mutations)
            text = mutate(random, text if isinstance(text, str) else text.decode("utf-8", "replace"))
        yield text


def is_valid(text: str | bytes) -> bool:
    """Whether a text is a program; a valid program must also survive a round trip and have hardware.

    Any exception other than a one-line `InputError` is a bug, and propagates to the caller.
    """
    try:
        program = parse_program(text, "fuzzed")
    except InputError as error:
        message = str(error)
        assert re.match(r"fuzzed:\d+:\d+: .+expected .+\Z", message), message
        assert len(message) < 1000, message
        assert message.isprintable(), message
        return False
    assert parse_program(write_program(program)) == program
    assert hardware_of(program).packet_flits == program.packet_flits
    return True


def _mutate_bytes(random: Random, text: str) -> bytes:
    """Change, drop or insert some bytes."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(random.choice((1, 2, 10))):
        position = random.randrange(len(data) + 1)
        kind = random.randrange(4)
        data[position : position + (kind != 0)] = random.randbytes(1) if kind != 1 else b""
        if kind == 3:
            del data[position : position + random.randrange(60)]
    return bytes(data)


def _word(random: Random) -> str:
    """A random word of the language."""
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(_ODD_WORDS)
    if kind == 1:
        return random.choice(STATEMENT_NAMES)
    return f"{random.choice(('0', '1', '2', '3', '8', '16', '32.5', '256', '10000'))}{random.choice(_UNITS)}"


def _mutate_tokens(random: Random, text: str) -> str:
    """Replace, repeat, drop or swap some tokens."""
    tokens = _TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 2, 8))):
        position = random.randrange(len(tokens)) if tokens else 0
        other = random.randrange(len(tokens)) if tokens else 0
        new = random.choice(([], [_word(random)], tokens[other : other + 1], [" ", _word(random), " "]))
        tokens[position : position + random.randrange(2)] = new
    return "".join(tokens)


def _mutate_statements(random: Random, text: str) -> str:
    """Drop, repeat, swap, nest, copy or change some statements."""
    lines = text.split("\n")
    others = random.choice(PARTS).split("\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        position = random.randrange(len(lines)) if lines else 0
        line = lines[position] if lines else ""
        name = random.choice(STATEMENT_NAMES)
        values = " ".join(_word(random) for _ in range(random.randrange(4)))
        new = random.choice(
            (
                [],
                [line, line],
                [f"({line})"],
                [random.choice(others)],
                [line, f"({name} {values})"],
                [f"({name} {line})"],
            )
        )
        lines[position : position + 1] = new
    random.shuffle(lines)
    return "\n".join(lines)


def _mutate_number(random: Random, text: str) -> str:
    """Change one number, but not its unit: the mutation that most often gives a valid program."""
    found = list(re.finditer(r"\d+", text))
    if not found:
        return text
    number = random.choice(found)
    new = random.choice(
        ("0", "1", "2", "3", "4", "64", "512", "1048576", number[0] + "0", number[0] * 9, "0" + number[0])
    )
    return text[: number.start()] + new + text[number.end() :]


def _random_tokens(random: Random, text: str) -> str:
    """A random sequence of tokens, with some from the text."""
    own = _TOKEN.findall(text) or [" "]
    return "".join(
        random.choice(("(", ")", " ", " ", "\n", _word(random), random.choice(own)))
        for _ in range(random.randrange(80))
    )
