"""The cabling of every family, against a reader that knows only its CSV files, the layout and the catalogue.

`python benchmarks/cabling.py` exports members of every family that a site describes, with 1, 2 and 4 links of each node
to a plane where the family allows it, on two layouts; random graphs with ten seeds. For each it reads the schedule and
checks that

- a device is in one rack, a node in that of the switch at its first port, and racks keep both capacities of the layout;
- a cable has the length of the catalogue that its two racks require, at nodes at least the given one;
- the bill, and the price of `compare` for fewer nodes, are the sum of the cables, switches and interfaces.

One line per family shows how many cables and designs were checked, and how many lengths and prices are wrong. With
--check the exit code is 1 if any is. --sample N checks N designs, chosen by --seed.
"""

import argparse
import csv
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO

from isoplane.models import Circuits, Design, Family, Layout, Network, PriceList, Site, family_named
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.optical_overlay import OpticalOverlay
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.placement import by_switch
from isoplane.models.planes.spread_places import spread_places
from isoplane.objectives import bill_of
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named

LINKS = (1, 2, 4)
SEEDS = range(1, 11)
PRICES = PriceList(nics_usd={1: 399, 2: 485, 4: 901})
LAYOUTS = {
    "floor": Layout("floor", 8, (), nodes_per_rack=64, assignment="search"),
    "paper": Layout("paper", 4, ()),
}
Row = dict[str, str]


@dataclass(frozen=True)
class Case:
    """A design to export: its network, and the name of its family."""

    family: str
    network: Network


def members() -> Iterator[Family]:
    """Yield members of all families with one plane and cables of nodes, small and with several racks."""
    sizes: dict[str, tuple[dict[str, object], ...]] = {
        "dragonfly": ({"nodes_per_switch": 2}, {"nodes_per_switch": 12, "groups": 5}),
        "direct_hypercube": ({"n": 6, "nodes_per_switch": 4}, {"n": 5, "nodes_per_switch": 16}),
        "fat_tree": ({"switch_ports": 8}, {"switch_ports": 12}, {"switch_ports": 16, "cables_per_pair": (2, 4)}),
        "full_mesh": ({"nodes_per_leaf": 4}, {"layers": 6, "uplinks": 6, "nodes_per_leaf": 16}),
        "hyperx": (
            {"shape": (8, 4), "nodes_per_switch": 4},
            {"shape": (4, 4, 2), "cables_per_pair": (1, 1, 4), "nodes_per_switch": 16},
            {"shape": (5, 4), "nodes_per_switch": 3},
        ),
        "leaf_spine": ({}, {"leaf_switches": 20, "spine_switches": 5, "nodes_per_leaf": 16, "cables_per_pair": 3}),
        "megafly": ({}, {"nodes_per_leaf": 20, "groups": 4}),
        "mesh": ({"shape": (6, 4), "nodes_per_switch": 12}, {"shape": (5, 4), "nodes_per_switch": 1}),
        "oft": ({"q": 3, "nodes_per_leaf": 4}, {"q": 4, "nodes_per_leaf": 20}),
        "polar_fly": ({"q": 5, "nodes_per_switch": 4}, {"q": 7, "nodes_per_switch": 16}),
        "rdt": ({"nodes_per_switch": 4}, {"nodes_per_switch": 10}),
        "slim_fly": ({"q": 5, "nodes_per_switch": 4}, {"q": 5, "nodes_per_switch": 18}),
        "torus": ({"shape": (4, 4, 3), "nodes_per_switch": 12}, {"shape": (5, 4), "nodes_per_switch": 1}),
        "xgft": ({"children": (4, 4, 8), "parents": (1, 2, 4)}, {"children": (16, 8), "parents": (1, 8)}),
    }
    for name, choices in sizes.items():
        for keys in choices:
            direct = {"node_cable_m": 2.0} if name in ("direct_hypercube", "mesh", "rdt", "torus") else {}
            yield family_named(name)(**{**keys, **direct})  # type: ignore[arg-type]  # the keys of each family
    for seed in SEEDS:
        yield family_named("random_regular")(switches=40, degree=5, seed=seed, nodes_per_switch=4)  # type: ignore[call-arg]
        yield family_named("random_regular")(switches=21, degree=4, seed=seed, nodes_per_switch=12)  # type: ignore[call-arg]
        yield family_named("xpander")(degree=5, lift=6, seed=seed, nodes_per_switch=16)  # type: ignore[call-arg]
        yield family_named("graph")(edges=random_edges(seed), nodes_per_switch=8, node_cable_m=2.0)  # type: ignore[call-arg]


def random_edges(seed: int) -> tuple[tuple[int, int], ...]:
    """Return the edges of a random tree of 30 switches with chords."""
    draw = random.Random(seed)
    tree = [(draw.randrange(switch), switch) for switch in range(1, 30)]
    chords = [tuple(sorted(draw.sample(range(30), 2))) for _ in range(25)]
    return tuple(dict.fromkeys([*tree, *chords]))  # type: ignore[arg-type]  # pairs


def random_fabric(seed: int) -> Fabric:
    """Return two different planes, in which nodes have none to three links at random switches."""
    draw = random.Random(seed)
    nodes, planes = 60, []
    for number in range(2):
        switches = draw.randrange(12, 30)
        edges = [(draw.randrange(switch), switch) for switch in range(1, switches)]
        degree: Counter[int] = Counter()
        cables = []
        for edge in edges:
            degree.update(edge)
            cables.append((edge[0], degree[edge[0]], edge[1], degree[edge[1]]))
        attached = []
        for node in range(nodes):
            for _ in range(draw.randrange(1 - number, 4)):
                switch = draw.randrange(switches)
                degree[switch] += 1
                attached.append((node, switch, degree[switch]))
        planes.append(FabricPlane(switches=switches, cables=tuple(cables), nodes=tuple(attached)))
    return Fabric(planes=tuple(planes), assumed_cable_m=None)


def cases() -> Iterator[Case]:
    """Yield all designs."""
    for layout in LAYOUTS.values():
        site = Site(layout, PRICES)
        for member in members():
            inner = with_layout_lengths(member)
            yield Case(member.name, Network(inner, site))
            for links in LINKS:
                if inner.nodes % links == 0:
                    planes = 1 if links == LINKS[-1] else 2
                    yield Case(member.name, Network(MultiPlane(plane=inner, planes=planes, links_per_node=links), site))
        for seed in SEEDS:
            yield Case("fabric", Network(random_fabric(seed), site))
        overlay = OpticalOverlay(packet=with_layout_lengths(family_named("leaf_spine")()))
        yield Case("optical_overlay", Network(overlay, site))
    paper = Site(LAYOUTS["paper"], PRICES)
    for name in ("hypercube", "folded_hypercube"):
        for n in (3, 4, 5, 6):
            for links in LINKS[:2]:
                keys = {"n": n, "planes": 3 - links, "generators": "identical", "nodes_per_switch": 4}
                yield Case(name, Network(_cubes(name, keys, links), paper))


def _cubes(name: str, keys: dict[str, object], links: int) -> Family:
    family = family_named(name)
    return family.read({**keys, "ports_per_node": links})


def files_of(network: Network) -> dict[str, list[Row]]:
    """Return the rows of the schedule and the bill of materials as they are written."""
    design = Design(network, Circuits(), by_switch(network.nodes)) if network.optical_switches else Design(network)
    exported = Exported(design, {"id": "0"})
    return {
        name: list(csv.DictReader(StringIO(b"".join(content).decode())))
        for name, content in exporter_named("cabling").files(exported)
        if name in ("schedule.csv", "materials.csv")
    }


class Reader:
    """What follows from the rows of a schedule, the layout and the catalogue alone.

    Parameters
    ----------
    schedule
        The rows.
    layout, prices
        The site.
    """

    def __init__(self, schedule: list[Row], layout: Layout, prices: PriceList) -> None:
        self.layout, self.prices = layout, prices
        self.rows = schedule
        self.racks: dict[str, set[str]] = defaultdict(set)
        self.ports: Counter[str] = Counter()
        self.ends: dict[str, list[tuple[int, str]]] = defaultdict(list)  # of nodes: port, and rack of its switch
        for row in schedule:
            for near, far in (("from", "to"), ("to", "from")):
                device = row[f"{near}_device"]
                self.racks[device].add(row[f"{near}_rack"])
                self.ports[device] += 1
                if device.startswith("N"):
                    self.ends[device].append((int(row[f"{near}_port"]), row[f"{far}_rack"]))

    def wrong_lengths(self, least_node_m: Fraction) -> int:
        """Return the number of cables whose length is not that of the catalogue for their racks."""
        lengths = sorted(Fraction(str(length)) for length in self.prices.cables_usd)
        wrong = 0
        for row in self.rows:
            needed = self._needed_m(row["from_rack"], row["to_rack"])
            if row["kind"] == "node":
                needed = max(needed if row["from_rack"] != row["to_rack"] else Fraction(0), least_node_m)
            wanted = next(length for length in lengths if length >= needed)
            wrong += Fraction(row["length_m"]) != wanted or row["remark"] != ""
        return wrong

    def _needed_m(self, rack: str, other: str) -> Fraction:
        if rack == other:
            return Fraction(str(self.layout.rack_cable_m))
        (row, place), (other_row, other_place) = (map(int, name[1:].split("-")) for name in (rack, other))
        across = abs(place - other_place) * Fraction(str(self.layout.pitch_across_m))
        deep = abs(row - other_row) * Fraction(str(self.layout.pitch_deep_m))
        return across + deep + Fraction(str(self.layout.slack_m))

    def wrong_racks(self) -> int:
        """Return the number of devices in several racks or not with their first switch, and of racks that are too full.

        Racks of planes that differ may be filled with other nodes than those of the first, which decides.
        """
        wrong = sum(len(racks) != 1 for racks in self.racks.values())
        wrong += sum(self.racks[node] != {min(ends)[1]} for node, ends in self.ends.items())
        places = [(re.sub(r"-?S?\d+$", "", device), *racks) for device, racks in self.racks.items()]
        for (kind, _), count in Counter(places).items():
            limit = self.layout.nodes_per_rack if kind == "N" else self.layout.switches_per_rack
            wrong += limit is not None and count > limit
        return wrong

    def cents(self, bought: set[int]) -> Fraction:
        """Return the price of all switches, and of the interfaces and cables of the nodes at some places."""
        price_of = {Fraction(str(length)): Fraction(str(usd)) for length, usd in self.prices.cables_usd.items()}
        total = Fraction(0)
        for row in self.rows:
            names = [name for name in (row["from_device"], row["to_device"]) if name.startswith("N")]
            if all(int(name[1:]) in bought for name in names):
                total += price_of[Fraction(row["length_m"])]
        for device, ports in self.ports.items():
            if not device.startswith("N"):
                total += ports * Fraction(str(self.prices.switch_port_usd))
            elif int(device[1:]) in bought:
                total += self._interface_usd(ports)
        return 100 * total

    def _interface_usd(self, ports: int) -> Fraction:
        usd = {size: Fraction(str(price)) for size, price in self.prices.nics_usd.items()}
        least = [Fraction(0)]
        for count in range(1, ports + 1):
            least.append(min(price + least[count - size] for size, price in usd.items() if size <= count))
        return usd.get(ports, least[ports])


def check(case: Case) -> tuple[int, int, int, int]:
    """Return the number of cables of a design, of wrong lengths and racks, and of prices that differ."""
    network, files = case.network, files_of(case.network)
    layout = network.site.layout
    assert layout is not None
    reader = Reader(files["schedule.csv"], layout, network.site.prices)
    materials = sum(Fraction(row["price_usd"]) * 100 for row in files["materials.csv"])
    some = max(1, 2 * network.nodes // 3)
    prices = [materials, bill_of(network).total_cents], [bill_of(network, some).total_cents]
    wrong = sum(price != reader.cents(set(range(network.nodes))) for price in prices[0])
    wrong += sum(price != reader.cents(set(spread_places(network.cabling, some).tolist())) for price in prices[1])
    least = Fraction(network.node_cable_mm or 0, 1000)
    return len(reader.rows), reader.wrong_lengths(least), reader.wrong_racks(), wrong


def main() -> int:
    """Check all designs, or a sample of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="exit with 1 if a length, a rack or a price is wrong")
    parser.add_argument("--sample", type=int, help="number of designs, all by default")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    chosen = list(cases())
    if options.sample is not None:
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    totals: dict[str, list[int]] = {}
    for case in chosen:
        counts = totals.setdefault(case.family, [0] * 5)
        for index, count in enumerate((1, *check(case))):
            counts[index] += count
    print(f"{'family':<18} {'designs':>7} {'cables':>8} {'wrong lengths':>13} {'racks':>5} {'prices':>6}")
    for name, (designs, cables, lengths, racks, prices) in sorted(totals.items()):
        print(f"{name:<18} {designs:>7} {cables:>8} {lengths:>13} {racks:>5} {prices:>6}")
    return int(options.check and any(any(counts[2:]) for counts in totals.values()))


if __name__ == "__main__":
    sys.exit(main())
