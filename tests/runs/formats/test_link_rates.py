"""Rates in listings: every one is in the import and determines times; those below the others are named."""

import random
import re
from fractions import Fraction

import pytest

from isoplane.runs.imports.discovery.link_rate import LANE_GBPS, LANES, LinkRate
from isoplane.runs.imports.discovery.part_rates import slow_link_lines
from tests.cases import for_each, require_refusal
from tests.runs.formats.fabrics import discovery_text, dump_text

from .import_sources import planes_of

# Data rates of four lanes in Gbit/s as vendors state them, and what OpenSM calls a lane.
FOUR_LANES = {"SDR": 8, "DDR": 16, "QDR": 32, "FDR10": 40, "FDR": 54.5, "EDR": 100, "HDR": 200, "NDR": 400, "XDR": 800}
OPENSM = {"SDR": "2.5", "DDR": "5", "QDR": "10", "FDR": "14", "EDR": "25", "HDR": "50", "NDR": "100"}
RATES = [f"{lanes}x{speed}" for lanes in (1, 4) for speed in OPENSM]


def test_rates_are_those_that_vendors_state():
    for speed, gbps in FOUR_LANES.items():
        assert float(LinkRate(4, speed).gbps) == pytest.approx(gbps, abs=0.05)
    assert {*LANE_GBPS} == {*FOUR_LANES}
    assert [LinkRate(lanes, "EDR").gbps for lanes in LANES.values()] == [25 * lanes for lanes in (1, 2, 4, 8, 12)]


@for_each("seed", range(8))
def test_a_listing_of_mixed_rates_states_that_of_each_link(seed):
    cables, rates = random_fabric(random.Random(seed))
    stated = sorted(gbps_of(rate) for rate in rates.values())
    for text in (with_rates(discovery_text(cables), rates), dump_with_rates(cables, rates)):
        (plane,), fabric = planes_of(text)
        assert sorted(map(Fraction, map(str, plane.rates_gbps + plane.node_rates_gbps))) == stated
        at_node = {
            (switch, port): rate for (_, switch, port), rate in zip(plane.nodes, plane.node_rates_gbps, strict=True)
        }
        names = fabric.placed[0].part.switches
        for ((name, port), (other, _)), rate in rates.items():
            if other.startswith("N"):
                assert Fraction(str(at_node[names.index(name), port])) == gbps_of(rate)
        assert fabric.notes == ()


def gbps_of(rate):
    """The rate of a link in Gbit/s, to the Mbit/s, from the table of vendors."""
    lanes, speed = re.fullmatch(r"(\d+)x(\w+)", rate).groups()
    four = Fraction(14 * 64 + 4, 64) * Fraction(64, 66) * 4 if speed == "FDR" else Fraction(FOUR_LANES[speed])
    return Fraction(round(four * int(lanes) * 250), 1000)


def random_fabric(rng):
    """The cables of a tree of switches with nodes, and a rate for each by its ends."""
    cables, rates, ports = [], {}, {}
    switches = rng.randrange(2, 7)
    pairs = [(f"S{rng.randrange(number)}", f"S{number}") for number in range(1, switches)]
    pairs += [(f"S{rng.randrange(switches)}", f"N{node}") for node in range(rng.randrange(2, 9))]
    for pair in pairs:
        for name in pair:
            ports[name] = ports.get(name, 0) + 1
        ends = tuple((name, ports[name]) for name in pair)
        cables.append(ends)
        rates[ends] = rng.choice(RATES)
    return cables, rates


def with_rates(text, rates):
    """A listing of ibnetdiscover with other rates; a line has the description of the far device and both ports."""
    at = {end: rate for ends, rate in rates.items() for end in ends}
    lines, device = [], ""
    for line in text.split("\n"):
        if match := re.match(r'(?:Switch|Ca)\t.*# "(\w+)"', line):
            device = match[1]
        port = re.match(r"\[(\d+)\]", line)
        lines.append(line.replace("4xSDR", at[device, int(port[1])]) if port else line)
    return "\n".join(lines)


def dump_with_rates(cables, rates):
    lines = dump_text(cables).splitlines()
    ends = re.compile(r"\{(\w+)\} LID:\w+ PN:(\w+)")
    for number, line in enumerate(lines):
        name, port = ends.search(line).groups()
        rate = next(rate for pair, rate in rates.items() if (name, int(port, 16)) in pair)
        lanes, speed = rate.split("x")
        lines[number] = line.replace("PHY=4x", f"PHY={lanes}x").replace("SPD=2.5", f"SPD={OPENSM[speed]}")
    return "\n".join(lines)


STAR = [(("S0", port), (f"N{port}", 1)) for port in range(1, 5)] + [(("S0", 9), ("S1", 9))]


def test_a_link_below_the_rate_of_most_is_named_with_its_ports():
    rates = dict.fromkeys(STAR, "4xHDR") | {STAR[2]: "1xSDR", STAR[4]: "4xEDR"}
    _, fabric = planes_of(with_rates(discovery_text(STAR), rates))
    assert list(slow_link_lines(fabric.placed[0].part)) == ["1xSDR among 4xHDR: S0 port 3 - N3 port 1"]


def test_the_lower_of_two_rates_counts_and_is_told():
    text = with_rates(discovery_text(STAR), dict.fromkeys(STAR, "4xHDR"))
    (plane,), fabric = planes_of(text.replace("4xHDR", "1xHDR", 1))
    assert plane.node_rates_gbps == (50, 200, 200, 200)
    assert fabric.notes[0].startswith("fabric.txt: a cable with 1xHDR in line ")


def test_rates_of_some_links_only_need_the_rate_of_the_others():
    text = with_rates(discovery_text(STAR), dict.fromkeys(STAR, "4xHDR")).replace("4xHDR", "??????")
    assert planes_of(text)[0][0].node_rates_gbps is None
    some = discovery_text(STAR).replace('"S1" lid 7 4xSDR', '"S1" lid 7 ??????').replace('"S0" lid 7 4xSDR', "")
    require_refusal(lambda: planes_of(some), ": a link without a rate; expected a rate for all links or for none, ")


@for_each("rate", ["4xGDR", "3xSDR", "99999xSDR"])
def test_a_rate_that_infiniband_does_not_have_is_an_error_with_its_line(rate):
    message = f": rate {rate}; expected 1x, 2x, 4x, 8x, 12x of SDR, DDR"
    require_refusal(lambda: planes_of(discovery_text(STAR).replace("4xSDR", rate, 1)), message)
    speed = dump_text(STAR).replace("SPD=2.5", "SPD=7", 1)
    require_refusal(lambda: planes_of(speed), "line 1: rate 4x7; expected ")
