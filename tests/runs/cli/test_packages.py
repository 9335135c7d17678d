"""Families, workloads, routings and metrics of installed packages; the how-to shows what they do, here is the rest."""

import json
from itertools import count

import pytest

import isoplane as ip
from isoplane.models import Design, Network, families
from isoplane.models.families.torus import Torus
from isoplane.objectives import evaluator_of
from isoplane.objectives.scoring.own_metrics import own_values_of
from isoplane.runs.comparison.groups import groups
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
    ("group", "name", "words"),
    [
        ("families", "torus", TORUS),
        ("workloads", "stencil", (*TORUS, "workload=all_to_all")),
        ("workloads", "trace", TORUS),
        ("routings", "balanced", TORUS),
        ("routings", "dimension_order", TORUS),
        ("metrics", "aspl", TORUS),
    ],
)
def test_a_built_in_name_is_refused_in_one_line(isoplane, install, group, name, words):
    families._load_built_in.cache_clear()
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
    assert own_values_of(evaluator_of(torus), torus) == {}
    assert [(group.title, [column.key for column in group.columns]) for group in groups()][-1] == (
        "Metrics of packages",
        ["own"],
    )


@for_each("objective", ["min own + aspl", "min 2*own", "min own, then aspl", "max own / aspl"])
def test_a_metric_of_a_package_stands_alone_in_an_objective(isoplane, install, objective):
    install("metrics", METRIC.format(value='round(metrics["aspl"])'))
    result = isoplane("search", "network.n=3", f"objective={objective}")
    assert (result.code, result.out) == (2, "")
    assert f"objective={objective}: own is a metric of a package; expected it alone, as min own" in result.err


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
