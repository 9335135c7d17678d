"""`isoplane search nodes= ports=`: the sizes that fit, each searched like a network given by its keys."""

import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

import isoplane as ip
from isoplane.models import InputError
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.family import plane_count
from isoplane.objectives.scoring.gap import gap_text
from isoplane.runs.cli.sized_search import networks_of
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.sizes.distances import diameter
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.comparison.sizes.racks import price_of
from isoplane.runs.comparison.sizes.throughputs import routed_throughput
from isoplane.runs.config.config_values import plain
from isoplane.runs.folder.sweep_table import sweep_rows
from isoplane.runs.records import design_of_record, read_record
from tests.cases import for_each

from .conftest import composed_config, files


def host_graph(nodes, ports, planes=2):
    return {
        "network": "host_graph",
        "network.nodes": nodes,
        "network.ports": ports,
        "network.planes": planes,
    }


def options_of(name, n, per_switch):
    return {"network": name, "network.n": n, "network.nodes_per_switch": per_switch}


@for_each(("nodes", "ports"), [(1000, 36), (100, 12), (64, 8), (3, 4), (5000, 20)])
def test_networks_are_all_dimensions_with_enough_nodes_and_ports(nodes, ports):
    expected, fewest = {"host_graph": host_graph(nodes, ports)}, {}
    for name, folded in (("folded_hypercube", 1), ("hypercube", 0)):
        for n in range(2, 17):
            per_switch = max(1, -(-nodes // 2**n))
            # One that is larger with as many nodes at a switch has more switches and leaves no more ports.
            if n + folded + per_switch <= ports and per_switch < fewest.get(name, ports):
                fewest[name] = per_switch
                expected[f"{name}-n{n}"] = options_of(name, n, per_switch)
    found = networks_of({"nodes": str(nodes), "ports": str(ports)})
    assert found == expected
    assert len(found) > 1
    one = networks_of({"nodes": str(nodes), "ports": str(ports), "network": "hypercube"})
    assert one == {name: options for name, options in expected.items() if name.startswith("hypercube")}


@for_each(
    ("given", "message"),
    [
        ({"nodes": "100"}, "ports=null: expected nodes and ports, such as ports=36"),
        ({"nodes": "many", "ports": "9"}, "nodes='many': expected an integer from 2"),
        ({"nodes": "100", "ports": "2"}, "nodes=100, ports=2: no host_graph or folded_hypercube or hypercube has them"),
        ({"nodes": "9000", "ports": "4", "network": "host_graph"}, "ports=4: 4096 switches carry 8194 nodes"),
        ({"nodes": "100", "ports": "9", "planes": "9"}, "planes=9: expected an integer from 1 to 8"),
        ({"nodes": "9", "ports": "9", "planes": "3", "network": "hypercube"}, "network=hypercube: expected host_graph"),
        ({"nodes": "9", "ports": "9", "network": "torus"}, "network=torus: expected host_graph, folded_hypercube"),
        ({"nodes": "9", "network.n": "3"}, "nodes=9, network.n=3: expected a size, or nodes and ports"),
    ],
)
def test_sizes_that_cannot_be_found_are_refused(given, message):
    with pytest.raises(InputError, match=f"^{message}"):
        networks_of(given)


def test_networks_of_a_throughput_are_searched_by_the_prices_of_comparisons(isoplane, tmp_path, no_drawing):
    found = networks_of({"nodes": "60", "ports": "12", "planes": "3", "throughput": "0.5"})
    assert list(found) == ["host_graph"]
    prices = {"prices.by": "switch", "prices.switch_ports": 12, "prices": "infiniband_edr_ranges"}
    assert host_graph(60, 12, 3).items() | prices.items() < found["host_graph"].items()
    words = (
        "nodes=60",
        "ports=12",
        "throughput=0.5",
        "stop.evaluations=1000",
        "strategy.first_leg=100",
        "strategy=anneal",
    )
    searched = isoplane("search", *words, "network=host_graph", "hydra.run.dir=run")
    assert searched.code == 0
    (file,) = (tmp_path / "run" / "host_graph" / "records").iterdir()
    metrics = json.loads(file.read_text())["metrics"]
    assert metrics["throughput_per_node"] >= 0.5 * 2
    request = request_of(plain(composed_config("compare", "nodes=60", "ports=12")))
    priced = price_of(design_of_record(read_record(file)).network.family, request, in_order=True)
    assert priced / (100 * 60) == pytest.approx(metrics["cost_usd_per_node"])
    bound = price_bound(request, Fraction(1, 2))
    status = f"limits met, cost within {gap_text(Fraction(priced - bound, priced))}"
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert status in page.replace("\u00a0%", " %")
    assert "without a known bound" not in page + searched.out.partition("\ndesign  ")[2]
    assert f"has 50 % for less than {bound // 6000:,} US$ per node" in searched.out
    cubes = networks_of({"nodes": "60", "ports": "12", "throughput": "0.5", "network": "hypercube"})
    others = ("network=hypercube", "stop.evaluations=100", "strategy.first_leg=null")
    assert isoplane("search", *words, *others, "hydra.run.dir=cubes").code == 0
    assert {path.name for path in (tmp_path / "cubes").iterdir() if path.is_dir()} >= set(cubes)
    rows = sweep_rows(tmp_path)  # of both, whose records state different metrics
    assert {row["family"] for row in rows} == {"host_graph", "hypercube"}
    for row in rows:
        family = design_of_record(read_record(tmp_path / row["run"] / "records" / row["record"])).network.family
        planes = plane_count(family)
        assert row["throughput_per_node"] == pytest.approx(float(routed_throughput(family, planes) * planes))
        assert row["diameter"] == diameter(family)


def test_every_size_is_searched_as_if_its_keys_were_given(isoplane, tmp_path, no_drawing):
    limits = (
        "stop.evaluations=300",
        "strategy=anneal",
        "diameter=2",
    )  # 2 planes of n=5 reach 1 + 10 + 20 of 32 offsets
    result = isoplane("search", "nodes=30", "ports=9", "network=hypercube", *limits, "hydra.run.dir=sizes")
    assert result.code == 0
    assert "no design meets all limits; the nearest misses diameter <= 2 (diameter=3)" in result.err
    assert "3 networks, one after another: hypercube-n3, hypercube-n4, hypercube-n5" in result.err
    assert result.out.splitlines()[-1] == f"report: {Path('sizes', 'report.html')}"
    table = result.out.partition("\ndesign  ")[2].splitlines()
    names = [line[:13] for line in table if line.startswith("hypercube n=")]
    assert names == ["hypercube n=3", "hypercube n=4", "hypercube n=5"]
    request = request_of(plain(composed_config("compare", "nodes=30", "ports=9")))
    (record,) = (tmp_path / "sizes" / "hypercube-n3" / "records").iterdir()
    cents = price_of(design_of_record(read_record(record)).network.family, request, in_order=True)
    answer = next(line for line in table if line.startswith("Cheapest: "))
    assert answer.startswith(f"Cheapest: hypercube n=3, at {cents / 100 / 30:,.0f} US$ per node, ")
    page = (tmp_path / "sizes" / "report.html").read_text(encoding="utf-8")
    assert answer in page.replace("\u2011", "-").replace("\u00a0%", " %")
    rewritten = isoplane("report", "sweep=sizes")
    assert (tmp_path / "sizes" / "report.html").read_text(encoding="utf-8") == page
    assert answer in rewritten.out.splitlines()
    assert [f'data-row="{number}"' in page for number in range(5)] == [False, True, True, True, False]
    export = next(line for line in table if line.startswith("next: ")).removeprefix("next: isoplane ")
    assert isoplane(*shlex.split(export)).code == 0
    words = [f"{key}={value}" for key, value in options_of("hypercube", 3, 4).items()]
    alone = isoplane("search", *words, *limits, "hydra.run.dir=alone")
    assert alone.code == 0
    (again,) = (tmp_path / "alone" / "records").iterdir()
    assert (tmp_path / "sizes" / "hypercube-n3" / "records" / again.name).read_bytes() == again.read_bytes()
    assert "nodes: null" not in (tmp_path / "alone" / "config.yaml").read_text()
    refused = isoplane("search", "--multirun", "nodes=30", "ports=9", "hydra.sweep.dir=sweep")
    assert refused.code == 2
    assert "nodes=30: expected in isoplane search, without --multirun" in refused.err
    assert not [name for name in files(tmp_path) if name.startswith("sweep/") and "records" in name]


def test_sizes_in_python_are_in_the_order_of_their_prices_as_in_the_table():
    sizes = {"nodes": 12, "ports": 6}
    front = ip.find(**sizes, stop={"evaluations": 100}).front
    request = request_of(plain(composed_config("compare", "nodes=12", "ports=6", "node_ports=2", "planes=2")))
    families = [with_layout_lengths(design.design.network.family) for design in front]
    cents = [price_of(family, request, in_order=True) for family in families]
    assert cents == sorted(cents)
    assert [row["cost_usd_per_node"] for row in front.rows] == pytest.approx([price / 1200 for price in cents])
    assert [design["aspl"] for design in front] == [row["aspl"] for row in front.rows]
    names = [row["size"] for row in front.rows]
    assert sorted(names) == sorted(networks_of(sizes))
    assert names != list(networks_of(sizes))  # which has all sizes of a family one after another


def test_racks_hold_the_nodes_of_a_large_switch(isoplane):
    result = isoplane("search", "nodes=200", "ports=128", "planes=1", "throughput=0.5", "stop.evaluations=200")
    assert result.code == 0
    assert "racks hold 128 nodes, all of a switch, in place of 64" in result.err
    assert "Cheapest: host_graph 200/128" in result.out
