"""Damaged and contradictory imports name the line; rates of links are read; no file breaks a reader."""

import random
import re
from fractions import Fraction
from functools import partial

import pytest

from isoplane.models import Network, Site, dual_cube, family_named
from isoplane.runs.imports.discovery.link_rate import LANE_GBPS, LANES, LinkRate
from isoplane.runs.imports.discovery.part_rates import slow_link_lines
from isoplane.runs.imports.import_fabric import imported
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import Source
from tests.cases import for_each, require_refusal

from .copies import dump_lines, graphml_text
from .fabrics import discovery_text, dump_text
from .fuzz import READERS, fuzzed, is_read
from .import_sources import ASTRA, GRAPHML, LISTED, planes_of, source

PORT = '<data key="p">0</data>'


@for_each(
    ("kind", "text", "message"),
    [
        ("edges", "0 1\n1 2 x\n", "line 2: 'x' is no length; expected two devices and"),
        ("edges", "0 1\n\n# c\n1\n", "line 4: 1 words; expected two devices"),
        ("edges", "0 N0\nN0 N1\n", "line 2: a cable between N0 and N1; expected a switch and another switch or a node"),
        (
            "ibnetdiscover",
            discovery_text([*LISTED, (("N0", 3), ("N1", 3))]),
            "line 27: a cable between N0 and N1; expected a switch and another switch or a node; check-cables names "
            "miswired cables",
        ),
        (
            "edges",
            "0 1\n1 2\n3 4\n",
            "2 components, of which the smallest is switches 3, 4; expected connected switches, as with a cable from "
            "3 to 0, or planes over the same nodes",
        ),
        ("edges", "# nothing\n", "no switches; expected at least one"),
        ("cable_list", "a,b\nc,d\n", "line 1: no columns of two devices; expected columns such as from, from_port, to"),
        ("cable_list", "from,to\na,b\na,b,2\n", "line 3: 3 values; expected 2, as in the line with the names of col"),
        ("cable_list", "from,to\na,\n", "line 2: no name of a device; expected two devices"),
        ("cable_list", "from,to,to_port\na,b,Eth1\n", "line 2: port 'Eth1'; expected the number of a port, or nothing"),
        (
            "cable_list",
            "from,to,length_m\na,b,far\n",
            "line 2: length_m 'far'; expected a length in metres, or nothing",
        ),
        ("cable_list", 'from,to\na,"b\n', "line 3: unexpected end of data; expected comma-separated values"),
        (
            "cable_list",
            "from,to\na,b\nb,a\n",
            "every pair in both orders, such as a b and b a; expected each cable once",
        ),
        (
            "cable_list",
            "from,from_port,to\na,1,N0\na,1,N1\n",
            "line 3: port 1 of a is in use since line 2; expected one cable at each port",
        ),
        ("evalnet", "3 2\n1\n0 2", "line 3: 2 lines of neighbours after the first for 3 routers; expected a line"),
        ("evalnet", "3 2 \n1 \n0 2 \n0 \n", "line 3: router 1 has 1 links to 2, which has 0 to it; expected each link"),
        ("evalnet", "2 1 \n1 \n7 \n", "line 3: neighbour 7 of router 1; expected others from 0 to 1"),
        ("evalnet", "2 5 \n1 \n0 \n", "line 1: 5 links, but 2 neighbours in all; expected two for each link, or one"),
        ("graphml", GRAPHML.replace("</graph>", ""), "line 6: mismatched tag; expected GraphML"),
        ("graphml", GRAPHML.replace('target="b"', ""), "line 5: edge without target; expected GraphML"),
        ("graphml", GRAPHML.replace('target="b"', 'target="c"'), "line 5: an edge of vertex c; expected one of the"),
        ("graphml", GRAPHML.replace(">0<", ">1.5<"), "line 4: nodes=1.5; expected a number of nodes"),
        ("graphml", GRAPHML.replace('key="n">0', 'key="z">0'), "line 4: the key z, which is not defined"),
        (
            "graphml",
            GRAPHML.replace("/>\n</graph>", f">{PORT}</edge>\n</graph>"),
            "line 5: port 0 of a; expected ports",
        ),
        ("graphml", "<!DOCTYPE x>" + GRAPHML, "line 1: a document type, which may define entities"),
        ("ibnetdiscover", discovery_text(LISTED).replace('[1]\t"S', '[3]\t"S', 1), "line 10: a cable to port 1 of"),
        ("opensm_subnet", dump_text(LISTED).replace("PN:02", "PN:01", 1), "line 2: port 1 of '0000000000100000' again"),
    ],
)
def test_a_damaged_or_contradictory_file_is_rejected_with_its_line(kind, text, message):
    require_refusal(lambda: planes_of(text, kind=kind), f"^file=fabric.txt: {message}")


def refused(fabric, lines, message):
    """Tables that contradict a fabric."""
    require_refusal(lambda: with_tables(fabric, [source("\n".join(lines), "lfts", "tables")]), message)


def test_two_copies_of_one_listing_are_no_planes():
    text = discovery_text(LISTED)
    message = "^file=fabric.txt: lists switch S0 and all others of fabric.txt; expected "
    require_refusal(lambda: planes_of(text, text), message)


@for_each(
    ("old", "new", "message"),
    [
        ("[4]", "[1]", "line 2: npus_count=1: expected an integer"),
        ("[4]", "[20000]", "line 2: npus_count=20000: expected an integer from 2 to 16384"),
        ("[1]", "[1, 2]", "line 4: latency=[1, 2]; expected one value for each dimension"),
        ("[Ring]", "[Torus]", "line 1: topology Torus; expected Ring, FullyConnected, Switch"),
        ("[1]", "[1", "network.yml, line 5, column 1: "),
    ],
)
def test_a_wrong_astra_sim_network_is_rejected_with_its_line(tmp_path, old, new, message):
    file = tmp_path / "network.yml"
    file.write_text(ASTRA.replace(old, new), encoding="utf-8")
    require_refusal(lambda: imported([Source(file, file.read_bytes())], "astra_sim", 1), message)


@for_each(
    ("old", "new", "message"),
    [
        ("0x0002 002", "0x0002 005", "line 3: port 5 of P0-S0 for N1; expected port 6, where its cable is"),
        ("", None, "line 6: port 9 of P0-S0 for N4; expected a port"),
        ("0x0003", "0x0001", "line 4: LID 1 after LID 2; expected ascending LIDs"),
        ("'N3'", "'N99'", "line 5: node N99; expected a node of the plane"),
        ("'P0-S0'", "'P7-S0'", "line 1: switch P7-S0; expected a switch of the fabric"),
        ("'P0-S1'", "'P7-S1'", "switch P7-S1; expected a switch of the same plane"),
        ("0x0018", "", "line 1: no entry for port 1 of N23 in the table of P0-S0; expected entries for all nodes"),
        ("24 lids dumped", "25 valid lids dumped", "line 26: 25 LIDs, after 24 entries; expected a complete table"),
        ("Unicast", "Multicast", "line 1: 'Multicast lids"),
    ],
)
def test_tables_that_contradict_the_cables_are_rejected_with_their_line(old, new, message):
    network = Network(family_named("torus")(shape=(3, 4), nodes_per_switch=2, node_cable_m=2.0), Site(layout=None))
    _, fabric = planes_of(graphml_text(network))
    lines = dump_lines(network, 0)
    if old.startswith("0x0002"):
        lines[2] = lines[2].replace(" 006 ", " 005 ")
    elif new is None:
        lines[5] = lines[5][:7] + "009" + lines[5][10:]
    else:
        index = next(number for number, line in enumerate(lines) if old in line)
        lines[index] = lines[index].replace(old, new) if new else ""
    refused(fabric, lines, message)


def test_tables_with_a_loop_are_rejected():
    triangle = "A B\nB C\nC A\nA N0\nB N1\nC N2\n"
    _, fabric = planes_of(triangle)
    ports = {"A": (3, 1, 1), "B": (1, 3, 1), "C": (2, 1, 3)}  # B sends packets for N2 back to A
    lines = []
    for guid, (switch, row) in enumerate(ports.items()):
        lines.append(f"Unicast lids [0-3] of switch Lid {guid + 9} guid 0x{guid:016x} ('{switch}'):")
        lines += [f"0x{n + 1:04x} {p:03d} : (Channel Adapter portguid 0x0: 'N{n}')" for n, p in enumerate(row)]
    refused(fabric, lines, "expected routes without loops")


def test_tables_of_each_switch_and_plane_are_needed_once():
    network = Network(dual_cube(2, (1, 3)).family, Site(layout=None))
    _, fabric = planes_of(graphml_text(network))
    plane = [source("\n".join(dump_lines(network, number)), f"lfts{number}", "tables") for number in range(2)]
    cut = source(plane[0].text[: plane[0].text.rindex("Unicast")], "cut", "tables")
    for files, message in (
        (plane[:1], "tables=lfts0: none of plane 1; expected one file for each plane"),
        ([plane[0], plane[0]], "line 1: tables of plane 0 again; expected one file for each plane"),
        ([cut, plane[1]], "tables=cut: none of switch P0-S3; expected tables of all switches"),
    ):
        require_refusal(partial(with_tables, fabric, files), message)


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
        names = fabric.parts[0].switches
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
    assert list(slow_link_lines(fabric.parts[0])) == ["1xSDR among 4xHDR: S0 port 3 - N3 port 1"]


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


@for_each("name", READERS)
def test_every_fuzzed_file_is_read_or_refused_in_one_line(name, tmp_path):
    read, path = 0, tmp_path / f"fuzzed{READERS[name].suffix}"
    for number, content in enumerate(fuzzed(name, 1, 60)):
        path.write_bytes(content)
        is_valid = is_read(name, path)
        assert is_valid or number >= len(READERS[name].samples)
        read += is_valid
    assert 0 < read < 60
