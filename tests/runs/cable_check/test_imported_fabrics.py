"""An imported fabric agrees with the files that it was imported from, and differs by what is exchanged in them."""

import random

import pytest

from isoplane.models import Network
from isoplane.models.families.fabric import Fabric
from isoplane.runs.cable_check import check_cables
from isoplane.runs.imports.discovery.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.discovery.subnet_dump import parse_subnet_dump
from isoplane.runs.imports.import_fabric import FABRIC, NAMES, imported, write_fabric
from isoplane.runs.inputs.name_file import read_names
from tests.runs.formats.fabrics import discovery_text, dump_text, guids
from tests.runs.formats.ibsim import ibsim_text
from tests.runs.formats.import_sources import source

from .samples import cables_by_plane, swap, wrong_and_lacking

FORMS = {
    "ibnetdiscover": (discovery_text, parse_ibnetdiscover),
    "dump": (dump_text, parse_subnet_dump),
    "ibsim": (ibsim_text, parse_ibnetdiscover),
}


class Wiring:
    """Planes of random cables; hosts have ports of one adapter or of several in each plane.

    Devices whose names begin with N are adapters. Adapters of one host may have the same description in different
    planes, and simulated planes may number one adapter alike. With `own_guids`, each file numbers its devices alone.
    """

    def __init__(self, rng, planes, kinds, own_guids=False):
        self.rng, self.names, self.planes = rng, {}, [[] for _ in range(planes)]
        self.free = [[rng.sample(range(1, 37), 36) for _ in range(4)] for _ in range(planes)]
        for plane in range(planes):
            for switch in range(4):
                self.names[f"S{plane}.{switch}"] = f"leaf{plane} {switch}"
                self.plug(plane, switch, self.end(plane, (switch + 1) % 4))
        for host in range(6):
            for plane, adapter, port in getattr(self, rng.choice(kinds))():
                device = f"N{host}.{adapter}"
                self.names[device] = f"host{host} mlx5_{adapter % 10}"
                self.plug(plane, rng.randrange(4), (device, port))
        shared = guids(sorted(self.names))
        own = [guids(dict.fromkeys(device for pair in cables for device, _ in pair)) for cables in self.planes]
        self.guids = own if own_guids else [shared] * planes

    def end(self, plane, switch):
        return f"S{plane}.{switch}", self.free[plane][switch].pop()

    def plug(self, plane, switch, other):
        self.planes[plane].append((self.end(plane, switch), other))

    def one(self):
        """One adapter, with some ports in any order over the planes."""
        ports = self.rng.sample((1, 2, 3, 4), len(self.planes))
        return [(plane, 0, port) for plane, port in enumerate(ports)]

    def several(self):
        """Two adapters with one or two ports in each plane."""
        return [
            (plane, adapter, port)
            for adapter in (0, 1)
            for plane, ports in enumerate(self.rng.choice([[(1,), (2,)], [(2, 4), (1,)], [(3,), (2, 1)]]))
            for port in ports
            if plane < len(self.planes)
        ]

    def each(self):
        """An adapter of each plane, with different descriptions or the same one, at any port."""
        step = self.rng.choice((1, 10))
        return [(plane, plane * step, self.rng.choice((1, 2))) for plane in range(len(self.planes))]

    def alike(self):
        """One port in all planes."""
        port = self.rng.choice((1, 2))
        return [(plane, 0, port) for plane in range(len(self.planes))]

    def texts(self, write, planes):
        return [write(cables, names=self.names, guid=guid) for cables, guid in zip(planes, self.guids, strict=True)]

    def add_aggregation_nodes(self):
        """A unit for collectives in every switch, listed like an adapter."""
        for plane in range(len(self.planes)):
            for switch in range(4):
                device = f"Na.{plane}{switch}"
                self.names[device] = "Mellanox Technologies Aggregation Node"
                self.plug(plane, switch, (device, 1))
                self.guids[plane][device] = 0x900000 + 16 * (4 * plane + switch)


def imported_network(folder, texts):
    folder.mkdir()
    write_fabric(imported([source(text, f"plane{number}") for number, text in enumerate(texts)], None, None), folder)
    return Network(Fabric.read({"file": folder / FABRIC})), read_names("names", folder / NAMES)


def checked(network, texts, parse, **options):
    fabrics = [parse(f"found={number}", text.split("\n")) for number, text in enumerate(texts)]
    return check_cables(network, [str(number) for number in range(len(texts))], fabrics, **options)


def true_ends(wiring, network):
    """The end in the design of each end in each plane of a wiring: the cable at the port of its switch tells it."""
    ends = [{} for _ in wiring.planes]
    for plane, cables in enumerate(cables_by_plane(network)):
        far = {end: other for pair in cables for end, other in (pair, pair[::-1])}
        for pair in wiring.planes[plane]:
            own = [(f"P{plane}-S{device[-1]}", port) for device, port in pair if device[0] == "S"]
            ends[plane] |= dict(zip(pair, own if len(own) == 2 else (own[0], far[own[0]]), strict=True))
    return ends


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("planes", "kinds", "own_guids"),
    [
        (1, ("one",), False),
        (1, ("one", "several"), False),
        (2, ("one",), False),
        (2, ("one", "several", "each"), False),
        (2, ("alike", "one"), False),
        (2, ("one", "several"), True),
    ],
)
def test_an_imported_fabric_is_the_one_in_its_files_and_single_swaps_are_named(
    tmp_path, form, planes, kinds, own_guids
):
    write, parse = FORMS[form]
    rng = random.Random(f"{form} {planes} {kinds}")
    for number in range(8):
        wiring = Wiring(rng, planes, kinds, own_guids)
        texts = wiring.texts(write, wiring.planes)
        network, names = imported_network(tmp_path / str(number), texts)
        ends = true_ends(wiring, network)
        for options in ({"names": names}, {"names": names, "identify": "names"}, {"identify": "cables"}):
            same = checked(network, texts, parse, **options)
            assert (same.agrees, same.designed) == (True, sum(map(len, wiring.planes)))
        for _ in range(4):
            plane = rng.randrange(planes)
            other = [cables.copy() for cables in wiring.planes]
            swap(other[plane], rng)
            check = checked(network, wiring.texts(write, other), parse, names=names, identify="names")
            found, designed = (
                {frozenset(map(ends[plane].__getitem__, pair)) for pair in cables[plane]}
                for cables in (other, wiring.planes)
            )
            assert wrong_and_lacking(check) == (found - designed, designed - found)


def test_aggregation_nodes_in_switches_are_no_nodes(tmp_path):
    for form in ("ibnetdiscover", "dump"):  # files of ibsim have one device of each name
        write, parse = FORMS[form]
        wiring = Wiring(random.Random(2), 2, ("one", "several"))
        cables = sum(map(len, wiring.planes))
        wiring.add_aggregation_nodes()
        texts = wiring.texts(write, wiring.planes)
        network, names = imported_network(tmp_path / form, texts)
        assert network.nodes == 6
        check = checked(network, texts, parse, names=names)
        assert (check.agrees, check.designed, check.inside) == (True, cables, 8)
