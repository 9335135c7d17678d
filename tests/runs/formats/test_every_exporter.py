"""Every exporter: fabrics of one switch, planes of rails without a cable between switches, and what the page says."""

import re
from pathlib import Path

import pytest

from isoplane.models import Design, InputError, Network, Site, dual_cube
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.routing import ROUTINGS
from isoplane.models.workloads import all_to_all
from isoplane.objectives import metrics_of
from isoplane.objectives.fluid.network_model import NetworkFluidModel
from isoplane.objectives.reference import reference_metrics
from isoplane.runs.cable_check import check_cables
from isoplane.runs.exports.exporters import exporter_named, exporter_names
from isoplane.runs.imports.discovery.ibnetdiscover import parse_ibnetdiscover
from tests.cases import for_each

from .exported import exported, exported_design, hybrid_design, texts
from .fabrics import discovery_text
from .import_sources import planes_of

STAR = [(("S0", node + 1), (f"N{node}", 1)) for node in range(3)]
RAILS = [((f"S{rail}", node + 1), (f"N{node}", rail + 1)) for rail in range(2) for node in range(3)]
REFUSED = {"goal", "tit", "msccl", "phases", "optical_switch", "plane_rule", "program"}  # whatever the switches


def network_of(*texts_of_planes, **options):
    return Network(Fabric(planes=planes_of(*texts_of_planes)[0], **options), Site())


@for_each("text", [discovery_text(STAR).replace("4xSDR", "4xEDR"), "S0 N0\nS0 N1\nS0 N2\n"])
@for_each("routing", ROUTINGS)
def test_a_fabric_of_one_switch_has_metrics_and_times(text, routing):
    network = network_of(text, routing=routing)
    assert network.title == "fabric of 1 switch"
    metrics = metrics_of(Design(network))
    assert metrics == reference_metrics(network)
    assert (metrics["aspl"], metrics["diameter"], metrics["delay_ns"]) == (0, 0, 131)  # the endpoints alone
    times = NetworkFluidModel(network, all_to_all(3, 10**6).message_list()).times()
    assert times.bottleneck_ns == 2 * 8 * 10**6 // 100  # two messages over the link of a node, at 100 Gbit/s


def test_switches_that_share_nodes_only_are_planes():
    listing = discovery_text(RAILS).replace("4xSDR", "4xEDR")
    network = network_of(listing, policy="spray")
    assert [plane.topology.switches for plane in network.planes] == [1, 1]
    times = NetworkFluidModel(network, all_to_all(3, 10**6).message_list()).times()
    assert times.bottleneck_ns == 8 * 10**6 // 100  # half of it over each of two links
    check = check_cables(network, ["x"], [parse_ibnetdiscover("found=x", listing.split("\n"))])
    assert check.agrees


def test_every_export_of_one_switch_is_written_or_refused_in_one_line():
    network, written = network_of(discovery_text(STAR)), 0
    for name in exporter_names():
        if name in REFUSED:
            with pytest.raises(InputError, match="expected|allowed") as caught:
                texts(name, exported(network))
            assert "\n" not in str(caught.value)
        else:
            written += len(texts(name, exported(network)))
    assert written > len(exporter_names()) - len(REFUSED)


PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"


def rows(heading):
    """The first and last cells of a table, by each format in the first ones."""
    table = PAGE.read_text(encoding="utf-8").split(f"\n| {heading} |")[1].split("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    return {name: each[-1] for each in cells for name in re.findall(r"`(\w+)`", each[0])}


def test_the_two_classes_of_exports_are_those_of_the_exporters():
    proved, shape_checked = rows("proved in CI"), rows("shape checked")
    assert not proved.keys() & shape_checked.keys()
    assert sorted({*proved, *shape_checked}) == list(exporter_names())
    checked_by = {name: exporter_named(name).checked_by for name in exporter_names()}
    assert proved.keys() == {name for name, program in checked_by.items() if program is not None}
    for name, says in proved.items():
        assert all(program in says for program in checked_by[name].split(", "))


def test_a_format_refuses_designs_of_a_kind_that_it_cannot_express():
    circuits = "booksim evalnet ns3 opensm plane_rule plane_table program simgrid source_routes sst_merlin"
    designs = {
        Design(Network(Torus(shape=(3,)))): ("plane_rule optical_switch", "packet switches"),
        Design(dual_cube(3, (3, 5, 7))): ("optical_switch", "planes of cubes"),
        hybrid_design(): (circuits, "packet switches with circuits of an optical switch"),
    }
    for design, (refusing, what) in designs.items():
        for name in exporter_names():
            if name in refusing.split():
                with pytest.raises(InputError, match=f"^format={name}: .* has {what}; expected "):
                    exporter_named(name).begun(name, exported_design(design))
            else:
                assert design.network.family.kind in exporter_named(name).kinds
