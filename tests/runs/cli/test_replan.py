"""An existing fabric from its files to better cables: import, evaluate, compare, moves, and a check of the result."""

import csv
import json
from collections import Counter
from random import Random

from isoplane.models import Network, Site, dual_cube
from isoplane.models.device_names import node_name, switch_name
from tests.runs.formats.copies import cable_ends
from tests.runs.formats.fabrics import discovery_text, guids

NETWORK = Network(dual_cube(3, (1, 2, 4), nodes_per_switch=4).family, Site(layout=None))
PLANES = (0, 1)
SWITCHES = [[switch_name(plane, switch) for switch in range(8)] for plane in PLANES]
NODES = [node_name(node) for node in range(32)]


def descriptions():
    """A name on site for each device, in no order."""
    letters = Random(1).sample("ABCDEFGHIJKLMNOP", 16)
    switches = {name: f"rack {letters.pop()}, switch" for plane in SWITCHES for name in plane}
    numbers = Random(2).sample(range(32), 32)
    return {**switches, **{name: f"host{number} HCA-1" for name, number in zip(NODES, numbers, strict=True)}}


NAMES = descriptions()


def write_listings(folder, cables):
    """The output of ibnetdiscover for each plane."""
    known = guids([name for plane in SWITCHES for name in plane])
    for plane, listed in cables.items():
        adapters = {name: 0x200000 + 0x1000 * plane + 16 * number for number, name in enumerate(NODES)}
        text = discovery_text(sorted(listed, key=sorted), names=NAMES, guid=known | adapters)
        (folder / f"plane{plane}.txt").write_text(text, encoding="utf-8")


def test_a_fabric_of_identical_planes_is_recabled_to_the_best_known_design_of_its_size(isoplane, no_drawing, tmp_path):
    # Each host has an adapter in each plane, of which it uses only port 2. Switches number
    # their ports otherwise than the design.
    port_of = {name: Random(name).sample(range(1, 10), 9) for plane in SWITCHES for name in plane}
    cables = {
        plane: {
            frozenset((device, 2 if device in NODES else port_of[device][port]) for device, port in ends)
            for ends in cable_ends(NETWORK, plane)
        }
        for plane in PLANES
    }
    write_listings(tmp_path, cables)
    with (tmp_path / "devices.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("name", "device"), *((name, device) for device, name in NAMES.items())])

    # The natural order of the names is another one, so they say which switch is which.
    found = "file=[plane0.txt,plane1.txt]"
    assert isoplane("import", found, "names=devices.csv", "hydra.run.dir=site").code == 0
    fabric = ("network=fabric", "network.file=site/fabric.json", "network.assumed_cable_m=null")
    assert isoplane("evaluate", *fabric, "network.routing=balanced", "save=site.json").code == 0
    size = ("families=[hypercube]", "planes=2", "throughput=0.5", "failures=none", "workers=1")
    compared = isoplane("compare", "existing=site.json", *size, "hydra.run.dir=cmp")
    assert compared.code == 0, compared.err
    rows = json.loads((tmp_path / "cmp" / "comparison.json").read_text(encoding="utf-8"))["rows"]
    ours = next(row["values"] for row in rows if row["existing"])
    better = next(row for row in rows if row["relabelled"])
    assert better["values"]["switches"] == ours["switches"]
    assert better["values"]["aspl"] < ours["aspl"]

    # Its options give the design that the fabric becomes.
    words = [word.replace("'", "") for word in better["options"].split()]
    exported = isoplane("export", *words, "rewired_from=site.json", "format=cabling", "hydra.run.dir=moves")
    assert exported.code == 0, exported.err
    moves = list(csv.DictReader((tmp_path / "moves" / "cabling" / "moves.csv").open(encoding="utf-8")))
    assert {row["plane"] for row in moves} == {"1"}
    count = Counter(row["action"] for row in moves if "temporary" not in row["action"])
    assert f"moves of plane 1: {count['unplug']} unplugged, {count['plug']} plugged, " in exported.err
    assert not [row for row in moves if row["b_device"] in NODES]  # whose cables stay
    actions = Counter((row["action"], row["a_device"], row["b_device"]) for row in moves)
    assert not [1 for action, *ends in actions if action == "plug" and ("unplug", *ends) in actions]
    assert all(row[f"{end}_name"] == NAMES[row[f"{end}_device"]] for row in moves for end in "ab")

    def check(*more):
        given = ("rewired_from=site.json", "found=[plane0.txt,plane1.txt]", "identify=names")
        return isoplane("check-cables", *words, *given, *more)

    differs = check()  # devices are those that the record of the fabric names, and are called as at the site
    assert (differs.code, differs.out.count("not in the design")) == (5, 0), differs.err
    assert sum(f"{NAMES[row['a_device']]}:" in differs.out for row in moves) == len(moves)
    for row in moves:
        ends = frozenset((row[f"{end}_device"], int(row[f"{end}_port"])) for end in "ab")
        if row["action"].startswith("unplug"):
            cables[1].remove(ends)
        else:
            cables[1].add(ends)
    write_listings(tmp_path, cables)
    assert check().code == 0
    assert check("ports=ignore").code == 0
    assert isoplane("evaluate", *words, "save=unnamed.json").code == 0
    refused = check("rewired_from=unnamed.json", "ports=ignore")
    assert "rewired_from=unnamed.json: has no names of devices, and no other effect with ports=ignore" in refused.err
