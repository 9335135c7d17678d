"""Rates in listings: every one is in the import and determines times; those below the others are named."""

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import igraph
import pytest

from isoplane.models import InputError, Network, Site
from isoplane.models.families.fabric import Fabric
from isoplane.models.workloads import all_to_all
from isoplane.objectives.fluid.network_model import NetworkFluidModel
from isoplane.runs.imports.discovery.link_rate import LANE_GBPS, LANES, LinkRate
from isoplane.runs.imports.discovery.part_rates import slow_link_lines
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text, dump_text

from .import_sources import planes_of

# Data rates of four lanes in Gbit/s as vendors state them, and what OpenSM calls a lane.
FOUR_LANES = {"SDR": 8, "DDR": 16, "QDR": 32, "FDR10": 40, "FDR": 54.5, "EDR": 100, "HDR": 200, "NDR": 400, "XDR": 800}
OPENSM = {"SDR": "2.5", "DDR": "5", "QDR": "10", "FDR": "14", "EDR": "25", "HDR": "50", "NDR": "100"}
RATES = [f"{lanes}x{speed}" for lanes in (1, 4) for speed in OPENSM]
BYTES = 1_000_000


def test_rates_are_those_that_vendors_state():
    for speed, gbps in FOUR_LANES.items():
        assert float(LinkRate(4, speed).gbps) == pytest.approx(gbps, abs=0.05)
    assert {*LANE_GBPS} == {*FOUR_LANES}
    assert [LinkRate(lanes, "EDR").gbps for lanes in LANES.values()] == [25 * lanes for lanes in (1, 2, 4, 8, 12)]


def test_a_listing_of_mixed_rates_has_the_bottleneck_that_a_program_of_its_own_computes():
    for seed in range(8):
        rng = random.Random(seed)
        cables, rates = random_fabric(rng)
        graph = igraph.Graph.TupleList([(a, b, rates[(a, p), (b, q)]) for (a, p), (b, q) in cables], edge_attrs="rate")
        expected = Fraction(0)
        nodes = [name for name in graph.vs["name"] if name.startswith("N")]
        paths = [[graph.vs[v]["name"] for v in graph.get_shortest_path(a, b)] for a in nodes for b in nodes]
        loads = Counter(hop for path in paths for hop in pairwise(path))
        for hop, messages in loads.items():
            rate = graph.es[graph.get_eid(*hop)]["rate"]
            expected = max(expected, 8 * BYTES * messages / gbps_of(rate))
        for text in (with_rates(discovery_text(cables), rates), dump_with_rates(cables, rates)):
            (plane,), fabric = planes_of(text)
            network = Network(Fabric(planes=(plane,)), Site(layout=None))
            messages = all_to_all(len(nodes), BYTES).message_list()
            assert NetworkFluidModel(network, messages).times().bottleneck_ns == round(expected)
            stated = sorted(gbps_of(rate) for rate in rates.values())
            assert sorted(map(Fraction, map(str, plane.rates_gbps + plane.node_rates_gbps))) == stated
            assert fabric.notes == ()


def gbps_of(rate):
    """The rate of a link in Gbit/s, to the Mbit/s, from the table of vendors."""
    lanes, speed = re.fullmatch(r"(\d+)x(\w+)", rate).groups()
    four = Fraction(14 * 64 + 4, 64) * Fraction(64, 66) * 4 if speed == "FDR" else Fraction(FOUR_LANES[speed])
    return Fraction(round(four * int(lanes) * 250), 1000)


def random_fabric(rng, more=0):
    """The cables of switches with nodes, and a rate for each by its ends; without more a tree, with only one path."""
    cables, rates, ports = [], {}, {}
    switches = rng.randrange(2, 7)
    pairs = [(f"S{rng.randrange(number)}", f"S{number}") for number in range(1, switches)]
    pairs += [tuple(f"S{switch}" for switch in rng.sample(range(switches), 2)) for _ in range(more)]
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
    with pytest.raises(
        InputError, match=r"line \d+: a link without a rate; expected a rate for all links or for none, "
    ):
        planes_of(some)


@for_each(("old", "new"), [("4xSDR", "4xGDR"), ("4xSDR", "3xSDR"), ("4xSDR", "99999xSDR")])
def test_a_rate_that_infiniband_does_not_have_is_an_error_with_its_line(old, new):
    with pytest.raises(InputError, match=rf"line \d+: rate {new}; expected 1x, 2x, 4x, 8x, 12x of SDR, DDR"):
        planes_of(discovery_text(STAR).replace(old, new, 1))
    speed = dump_text(STAR).replace("SPD=2.5", "SPD=7", 1)
    with pytest.raises(InputError, match=r"line 1: rate 4x7; expected "):
        planes_of(speed)
