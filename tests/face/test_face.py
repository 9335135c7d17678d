"""`import isoplane as ip`: the same options, numbers and errors as on the command line, and nothing written unasked."""

import csv
import inspect
import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import isoplane as ip
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import all_to_all, stencil
from isoplane.runs.cli.keywords import config_from
from isoplane.runs.cli.main import main
from isoplane.runs.cli.verbs import configured
from isoplane.runs.config.allowed_keys import option_defaults
from isoplane.runs.config.config_values import plain
from isoplane.runs.config.installed_choices import shown_choices
from tests.cases import for_each

from .calls import CIRCUITS, SMALL

CUBE = {"network": "hypercube", "n": 4, "objective": "aspl", "stop": {"evaluations": 5000}}
FUNCTIONS = {"evaluate": "evaluate", "find": "search", "compare": "compare", "simulate": "simulate",
             "verify": "verify", "export": "export"}  # fmt: skip
NOT_TAKEN = {"record", "save", "resume", "columns", "format"}  # arguments of their own, or folders


def printed(*words):
    with redirect_stdout(StringIO()) as output:
        assert main(list(words)) == 0
    return output.getvalue()


@pytest.fixture
def empty(tmp_path, monkeypatch, blank_charts):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@for_each(
    ("verb", "options", "words"),
    [
        ("search", CUBE, ["network=hypercube", "network.n=4", "objective=aspl", "stop.evaluations=5000"]),
        ("search", {"stop.gap": 0.1, "n": 5}, ["stop.gap=0.1", "network.n=5"]),
        ("search", {"strategy": {"name": "anneal"}, "workers": 2}, ["strategy=anneal", "workers=2"]),
        ("evaluate", {"network": {"family": "torus", "shape": (4, 4)}, "layout": None},
         ["network=torus", "network.shape=[4,4]", "layout=none"]),
        ("evaluate", {"network": {"family": "multi_plane", "plane": {"family": "slim_fly", "q": 5}}},
         ["network=multi_plane", "network@network.plane=slim_fly", "network.plane.q=5"]),
        ("evaluate", {"workload": {"kind": "stencil", "shape": [2, 4]}}, ["workload=stencil", "workload.shape=[2,4]"]),
        ("search", {"objective": "min delay_ns", "subject_to": "max_load <= 9"},
         ["objective.name='min delay_ns'", "subject_to='max_load <= 9'"]),
        ("compare", {"nodes": 16, "ports": 8, "prices": {"by": "port"}}, ["nodes=16", "ports=8", "prices.by=port"]),
        ("simulate", {"loads": [0.1], "traffic": "tornado"}, ["loads=[0.1]", "traffic=tornado"]),
        ("evaluate", {"network": "torus", "cable_m": 4}, ["network=torus", "network.assumed_cable_m=4"]),  # older name
    ],
)  # fmt: skip
def test_options_are_those_of_the_command_line(verb, options, words):
    with configured(verb, words) as config:
        expected = plain(config)
    found, overrides = config_from(verb, options)
    assert found.plain() == expected
    assert not any(word.startswith("network.cable_m") for word in overrides)


@for_each(("name", "verb"), FUNCTIONS.items())
def test_signatures_have_every_option_with_its_default(name, verb):
    named = {
        key: parameter.default
        for key, parameter in inspect.signature(getattr(ip, name)).parameters.items()
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY
    }
    others = {"export": {"format"}}.get(verb, set())
    assert named == {key: value for key, value in option_defaults(verb).items() if key not in NOT_TAKEN | others}


@for_each(
    ("call", "message"),
    [
        (lambda: ip.find(network="hypercubee"), "network=hypercubee: expected direct_hypercube, "),
        (lambda: ip.find(network="hypercube", m=3), "network.m: unknown; expected family, generators, n, "),
        (lambda: ip.find(stop={"second": 3}), "stop.second: unknown; expected evaluations, gap, "),
        (lambda: ip.find(workload={"processes": 3}), "workload.processes=3: workload=null; expected a choice"),
        (lambda: ip.find(**CUBE, warm_start=1.5), "warm_start=1.5: expected the path"),
        (lambda: ip.find(**CUBE, judge="simulator"), "judge=simulator: simulates what was found"),
        (lambda: ip.find(network=Torus(), objective="aspl"), "network=torus: has no search variables; expected folded"),
        (lambda: ip.find(nodes=1000), "ports=null: expected nodes and ports, such as ports=36"),
        (lambda: ip.find(nodes="many", ports=36), "nodes='many': expected an integer from 2 to "),
        (lambda: ip.find(nodes=1000, ports=36.5), "ports=36.5: expected an integer from 2 to "),
        (lambda: ip.find(nodes=1000, ports=36, n=6), "nodes=1000, network.n=6: expected a size, or nodes and ports"),
        (
            lambda: ip.find(nodes=64, ports=9, network={"family": "torus"}),
            "network={'family': 'torus'}: expected host_graph",
        ),
        (lambda: ip.find(nodes=100_000, ports=6), "ports=6: 4096 switches carry 16386 nodes; expected"),
        (
            lambda: ip.find(**CUBE, resume="there"),
            "resume=there: a search in Python has no folder to resume; expected isop",
        ),
        (lambda: ip.evaluate(Torus(shape=(3, 3)), **{"network.n": 3}), "network.n=3: has no effect here"),
        (
            lambda: ip.evaluate(Torus(shape=(3, 3)), routing="up_down"),
            "routing='up_down': has no effect here, as the design is given; expected any_routing, failed_cables, ",
        ),
        (lambda: ip.find(Torus), "find(<class 'isoplane.models.families.torus.Torus'>): expected options by their"),
        (lambda: ip.evaluate(3), "design=3: expected a result"),
        (lambda: ip.evaluate(n=object()), "network.n=<object"),
        (lambda: ip.evaluate(layout=all_to_all(32, 8)), "layout=PhasedWorkload(name='all_to_all', processes=32, "),
        (lambda: ip.evaluate(n=list(range(1000))), "network.n=[0, 1, 2, 3, "),
        (lambda: ip.load("absent.json"), "record=absent.json: no such file"),
        (lambda: ip.load("absent.txt"), "file=absent.txt: No such file"),
    ],
)
def test_bad_input_is_one_line(call, message):
    with pytest.raises(ip.InputError) as error:
        call()
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


def test_a_class_as_a_network_is_refused_with_what_a_family_of_ones_own_takes():
    with pytest.raises(ip.InputError, match=r", or NAME with --config-dir DIR, .*NAME.yaml has _target_: mine.Own$"):
        ip.evaluate(network="mine:Own")


def test_a_workload_made_in_python_is_an_option_like_one_by_name(tmp_path, blank_charts):
    torus, work = ip.evaluate(Torus(shape=(3, 3))), all_to_all(5, 1000)
    by_name = {"kind": "all_to_all", "processes": 5, "message_bytes": 1000}
    design = ip.evaluate(torus, workload=work, placement="random")
    assert design.metrics == ip.evaluate(torus, workload=by_name, placement="random").metrics
    assert "all_to_all takes" in design.save(tmp_path / "torus.html").read_text(encoding="utf-8")
    saved = torus.save(tmp_path / "torus.json")
    assert ip.evaluate(saved, workload=work)["completion_ns"] == ip.evaluate(torus, workload=by_name)["completion_ns"]
    assert ip.verify(Torus(shape=(3, 3)), workload=work) == ()
    with pytest.raises(ip.InputError, match="^workload=all_to_all: has no effect here"):
        ip.export(torus, "edges", tmp_path / "edges", workload=work)


def test_a_record_holds_the_workload_made_in_python_that_its_circuits_are_for(tmp_path):
    design = ip.evaluate(network="hybrid", groups=2, nodes_per_group=4, workload=stencil((2, 4), 8))
    assert ip.load(design.save(tmp_path / "hybrid.json")).metrics == design.metrics


def test_the_version_is_that_of_the_command_line(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"isoplane {ip.__version__}\n"


def test_the_package_itself_imports_nothing_heavy():
    code = "import isoplane, sys; print(sorted({'numpy', 'hydra', 'matplotlib', 'ast'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    assert sorted(dir(ip)) == sorted(ip.__all__)
    assert all(getattr(ip, name).__doc__ for name in ip.__all__)


def test_a_search_finds_what_the_command_line_finds(empty):
    printed("search", "network.n=4", "objective=aspl", "stop.evaluations=5000", "hydra.run.dir=run")
    (file,) = (empty / "run" / "records").iterdir()
    search = ip.find(**CUBE)
    scores = [design.to_dict()["score"] for design in search]
    found, written = search.best.to_dict(), json.loads(file.read_text())
    assert scores == sorted(scores, reverse=True)
    assert {**found, "provenance": None} == {**written, "provenance": None}
    assert found["provenance"]["config"] == written["provenance"]["config"]
    assert search.best.status == "proven optimal over all linear relabellings of plane 1"
    assert search.is_target_reached
    assert ip.load("run").to_dict() == written
    assert search.best.metrics == ip.load(file).metrics == ip.evaluate(file).metrics


def test_a_front_has_its_designs_and_their_numbers(empty):
    objective = {"name": "front", "metrics": ["aspl", "cable_length"]}
    search = ip.find(network="hypercube", n=5, objective=objective, strategy="pareto", stop={"evaluations": 20_000})
    front = search.front
    points = sorted((row["aspl"], row["cable_length_m"]) for row in front.rows)
    assert len(front) == len(list(front)) == len(points) > 1
    assert [metres for _, metres in points] == sorted({metres for _, metres in points})[::-1]  # none dominates another
    assert front.to_frame(dict)["aspl"] == [design["aspl"] for design in front]
    sets = [" ".join(map(str, design.to_dict()["network"]["planes"][1]["generators"])) for design in front]
    latex = front.save(empty / "front.tex").read_text(encoding="utf-8")
    assert [line.removesuffix(r" \\").rpartition(" & ")[2] for line in latex.splitlines()[-2 - len(sets) : -2]] == sets
    narrow = front.save(empty / "front.tex", columns=["aspl", "status"]).read_text(encoding="utf-8").splitlines()
    assert (narrow[2:4], len(narrow)) == ([r"ASPL & status \\", r"(hops) &  \\"], 7 + len(sets))
    (empty / "front.tex").unlink()
    with pytest.raises(ip.InputError, match=r"^columns=\['aspl'\]: no table in front.svg; expected a name with .csv, "):
        front.save("front.svg", columns=["aspl"])
    assert len(front.to_dict()["designs"]) == len(front)
    assert not list(empty.iterdir())
    with pytest.raises(ip.InputError, match="several designs; expected one of them"):
        ip.evaluate(front)


def test_a_search_of_sizes_finds_the_best_of_each(tmp_path):
    shared = {"objective": "aspl", "stop": {"evaluations": 5000}}
    search = ip.find(network="hypercube", nodes=64, ports=9, **shared)
    found = {design.title: design for design in search}
    sizes = [dict(network="hypercube", n=n, nodes_per_switch=64 >> n, **shared) for n in (4, 5, 6)]
    alone = [ip.find(**size).best for size in sizes]
    assert [row["size"] for row in search.front.rows] == ["hypercube-n4", "hypercube-n5", "hypercube-n6"]
    assert [design.metrics for design in search.front] == [design.metrics for design in alone]
    assert [design.metrics for design in found.values()] == [design.metrics for design in alone]
    assert search.front.status == "3 of 3 proven optimal"
    assert len(search.front.plot().axes) == 2
    assert [ip.load(search.front[n].save(tmp_path / f"{n}.json")).title for n in range(3)] == list(found)
    with pytest.raises(ip.InputError, match="best: 3 sizes, whose scores differ; expected front"):
        search.best  # noqa: B018
    with pytest.raises(ip.InputError, match="each design has a page of its own"):
        search.front.save(tmp_path / "sizes.html")


def test_a_search_for_nodes_and_ports_by_price_is_that_of_the_command_line():
    best = ip.find(nodes=16, ports=8, throughput=0.9, network="host_graph", stop={"evaluations": 500}).best
    assert best["throughput_per_node"] >= 0.9 * 2
    assert best.to_dict()["network"]["cable_m"] is None  # lengths and prices of the floor, as in a comparison


def test_what_a_design_is_made_of_is_what_the_command_line_reads(empty):
    design = ip.evaluate(Torus(shape=(4, 4)))
    assert design.metrics == ip.evaluate(network="torus", shape=[4, 4]).metrics
    design.save("torus.json")
    assert "every number agrees" in printed("verify", "record=torus.json")
    printed("evaluate", "network=torus", "network.shape=[4,4]", "save=same.json")
    same = json.loads(Path("same.json").read_text())
    assert {**same, "provenance": None} == {**design.to_dict(), "provenance": None}
    assert ip.verify(design) == ip.verify("torus.json") == ip.verify(design.design) == ()
    changed = same | {"metrics": same["metrics"] | {"diameter": 5}}
    Path("changed.json").write_text(json.dumps(changed))
    assert [str(each) for each in ip.verify("changed.json")] == ["metrics.diameter: recorded 5, recomputed 4"]


def test_a_simulation_has_the_runs_of_the_command_line(empty):
    options = {"loads": [0.2, 0.6], "saturation": False, "measurement": "rough"}
    runs = ip.simulate(Torus(shape=(3, 3)), **options)
    assert not list(empty.iterdir())
    printed("simulate", "network=torus", "network.shape=[3,3]", "loads=[0.2,0.6]", "saturation=false",
            "measurement=rough", "hydra.run.dir=run")  # fmt: skip
    runs.save("runs.csv")
    named, written = (
        list(csv.DictReader(Path(file).read_text().splitlines())) for file in ("runs.csv", "run/curve.csv")
    )
    assert [{key: text.lower() for key, text in row.items()} for row in named] == written
    summary = json.loads(Path("run/summary.json").read_text())
    summary.pop("verified_by")
    assert {**runs.to_dict(), "runs": 2} == summary
    assert runs.to_dict()["runs"] == json.loads(Path("run/report.json").read_text())["runs"]


def test_a_simulation_of_circuits_has_the_numbers_and_the_page_of_the_command_line(empty):
    printed("simulate", "network=hybrid", "network.groups=2", "network.nodes_per_group=4", "workload=stencil",
            "workload.shape=[2,4]", "shorten=1000", "hydra.run.dir=run")  # fmt: skip
    runs = ip.simulate(**CIRCUITS, shorten=1000)
    summary = json.loads(Path("run/summary.json").read_text())
    summary.pop("verified_by")
    assert runs.to_dict() == summary
    pages = [Path(file).read_text() for file in (runs.save("page.html"), "run/report.html")]
    command = re.compile(r"isoplane verify [^<]*")
    assert command.sub("", pages[0]) == command.sub("", pages[1])


def test_a_comparison_has_the_rows_of_the_command_line(empty):
    comparison = ip.compare(**SMALL)
    assert not list(empty.iterdir())
    printed("compare", "nodes=16", "ports=8", "throughput=0.5", "families=[full_mesh,hyperx]", "failures=none",
            "workers=1", "hydra.run.dir=run")  # fmt: skip
    written = json.loads(Path("run/comparison.json").read_text())
    records = [json.loads(Path("run", row["record"]).read_text()) for row in written["rows"]]
    rows, found = [{**row, "record": None} for row in written["rows"]], comparison.to_dict()
    assert found == {**written, "rows": rows, "designs": found["designs"]}
    assert [record | content for record, content in zip(records, found["designs"], strict=True)] == records
    assert comparison[0].design.network.nodes == comparison["nodes"]
    assert [design["diameter"] for design in comparison] == [row["diameter"] for row in comparison.rows]


def test_choices_are_those_of_the_command_line():
    assert {"hypercube", "torus", "fabric"} <= set(ip.list_networks())
    assert ip.list_objectives() == shown_choices("objective")  # as the help prints them
    assert "ASPL x load" in ip.list_objectives()["aspl_and_traffic"]  # which is minimised, and traffic maximised
    assert all(ip.list_networks().values())
    assert all(ip.list_workloads().values())


@for_each(
    ("options", "meant"),
    [
        ({"network": "hypercub"}, "hypercube"),
        ({"network": "hypercube", "objective": "apsl"}, "aspl"),
        ({"network": "hypercube", "stop": {"second": 5}}, "seconds"),
    ],
)
def test_an_error_in_python_names_the_word_that_was_probably_meant(options, meant):
    with pytest.raises(ip.InputError, match=rf"; did you mean {meant}\?$"):
        ip.find(**options)
