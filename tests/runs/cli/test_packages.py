"""Families, workloads, routings and metrics of installed packages; the how-to shows what they do, here is the rest."""

import json
import re
from itertools import count

import pytest

import isoplane as ip
from isoplane.models import Design, Network
from isoplane.models.families.torus import Torus
from isoplane.objectives import CUBES
from isoplane.objectives.evaluators import own_values_of
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.runs.cli.completion import completion
from isoplane.runs.comparison.groups import groups
from isoplane.runs.records import component_words
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, solve
from isoplane.search.cubes.all_bases import all_bases
from tests.cases import for_each
from tests.tools import install_package

TORUS = ("network=torus", "network.shape=[3,3]")
FAMILY = """
from dataclasses import dataclass
from typing import ClassVar
from isoplane.models.families.torus import Torus

@dataclass(frozen=True, kw_only=True)
class Ring(Torus):
    name: ClassVar[str] = "own"
    shape: tuple[int, ...] = (5,)
"""
WORKLOADS = """
def number(processes: int = 9):
    return processes

def without_default(processes):
    return processes
"""
METRIC = """
from isoplane.objectives import Metric

METRIC = Metric("own", "hops", "Hops")

def value(metrics):
    return {value}
"""


NUMBERS = count()  # of modules, none of which is imported twice


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package with a module, and with a name that is its or something in it; return the module's name."""

    def install(group, text, name="own", inside=""):
        module = f"code_of_a_test_{next(NUMBERS)}"
        folder = tmp_path / module
        folder.mkdir()
        (folder / f"{module}.py").write_text(text)
        install_package(folder, monkeypatch, f"isoplane.{group}", **{name: f"{module}{inside}"})
        return module

    return install


def test_a_family_of_a_package_has_its_fields_as_options(isoplane, install):
    install("families", FAMILY, inside=":Ring")
    assert isoplane("evaluate", "network=own", "network.shape=[7]").out.startswith("own 7, 7 switches")
    assert isoplane("evaluate", "network=own").out.startswith("own 5, 5 switches")
    assert "network.size: unknown; expected " in isoplane("evaluate", "network=own", "network.size=7").err


@for_each(
    ("group", "text", "inside", "topic", "shown"),
    [
        ("families", FAMILY, ":Ring", "network", "  network=own"),
        ("families", FAMILY, ":Ring", "network=own", "  network.shape"),
        ("workloads", WORKLOADS, ":number", "workload", "  workload=own"),
        ("workloads", WORKLOADS, ":number", "workload.processes", "  workload.processes"),
        ("routings", "", ":routes", "network.routing", ", own;"),
        ("metrics", METRIC, "", "subject_to", "(TEXT, own;"),
        ("metrics", METRIC, "", "objective", "Metrics of packages, as min METRIC: own"),
    ],
)
def test_help_and_completion_know_what_packages_add(isoplane, install, group, text, inside, topic, shown):
    install(group, text, inside=inside)
    result = isoplane("search", "--help", topic)
    assert (result.code, result.err) == (0, "")
    assert shown in result.out
    if topic in ("network", "workload", "network.routing", "subject_to"):
        values = next(line for line in completion("bash").splitlines() if re.search(rf"search:{topic}[) ]", line))
        assert "own" in values.rpartition("echo ")[2].strip("'; ").split()


@for_each(
    ("group", "text", "inside", "words"),
    [
        ("families", FAMILY, ":Ring", ("evaluate", "network=onw")),
        ("workloads", WORKLOADS, ":number", ("evaluate", "workload=onw")),
        ("routings", "", ":own", ("evaluate", *TORUS, "network.datelines=false", "network.routing=onw")),
        ("families", FAMILY, ":Ring", ("search", "--help", "network=onw")),
    ],
)
def test_what_packages_add_may_have_been_meant(isoplane, install, group, text, inside, words):
    install(group, text, inside=inside)
    assert isoplane(*words).err.endswith("; did you mean own?\n")


@for_each(
    ("group", "name", "words"),
    [
        ("workloads", "stencil", (*TORUS, "workload=all_to_all")),
        ("workloads", "trace", TORUS),
        ("routings", "balanced", TORUS),
        ("routings", "dimension_order", TORUS),
        ("metrics", "aspl", TORUS),
    ],
)
def test_a_built_in_name_is_refused_in_one_line(isoplane, install, group, name, words):
    module = install(group, "", name, ":own")
    result = isoplane("evaluate", *words)
    assert (result.code, result.out) == (2, "")
    refused = f"entry point isoplane.{group}: {name} = {module}:own: a name of isoplane itself"
    assert result.err == f"isoplane evaluate: {refused}; expected a name of its own\n"


@for_each(
    ("group", "text", "value", "words", "message"),
    [
        ("workloads", WORKLOADS, ":number", ("workload=own",), "workload=own: returned int; expected a Workload"),
        ("workloads", WORKLOADS, ":without_default", (), "default of processes is none; expected a number"),
        ("workloads", WORKLOADS, ":absent", (), "has no function absent; expected module:function"),
        (
            "routings",
            "routes = id",
            ":routes",
            ("network.routing=own", "network.datelines=false"),
            "returned int; expected Routes",
        ),
        ("metrics", "value = len", "", (), "has no METRIC; expected a module with it"),
        ("metrics", METRIC.replace('"own"', '"other"'), "", (), "is 'other'; expected 'own'"),
        ("metrics", METRIC.format(value="0.5"), "", (), "returned 0.5; expected 1 integer,"),
    ],
)
def test_what_a_package_has_in_place_of_what_is_expected_is_one_line(
    isoplane, install, group, text, value, words, message
):
    install(group, text, inside=value)
    result = isoplane("evaluate", *TORUS, *words)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err


def test_a_metric_of_a_package_is_in_records_and_verified(isoplane, install, tmp_path):
    install("metrics", METRIC.format(value='metrics["total_hops"] + 1'))
    shown = isoplane("evaluate", *TORUS, "save=record.json").out
    record = json.loads((tmp_path / "record.json").read_text())
    expected = record["metrics"]["total_hops"] + 1
    assert record["own_metrics"] == {"own": expected}
    assert shown.splitlines()[-1].split() == ["own", str(expected), "hops"]
    assert isoplane("verify", "record=record.json").code == 0
    (tmp_path / "wrong.json").write_text(json.dumps({**record, "own_metrics": {"own": 7, "absent": 8}}))
    wrong = isoplane("verify", "record=wrong.json")
    assert wrong.code == 5
    assert f"own_metrics.own: recorded 7, recomputed {expected}\n" in wrong.out
    assert 'own_metrics.absent: recorded 8, recomputed "nothing: expected the package' in wrong.out
    install("metrics", METRIC.format(value='metrics["total_hops"] + 1\n\ndef reference(network):\n    return 5'))
    assert f"own_metrics.own: recorded {expected}, recomputed 5\n" in isoplane("verify", "record=record.json").out


def test_a_metric_of_a_package_is_a_number_of_results_in_python(install, tmp_path):
    install("metrics", METRIC.format(value='metrics["total_hops"] + 1'))
    torus = ip.evaluate(Torus(shape=(3, 3)))
    expected = torus["total_hops"] + 1
    loaded = ip.load(torus.save(tmp_path / "torus.json"))
    assert torus["own"] == loaded["own"] == torus.to_frame(dict)["own"][0] == expected
    assert str(torus).splitlines()[-1].split() == ["own", str(expected), "hops"]
    install("metrics", METRIC.format(value='round(metrics["aspl"])'))
    found = ip.find(network="hypercube", n=3, objective="min own", stop={"evaluations": 1000}).best
    assert found["own"] == round(found["aspl"])
    install("metrics", METRIC.format(value="0.5"))
    with pytest.raises(ip.InputError, match=r"returned 0\.5; expected 1 integer"):
        ip.evaluate(Torus(shape=(3, 3)))


def test_a_metric_that_designs_do_not_have_is_left_out_and_others_are_columns(install):
    torus = Design(Network(Torus(shape=(3, 3))))
    install("metrics", METRIC.format(value='metrics["sum_of_distances"]'))  # of cubes
    assert own_values_of(torus) == {}
    assert [(group.title, [column.key for column in group.columns]) for group in groups()][-1] == (
        "Metrics of packages",
        ["own"],
    )


WORDS = [
    ("min own + aspl, then delay_ns", "max_traffic >= 4"),
    ("min 2*own*delay_ns", ""),
    ("min aspl, then max own", "own <= 20, cable_length_m <= 3"),
    ("max own", "own <= 21"),
    ("min delay_ns", "own >= 24"),
    ("min delay_ns", "own >= 2400"),  # met by none: the nearest
]


@for_each(("objective", "limits"), WORDS)
def test_a_metric_of_a_package_is_weighted_limited_and_breaks_ties_as_brute_force_does(install, objective, limits):
    install("metrics", METRIC.format(value='metrics["max_load"] ** 2 + metrics["sum_of_distances"] % 4'))
    space = ConnectionSets(3)
    stated = worded_objective(objective, CUBES, space.identical)
    if limits:
        stated = limited(stated, limits, space.identical)
    *_, best = solve(space, stated, Exact(head_start=1 << 10), Limits(), seed=1)
    assert (best.status, best.evaluation.score) == ("optimal", min(stated.point(space.design(b)) for b in all_bases(3)))
    *_, annealed = solve(space, stated, Anneal(chains=2), Limits(evaluations=4000), seed=1)
    assert annealed.evaluation.score == best.evaluation.score


def test_a_metric_of_a_package_limits_a_front_and_is_one_of_its_metrics(install, tmp_path):
    install("metrics", METRIC.format(value='metrics["max_load"]'))
    points = []
    for name in ("own", "max_load"):
        words = {"objective": {"name": "front", "metrics": [name, "cost_usd_per_node"]}, "subject_to": f"{name} <= 4"}
        front = ip.find(network="hypercube", n=3, strategy="pareto", stop={"evaluations": 20_000}, **words).front
        points.append([(row[name], row["cost_usd_per_node"]) for row in front.rows])
        assert ip.verify(front[0].save(tmp_path / "best.json")) == ()
    assert points[0] == points[1]
    assert len(points[0]) > 1


def test_a_metric_of_a_package_is_made_of_times_of_circuits_and_is_verified(isoplane, install, tmp_path, no_drawing):
    module = install("metrics", METRIC.format(value='metrics["total_ns"] // 1000 + 1'))
    assert component_words(f"2*{module}:value+total") == "weighted sum of own and total"
    words = (
        "network=hybrid",
        "network.groups=2",
        "network.nodes_per_group=2",
        "workload=stencil",
        "workload.shape=[2,2]",
    )
    searched = ("objective=min bottleneck_ns, then own", "subject_to=own <= 2000000", "strategy=enumerate")
    result = isoplane("search", *words, *searched, "hydra.run.dir=run")
    assert result.code == 0, result.err
    assert "called for one design at a time" in result.err
    (path,) = (tmp_path / "run" / "records").iterdir()
    record = json.loads(path.read_text())
    own = record["metrics"]["total_ns"] // 1000 + 1
    assert (record["own_metrics"], record["score"][2]) == ({"own": own}, own)
    assert record["score"][:2] == [0, record["metrics"]["bottleneck_ns"]]
    assert isoplane("verify", f"record={path}").code == 0
    path.write_text(json.dumps({**record, "own_metrics": {"own": own + 1}}))
    assert f"own_metrics.own: recorded {own + 1}, recomputed {own}\n" in isoplane("verify", f"record={path}").out


@for_each(
    ("objective", "message"),
    [
        ("min aspl / own", "own is a function below a line; expected it in sums and products"),
        ("min onw", "did you mean own? unknown metric onw; expected aspl, "),
        ("min aspl, then own", "then own; expected then min or then max, because more of it is better"),
        ("front|objective.metrics=[aspl,own]", "more of own is better; expected what is minimised"),
    ],
)
def test_what_a_metric_of_a_package_cannot_be_is_one_line(isoplane, install, objective, message):
    install("metrics", METRIC.format(value='round(metrics["aspl"])').replace('"Hops"', '"Hops", 0, True'))
    result = isoplane("search", "network.n=3", *f"objective={objective}".split("|"))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err


def test_a_metric_of_a_package_is_maximised(isoplane, install, tmp_path, no_drawing):
    install("metrics", METRIC.format(value='metrics["max_load"]'))
    words = ("network.n=3", "strategy=exact", "hydra.run.dir=run")
    assert isoplane("search", *words, "objective=max own").code == 0
    (path,) = (tmp_path / "run" / "records").iterdir()
    record = json.loads(path.read_text())
    assert isoplane("search", *words[:2], "objective=max max_load", "hydra.run.dir=words").code == 0
    (other,) = (tmp_path / "words" / "records").iterdir()
    largest = json.loads(other.read_text())["metrics"]["max_load"]
    assert (record["score"], record["own_metrics"]) == ([-largest], {"own": largest})
    assert isoplane("verify", f"record={path}").code == 0
    assert isoplane("report", f"record={path}").code == 0
    assert '<th scope="row">Hops</th>' in path.with_suffix(".html").read_text()


def test_a_comparison_keeps_a_design_that_no_record_holds(isoplane, install, tmp_path):
    install("families", f"{FAMILY}    write = lambda self: Torus(shape=())", inside=":Ring")
    small = ("nodes=16", "ports=8", "planes=1", "failures=none", "throughput=0.2")
    run = isoplane("compare", "families=[own,torus]", *small)
    texts = [next(tmp_path.rglob(name)).read_text() for name in ("comparison.json", "report.html")]
    own, torus = sorted(json.loads(texts[0])["rows"], key=lambda row: row["family"])
    assert (own["record"], own["options"], own["values"].keys()) == (None, None, torus["values"].keys())
    for text in (run.out + run.err, texts[1]):
        assert re.search("no record: .*shape", text)
        assert torus["record"] in text
