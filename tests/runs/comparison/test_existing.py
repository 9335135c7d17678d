"""Existing designs in a comparison: measured like those that are sized."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.models import Design, InputError, Network, SwitchModel
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.graph import Graph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.objectives import default_objective, metrics_of
from isoplane.runs.comparison.compared_design import size
from isoplane.runs.comparison.conclusions import conclusions, export_line, policy_text, sentence, share_text
from isoplane.runs.comparison.existing import existing_in
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import compare, designs_at
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.racks import on_site
from isoplane.runs.comparison.tables import assumptions as compared_assumptions
from isoplane.runs.comparison.tables import json_text, summary_table
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.records import design_of_record, provenance, record_of, text_of
from isoplane.runs.terminal.design_table import assumptions
from isoplane.search import Threads
from tests.cases import for_each
from tests.runs.comparison.test_sizing import REQUEST

SMALL = replace(REQUEST, nodes=32, ports=7, families=("hypercube",), throughputs=(Fraction(1, 2), Fraction(1, 4)))
GROWTH = tuple(f"growth_{percent}_{what}" for percent in (25, 100) for what in ("usd", "moved", "reason"))


def rows_of(request, existing):
    *_, (_, rows) = compare(request, Threads(1).map, existing)
    return rows


def written_record(path, family):
    """The record of a network on the site of the request."""
    design = Design(Network(family, SMALL.site))
    evaluation = default_objective(design)(design)
    stated = provenance(0, "evaluate", {})
    path.write_text(
        text_of(record_of(design, evaluation, objective="given", status="feasible", provenance=stated)),
        encoding="utf-8",
    )
    return str(path)


def test_the_record_of_a_sized_design_has_the_same_numbers_but_growth(tmp_path):
    arrangement = Arrangement("hypercube", 2)
    existing = existing_in(written_record(tmp_path / "built.json", size(arrangement, SMALL, Fraction(1, 2)).family))
    ours = rows_of(replace(SMALL, planes=(2,), throughputs=(Fraction(1, 2),), failures="all"), existing)
    row, twin = ours[0], next(row for row in ours if row.arrangement == arrangement)
    assert row.existing == existing[0]
    assert row.design == twin.design
    assert {key: row.values[key] for key in GROWTH} == dict.fromkeys(GROWTH)
    assert [{k: v for k, v in each.values.items() if k not in GROWTH} for each in (row, twin)] == [
        {k: v for k, v in twin.values.items() if k not in GROWTH}
    ] * 2
    assert "no growth" in row.reason


def test_a_throughput_that_holds_under_one_policy_alone_is_said_beside_that_under_spray(tmp_path):
    rows = [row for row in rows_of(replace(SMALL, planes=(2,), throughputs=(Fraction(1, 2),)), ()) if row.design]
    relabelled, identical = sorted(rows, key=lambda row: not row.arrangement.relabelled)
    assert policy_text(identical) == ""
    # Spread over both planes, packets gain nothing from the other cables of the second one.
    spray = f"{100 * identical.values['throughput']:.1f} % under spray"
    assert policy_text(relabelled) == f" under policy nearest, {spray}"
    assert f" ({share_text(relabelled)} under policy nearest, {spray})" in sentence(SMALL, [relabelled])
    existing = existing_in(written_record(tmp_path / "built.json", relabelled.design.family))
    assert (
        f"% under policy nearest, {spray} at" in conclusions(SMALL, rows_of(replace(SMALL, families=()), existing))[0]
    )


def test_an_existing_design_changes_no_number_of_the_others(tmp_path):
    cheap = Fabric(planes=(FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=NODES),))
    existing = existing_in(written_record(tmp_path / "cheap.json", cheap))
    request = replace(SMALL, ports=17, node_ports=1, planes=(1,))
    assert rows_of(request, existing)[1:] == rows_of(request, ())


def test_an_existing_design_of_relabelled_planes_has_its_planes_in_the_same_racks(tmp_path):
    plane = HyperX(shape=(4, 2), nodes_per_switch=4)
    family = Relabelled(plane=plane, places=((3, 1, 4, 0, 5, 2, 6, 7),))
    (row,) = rows_of(replace(SMALL, families=()), existing_in(written_record(tmp_path / "built.json", family)))
    floor = on_site(row.design.family, SMALL.site).floor
    assert floor.of_switches[0].tolist() == floor.of_switches[1].tolist()


RING = ((0, 1), (1, 2), (2, 3), (0, 3))
STATED = tuple((*edge, 2.5) for edge in RING)


@for_each(
    ("family", "in_evaluate", "in_comparisons"),
    [
        (
            Torus(shape=(4,), assumed_cable_m=7),
            "assumed 7 m each",
            "are too, where isoplane evaluate record=FILE has them assumed 7 m each",
        ),
        (Torus(shape=(4,), assumed_cable_m=None), "laid out on the floor (layout=paper)", None),
        (Graph(edges=STATED), "as stated", "are as stated"),
        (Graph(edges=STATED[:3] + RING[3:]), "as stated, unknown ones assumed 1 m each", "are as stated, unknown ones"),
    ],
)
def test_evaluate_and_compare_have_the_same_numbers_or_say_which_lengths_differ(
    tmp_path, family, in_evaluate, in_comparisons
):
    file = written_record(tmp_path / "built.json", family)
    request = replace(REQUEST, nodes=4, ports=3, node_ports=1, planes=(1,), families=(), failures="none")
    (row,) = rows = rows_of(request, existing_in(file))
    evaluated = Design(Network(family, request.site))
    assert assumptions(evaluated)[0] == f"Cables between switches are {in_evaluate}."
    lengths, prices, _ = compared_assumptions(request, rows)
    if in_comparisons is None:
        assert lengths == "Cables are laid out on the floor (layout=paper)."
    else:
        assert f"; those of {file} {in_comparisons.replace('FILE', file)}" in lengths
    assert prices.split("(prices.by")[1] == assumptions(evaluated)[1].split("(prices.by")[1]
    ours = metrics_of(Design(Network(with_layout_lengths(family), request.site)))
    shared = {name: value for name, value in ours.items() if name in row.values}
    assert {"aspl", "diameter", "delay_ns", "cost_usd_per_node"} <= shared.keys()
    assert {name: row.values[name] for name in shared} == shared
    is_the_same = metrics_of(evaluated)["delay_ns"] == row.values["delay_ns"]
    assert is_the_same == (in_comparisons is None or "too" not in in_comparisons)


def test_prices_per_gbps_of_other_rates_are_told_apart_with_the_option_that_makes_them_alike(tmp_path):
    names = "a/x/fabric.json", "b/x/fabric.json", "b/other.json"
    plane = {"switches": 2, "cables": [[0, 1, 1, 1]], "nodes": NODES}
    for name, rate in zip(names, (200, 100, None), strict=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        rates = {} if rate is None else {"rates_gbps": [rate], "node_rates_gbps": [rate] * len(NODES)}
        (tmp_path / name).write_text(json.dumps({"planes": [{**plane, **rates}]}), encoding="utf-8")
    existing = existing_in([str(tmp_path / name) for name in names])
    assert [each.name for each in existing] == ["a/x/fabric.json", "b/x/fabric.json", "other.json"]
    assert [each.gbps for each in existing] == [200, 100, None]
    request = replace(SMALL, ports=17, node_ports=1, planes=(1,), families=(), failures="none")
    fast = replace(request, site=replace(request.site, switch=SwitchModel(link_gbps=200)))
    for asked, named, option in (
        (request, "a/x/fabric.json at its own 200 G", "=200"),
        (fast, "b/x/fabric.json at its own 100 G", "=100"),
    ):
        (note,) = (each for each in compared_assumptions(asked, rows_of(asked, existing)) if "per Gbit/s" in each)
        assert f": {named}" in note
        assert note.count(" at its own ") == 1
        assert f"; switch.link_gbps{option} " in note
    prices = {row.existing.name: row.values["cost_usd_per_gbps"] for row in rows_of(request, existing)}
    assert prices["b/x/fabric.json"] == prices["other.json"] == pytest.approx(2 * prices["a/x/fabric.json"])


NODES = tuple((node, node // 16, 2 + node % 16) for node in range(32))  # of two switches with one cable between them


def test_the_numbers_of_an_existing_fabric_follow_from_its_cables(tmp_path):
    # If each of 32 nodes sends a packet to every node, 16 x 16 of them cross the one cable: throughput 32 / 256.
    (tmp_path / "fabric.json").write_text(
        json.dumps({"planes": [{"switches": 2, "cables": [[0, 1, 1, 1]], "nodes": NODES}]}), encoding="utf-8"
    )
    existing = existing_in([str(tmp_path / "fabric.json")])
    assert existing[0].sizes == {"nodes": 32, "ports": 17, "node_ports": 1}
    (row,) = rows_of(replace(SMALL, ports=17, node_ports=1, planes=(1,), families=()), existing)
    values = row.values
    assert values["throughput"] == values["throughput_bound"] == 32 / 256
    assert values["bisection"] == values["bisection_bound"] == values["worst_permutation"] == 1 / 16
    assert (values["switches"], values["cables"], values["spare_ports"]) == (2, 1, 0)
    assert (values["diameter"], values["aspl"], values["disjoint_paths_min"]) == (1, 0.5, 1)
    assert values["switch_lost_nodes"] == 16
    assert values["longest_cable_m"] == 2.0  # those of nodes: both switches are in one rack


def test_every_table_has_the_existing_designs_with_the_columns_of_the_others(tmp_path):
    (tmp_path / "fabric.json").write_text(
        json.dumps({"planes": [{"switches": 2, "cables": [[0, 1, 1, 1]], "nodes": NODES}]}), encoding="utf-8"
    )
    rows = rows_of(replace(SMALL, ports=17, node_ports=1, planes=(1,)), existing_in(str(tmp_path / "fabric.json")))
    first, second = (designs_at(rows, least) for least in SMALL.throughputs)
    assert [row.existing is not None for row in first].count(True) == 1
    assert {frozenset(row.values) for row in second} == {frozenset(second[-1].values)}
    assert set(second[0].values) < set(rows[0].values)
    prices = [row.values["cost_usd_per_node"] for row in first]
    assert prices == sorted(prices)


def config(**given):
    """The options of a request, with the sizes left out."""
    options = json.loads(json_text(SMALL, ()))["request"]
    return {**options, "nodes": None, "ports": None, "node_ports": None, "planes": None, **given}


def test_sizes_that_are_left_out_are_those_of_the_existing_designs(tmp_path):
    plane = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=NODES)
    wide = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=tuple((n, s, p + 3) for n, s, p in NODES))
    file = written_record(tmp_path / "three.json", Fabric(planes=(plane, plane, wide)))
    smaller = Fabric(planes=(FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=NODES[:20]),))
    existing = existing_in([file, written_record(tmp_path / "one.json", smaller)])
    found = request_of(config(), existing)
    assert (found.nodes, found.ports, found.node_ports, found.planes) == (20, 17, 3, (1, 3))
    assert found.existing == (file, str(tmp_path / "one.json"))
    assert request_of(json.loads(json_text(found, ()))["request"], existing) == found
    for name, value, word in (("nodes", 21, "least"), ("ports", 16, "most"), ("node_ports", 2, "most")):
        with pytest.raises(InputError, match=rf"{name}=\d+; expected at {word} {name}={value}"):
            request_of(config(**{name: value}), existing)


def test_lengths_that_a_file_states_stay_and_others_follow_from_the_layout(tmp_path):
    plane = {"switches": 2, "cables": [[0, 1, 1, 1]], "nodes": NODES}
    for name, more in (("stated", {"lengths_m": [7.5]}), ("open", {})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"planes": [{**plane, **more}]}), encoding="utf-8")
    stated, open_lengths = existing_in([str(tmp_path / "stated.json"), str(tmp_path / "open.json")])
    assert (stated.design.assumed_cable_m, open_lengths.design.assumed_cable_m) == (1.0, None)
    assert open_lengths.words.endswith("network.assumed_cable_m=null")


@for_each(
    ("content", "message"),
    [
        ("{}", "neither a record nor a fabric; expected a record, or fabric.json of isoplane import"),
        ("]", r"damaged JSON \(.*\); expected a record, or fabric.json of isoplane import"),
        ('{"schema": 7}', "schema=7: expected 1, 2"),
        ('{"planes": 3}', "no planes; expected a file as isoplane import writes it"),
    ],
)
def test_files_that_are_neither_are_rejected_with_their_name(tmp_path, content, message):
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        existing_in(str(file))
    assert str(error.value).startswith(f"existing={file}: ")


def test_a_file_is_given_once():
    for second in ("a", "b/../a"):
        with pytest.raises(InputError, match=f"existing={second}: given twice; expected each file once"):
            existing_in(["a", second])


def test_every_export_that_a_comparison_names_can_be_run(tmp_path):
    rings = Torus(shape=(4,)), Torus(shape=(4,), node_cable_m=2)  # nodes inside of switches, and beside them
    files = [written_record(tmp_path / f"{number}.json", ring) for number, ring in enumerate(rings)]
    one = {"families": ("full_mesh",), "planes": (1,), "throughputs": (Fraction(1, 2),), "failures": "none"}
    request = replace(SMALL, nodes=3, **one)
    rows = rows_of(request, existing_in(files))
    assert [row.existing and row.existing.file for row in rows] == [*files, None]
    for row in rows:
        program, verb, *words = shlex.split(export_line(row, request))
        assert (program, verb) == ("isoplane", "export")
        options = dict(word.split("=", 1) for word in words)
        given = {"nodes": int(options["nodes"])} if "nodes" in options else {}
        for name in options["format"].strip("[]").split(","):
            exported = Exported(design_of_record(row.record), row.record, given)
            assert dict(exporter_named(name).begun(name, exported))


def test_a_network_of_two_families_says_in_which_numbers_its_designs_differ(tmp_path):
    file = written_record(tmp_path / "built.json", Graph(edges=STATED))
    request = replace(REQUEST, nodes=4, ports=3, node_ports=1, planes=(1,), families=("torus",), failures="none")
    rows = rows_of(request, existing_in(file))
    ring, (built,) = next(row for row in rows if row.same_as), (row for row in rows if row.existing)
    # A graph is routed up and down, the ring over shortest paths.
    assert ring.values["throughput"] > built.values["throughput"]
    assert ring.values["cost_usd_per_node"] != built.values["cost_usd_per_node"]  # by the lengths of cables
    said = summary_table(request, rows).partition(": same network as existing built.json: graph of 4 switches")[2]
    differing = "throughput, all places; throughput, requested nodes; delay; longest cable; price"
    assert said.startswith(f", but for {differing}: other routes or racks")
