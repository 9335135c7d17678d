"""Designs, what a technician made of them, and independent judges, all on sets of pairs of (device, port)."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import igraph

from isoplane.models import Network
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.families.fabric import Fabric
from isoplane.runs.cable_check import CableCheck, check_cables
from isoplane.runs.imports.import_fabric import FABRIC, NAMES, imported, write_fabric
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.inputs.name_file import read_names
from tests.runs.formats.fabrics import End, discovery_text
from tests.runs.formats.import_sources import source

Cable = frozenset[End]


def cables_by_plane(network: Network) -> list[list[tuple[End, End]]]:
    """The cables of each plane, one by one."""
    planes: list[list[tuple[End, End]]] = [[] for _ in network.cabling]
    listed = cable_list(network.cabling)
    for plane, switch, port, to_node, other, other_port in zip(
        *(getattr(listed, name).tolist() for name in list(listed.__dataclass_fields__)[:6]), strict=True
    ):
        far = node_name(other) if to_node else switch_name(plane, other)
        planes[plane].append(((switch_name(plane, switch), port), (far, other_port)))
    return planes


def swap(cables: list[tuple[End, End]], rng: random.Random) -> None:
    """Exchange an end of one cable with an end of another one."""
    i, j = rng.sample(range(len(cables)), 2)
    (a, b), (c, d) = cables[i], cables[j]
    if rng.random() < 0.5:
        c, d = d, c
    cables[i], cables[j] = (a, d), (c, b)


def checked(network: Network, planes: Iterable[object], parse=parse_ibnetdiscover, **options: object) -> CableCheck:
    """The check of listings, or of the cables of planes."""
    texts = [each if isinstance(each, str) else discovery_text(each, ports=99) for each in planes]
    sources = [f"plane{number}" for number in range(len(texts))]
    fabrics = [parse(source(text, name, "found")) for name, text in zip(sources, texts, strict=True)]
    return check_cables(network, sources, fabrics, **options)


def imported_network(folder: Path, texts: list[str]) -> tuple[Network, dict[str, str]]:
    """The fabric that listings of planes are imported as, and the names that the import writes."""
    folder.mkdir()
    write_fabric(imported([source(text, f"plane{number}") for number, text in enumerate(texts)], None, None), folder)
    return Network(Fabric.read({"file": folder / FABRIC})), read_names("names", folder / NAMES)


def between_switches(cables: Iterable[tuple[End, End]]) -> list[int]:
    """The places of cables between switches in a list."""
    return [place for place, pair in enumerate(cables) if not any(device.startswith("N") for device, _ in pair)]


def as_set(cables: Iterable[tuple[End, End]]) -> set[Cable]:
    return {frozenset(pair) for pair in cables}


def end_of(check: CableCheck, end: int) -> End:
    return check.devices.device_and_port(end)


def named(check: CableCheck, cables: Iterable[tuple[int, int]]) -> set[Cable]:
    return {frozenset(end_of(check, end) for end in pair) for pair in cables}


def wrong_and_lacking(check: CableCheck) -> tuple[set[Cable], set[Cable]]:
    """All cables that a check names as found but not designed, and the opposite."""
    wrong = [named(check, each.found) for each in check.differences]
    lacking = [named(check, each.designed) for each in check.differences]
    return set().union(*wrong), set().union(*lacking)


def mended(cables: set[Cable], check: CableCheck) -> set[Cable]:
    """What results if a technician makes the moves, who can plug a cable only into a free port."""
    result = set(cables)
    for each in check.differences:
        loose = None
        if each.kind in ("swapped", "permuted"):  # no port is free: the end of the last move is unplugged first
            loose = frozenset(end_of(check, end) for end in each.moves[-1].cable)
            result.remove(loose)
        for number, move in enumerate(each.moves, start=1):
            pair = frozenset(end_of(check, end) for end in move.cable)
            if move.action == "add":
                plug(result, pair, loose_end=None)
            elif move.action == "remove":
                result.remove(pair)
            else:
                last = loose is not None and number == len(each.moves)
                assert not last or pair == loose
                if not last:
                    result.remove(pair)
                kept = end_of(check, move.cable[0])
                hanging = None if loose is None or last else set(loose) - {end_of(check, each.moves[-1].cable[1])}
                plug(result, frozenset((kept, end_of(check, move.to))), hanging)
    return result


def plug(cables: set[Cable], cable: Cable, loose_end: set[End] | None) -> None:
    used = {end for pair in cables for end in pair} | (loose_end or set())
    assert len(cable) == 2
    assert not cable & used, "a port that is in use"
    cables.add(cable)


def least_moves(found: set[Cable], designed: set[Cable]) -> int:
    """The least number of moves, additions and removals of cables, from a maximum matching.

    A found cable becomes one of the design in one move if they share an end, in two if not, which is no better than
    removing it and adding another one.
    """
    return moves_of_matching(sorted(found - designed, key=sorted), sorted(designed - found, key=sorted))


def moves_of_matching(wrong: Sequence[Iterable[object]], lacking: Sequence[Iterable[object]]) -> int:
    """The least number of moves that make one list of cables of another: one for each two that share an end."""
    edges = [(i, len(wrong) + j) for i, a in enumerate(wrong) for j, b in enumerate(lacking) if {*a} & {*b}]
    graph = igraph.Graph(len(wrong) + len(lacking), edges)
    types = [False] * len(wrong) + [True] * len(lacking)
    matched = len(graph.maximum_bipartite_matching(types)) if edges else 0
    return len(wrong) + len(lacking) - matched


def anonymous(planes: list[list[tuple[End, End]]], rng: random.Random) -> tuple[list[str], dict[int, str]]:
    """Files of planes with one description for all devices, in random order; and the true name of each GUID."""
    names = sorted({device for plane in planes for pair in plane for device, _ in pair})
    rng.shuffle(names)
    rename = {name: f"{name[0] if name[0] == 'N' else 'S'}x{number}" for number, name in enumerate(names)}
    texts, true_name = [], {}
    every = [((rename[a], p), (rename[b], q)) for plane in planes for (a, p), (b, q) in plane]
    order = list(dict.fromkeys(device for pair in every for device, _ in pair))
    guid = {device: 0x100000 + 16 * number for number, device in enumerate(order)}
    for plane in planes:
        cables = [((rename[a], p), (rename[b], q)) for (a, p), (b, q) in plane]
        rng.shuffle(cables)
        texts.append(discovery_text(cables, names=dict.fromkeys(order, "Mellanox"), guid=guid))
    true_name = {guid[rename[name]]: name for name in names}
    return texts, true_name
