"""What a cable check must say of random fabrics of a site, whole or damaged."""

import random
from pathlib import Path

from isoplane.models import Network
from isoplane.models.families.fabric import Fabric
from isoplane.runs.cable_check import CableCheck, check_cables
from isoplane.runs.cable_check.output import json_data
from isoplane.runs.imports.import_fabric import FABRIC, NAMES, imported, write_fabric
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.importers.opensm_subnet import parse_subnet_dump
from isoplane.runs.inputs.name_file import read_names
from tests.runs.formats.import_sources import source

from .site_fabrics import Site, cables_of, fewest_moves, random_site
from .site_fabrics import damaged as with_swaps


def _network(site: Site, folder: Path) -> Network:
    sources = [source(text, f"plane{number}") for number, text in enumerate(site.texts())]
    write_fabric(imported(sources, None, None), folder)
    return Network(Fabric.read({"file": folder / FABRIC}))


def _checked(site: Site, network: Network, texts: list[str], **options: object) -> CableCheck:
    parse = parse_subnet_dump if site.form == "dump" else parse_ibnetdiscover
    fabrics = [parse(source(text, str(number), "found")) for number, text in enumerate(texts)]
    return check_cables(network, [str(number) for number in range(len(texts))], fabrics, **options)


def same(rng: random.Random, folder: Path) -> str:
    """What is wrong if a fabric is compared with its own listings."""
    site = random_site(rng)
    network = _network(site, folder)
    for options in ({}, {"names": read_names("names", folder / NAMES)}):
        check = _checked(site, network, site.texts(), **options)
        if not check.agrees or check.contradictions:
            return f"{site.form}: {check.differences} {check.contradictions}"
    return ""


def damaged(rng: random.Random, folder: Path) -> str:
    """What is wrong if one to three exchanges of two ends are looked for."""
    site = random_site(rng)
    network = _network(site, folder)
    planes = with_swaps(site, rng, rng.randint(1, 3))
    check = _checked(site, network, site.texts(planes))
    found, designed = cables_of(planes), cables_of(site.planes)
    if check.moves != fewest_moves(found, designed):
        return f"{site.form}: {check.moves} moves for {fewest_moves(found, designed)}"
    differences = json_data(check)["differences"]
    for key, cables in (("found_at_site", found - designed), ("designed_at_site", designed - found)):
        named = {frozenset(_key(site, *end) for end in cable) for each in differences for cable in each[key]}
        if named != {frozenset((device, port) for device, port in cable) for cable in cables}:
            return f"{site.form}: {key}: {named}"
    return ""


def _key(site: Site, name: str, port: int, guid: str) -> tuple[str, int]:
    """The end that a name, a port and a GUID stand for."""
    if guid:
        return next(device for device, number in site.guids.items() if hex(number) == guid), port
    return next(device for device, shown in site.shown.items() if name in (shown, shown.removesuffix(" mlx5_0"))), port
