"""`isoplane export` of InfiniBand subnets and the plane choice: the same bytes again, and nothing if it is refused."""

import random
import shutil

import pytest

from isoplane.models import Network, Site, family_named
from isoplane.runs.exports.infiniband.check_tables import main as check_tables
from tests.runs.formats.copies import cable_ends
from tests.runs.formats.ibsim import simulated_subnet


def renamed(cables, rng):
    """Cables between devices with names and GUIDs in an order of their own, and the GUID of each name."""
    devices = sorted({device for pair in cables for device, _ in pair})
    rng.shuffle(devices)
    shown = {
        device: f"Nova{number} HCA-1" if device.startswith("N") else f"leaf {number}"
        for number, device in enumerate(devices)
    }
    guid = dict(zip(shown.values(), rng.sample(range(1 << 40, 1 << 60, 256), len(devices)), strict=True))
    return [((shown[a], p), (shown[b], q)) for (a, p), (b, q) in cables], guid


@pytest.mark.parametrize(
    ("name", "parameters", "routing", "switches", "nodes"),
    [
        ("random_regular", {"switches": 10, "degree": 3, "nodes_per_switch": 2}, "up_down", 10, 20),
        ("hyperx", {"shape": (6,), "nodes_per_switch": 2, "node_cable_m": 1.0}, "balanced", 6, 12),
    ],
)
def test_opensm_sets_our_tables_in_a_fabric_that_was_imported(
    isoplane, tmp_path, name, parameters, routing, switches, nodes, capsys
):
    network = Network(family_named(name)(**parameters), Site(layout=None))
    cables, guid = renamed(cable_ends(network, 0), random.Random(3))
    host = next(device for pair in cables for device, _ in pair if device.startswith("Nova"))
    folder = tmp_path / "fabric"
    folder.mkdir()
    with simulated_subnet(folder, cables, host, guid) as run:
        (folder / "found.txt").write_text(run("ibnetdiscover").stdout, encoding="utf-8")
        assert isoplane("import", f"file={folder}/found.txt", "hydra.run.dir=site").code == 0
        words = ("network=fabric", "network.file=site/fabric.json", f"network.routing={routing}")
        result = isoplane("export", *words, "format=opensm", "guids=site/names.csv", "hydra.run.dir=out")
        assert (result.code, result.err) == (0, "")
        shutil.copytree(tmp_path / "out" / "opensm" / "plane0", folder, dirs_exist_ok=True)
        assert run("opensm", "-o", "-F", "opensm.conf", "-f", str(folder / "log")).returncode == 0
        (folder / "switches.fts").write_text(run("dump_fts").stdout, encoding="utf-8")
    lids = [int(line.split()[0], 16) for line in (folder / "guid2lid").read_text("utf-8").splitlines() if line]
    expected = {number + device.startswith("Nova") for device, number in guid.items()}  # port 1 of each adapter
    assert (set(lids), len(lids)) == (expected, switches + nodes)
    for dump in ("opensm-lfts.dump", "switches.fts"):
        assert check_tables([str(folder / file) for file in ("tables.lfts", dump, "log")]) == 0
        assert f"entries of {switches} switches are those exported" in capsys.readouterr().out
