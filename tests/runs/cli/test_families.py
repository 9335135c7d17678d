"""Every verb accepts every family: those without search variables, more than two planes, and user-defined ones."""

import json

import pytest

from tests.cases import for_each

SMALL = {
    "torus": ("network=torus", "network.shape=[3,4]"),
    "mesh": ("network=mesh", "network.shape=[2,3]", "network.nodes_per_switch=2", "network.node_cable_m=2"),
    "rdt": ("network=rdt", "network.side=8"),
    "three_planes": ("network.n=3", "network.planes=3", "network.generators=[[3,5,7],[1,2,7]]"),
    "sprayed": ("network.n=3", "network.generators=[3,5,7]", "network.policy=spray"),
    "one_plane": ("network=hypercube", "network.n=3", "network.planes=1", "network.generators=[]"),
}
ROUGH = ("measurement=rough", "saturation=false", "loads=[0.1]", "hardware.deadlock=drop")


@for_each("name", SMALL)
def test_a_network_is_evaluated_verified_and_saved(isoplane, tmp_path, name):
    result = isoplane("evaluate", *SMALL[name], f"save={name}.json")
    assert (result.code, result.err) == (0, "")
    metrics = {line.split()[0]: line.split()[1] for line in result.out.splitlines()[2:]}
    record = json.loads((tmp_path / f"{name}.json").read_text())
    assert float(metrics["aspl"]) == pytest.approx(record["metrics"]["aspl"], rel=1e-5)
    assert isoplane("verify", *SMALL[name]).out == "network: every number agrees with the reference\n"
    verified = isoplane("verify", f"record={name}.json")
    assert verified.out == f"{name}.json: every number agrees with the reference\n"
    assert isoplane("evaluate", f"record={name}.json").out == result.out
    record["metrics"]["aspl"] += 0.5
    record["score"][0] += 1
    (tmp_path / "wrong.json").write_text(json.dumps(record))
    wrong = isoplane("verify", "record=wrong.json")
    assert wrong.code == 5
    assert [line.split(":")[0] for line in wrong.out.splitlines()] == ["metrics.aspl", "score[0]", "wrong.json"]


@for_each(("policy", "version", "recorded"), [("nearest", 1, None), ("spray", 2, "spray"), ("[2,1]", 2, [2, 1])])
def test_a_policy_is_in_the_record_unless_it_is_the_default(isoplane, tmp_path, policy, version, recorded):
    words = ("network.n=3", "network.generators=[3,5,7]", f"network.policy={policy}", "save=saved.json")
    assert isoplane("evaluate", *words).code == 0
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_text())
    assert (record["schema"], record["network"].get("policy")) == (version, recorded)
    assert isoplane("verify", f"record={path}").code == 0
    path.unlink()


@for_each(
    "name",
    [
        "dragonfly",
        "fat_tree",
        "full_mesh",
        "hyperx",
        "leaf_spine",
        "megafly",
        "multi_plane",
        "oft",
        "polar_fly",
        "random_regular",
        "slim_fly",
        "xgft",
        "xpander",
    ],
)
def test_the_default_network_of_a_family_is_evaluated_and_verified(isoplane, name):
    assert isoplane("evaluate", f"network={name}", f"save={name}.json").code == 0
    verified = isoplane("verify", f"record={name}.json")
    assert verified.out == f"{name}.json: every number agrees with the reference\n"


def test_a_saved_record_is_not_overwritten(isoplane, tmp_path):
    assert isoplane("evaluate", *SMALL["torus"], "save=saved.json").code == 0
    before = (tmp_path / "saved.json").read_bytes()
    result = isoplane("evaluate", *SMALL["mesh"], "save=saved.json")
    assert (result.code, result.out) == (2, "")
    assert "save=saved.json: exists; expected a new file" in result.err
    assert (tmp_path / "saved.json").read_bytes() == before


# Pages of other networks have the same sections; `tests/runs/report` draws those of every family.
@for_each("name", ["torus", "three_planes"])
def test_a_network_has_a_page_and_so_has_its_record(isoplane, tmp_path, name):
    result = isoplane("report", *SMALL[name])
    assert (result.code, result.err) == (0, "")
    page = (tmp_path / result.out.strip()).read_text()
    assert "isoplane verify network" in page
    isoplane("evaluate", *SMALL[name], f"save={name}.json")
    assert isoplane("report", f"record={name}.json").out == f"{name}.html\n"
    assert f"isoplane verify record={name}.json<" in (tmp_path / f"{name}.html").read_text()


def test_a_simulation_has_a_page_that_can_be_rewritten(isoplane, tmp_path):
    result = isoplane("simulate", *SMALL["sprayed"], *ROUGH, "hydra.run.dir=run")
    assert (result.code, result.err) == (0, "")
    page = (tmp_path / "run" / "report.html").read_bytes()
    assert b"Simulation results" in page
    (tmp_path / "run" / "report.html").unlink()
    assert isoplane("report", "run=run").out == "run/report.html\n"
    assert (tmp_path / "run" / "report.html").read_bytes() == page


def test_a_simulation_without_a_page_prints_the_reason(isoplane, tmp_path):
    words = ("network.n=3", "network.generators=[3,5,7]", "network.policy=adaptive")
    result = isoplane("simulate", *words, *ROUGH, "hydra.run.dir=run")
    assert result.code == 0
    assert "no report: network.policy=adaptive: its loads" in result.err
    assert (tmp_path / "run" / "summary.json").exists()


FAMILY = """
from dataclasses import dataclass
from typing import ClassVar
from isoplane.models import UniformFamily
from isoplane.models.routing import up_down
from isoplane.models.topologies import graph

@dataclass(frozen=True, kw_only=True)
class Path(UniformFamily):
    name: ClassVar[str] = "{name}"
    length: int = 3
    nodes_per_switch: int = 1

    @property
    def switches(self): return self.length
    degree = 2
    @property
    def cables(self): return self.length - 1
    @property
    def size_label(self): return str(self.length)
    def topology(self): return graph([(i, i + 1) for i in range(self.length - 1)])
    def routes(self): return up_down(self.topology())
"""


@pytest.fixture
def define_family(tmp_path, monkeypatch):
    """Write a family and its YAML, and return the flags that add its folder to the configs."""

    def write(module, name="own_path", target="Path", config="own_path"):
        (tmp_path / f"{module}.py").write_text(FAMILY.format(name=name))
        folder = tmp_path / "mine" / "network"
        folder.mkdir(parents=True)
        (folder / f"{config}.yaml").write_text(f"family: {config}\n_target_: {module}.{target}\nlength: 4\n")
        monkeypatch.syspath_prepend(tmp_path)
        return ("--config-dir", "mine")

    return write


def test_a_user_defined_family_goes_through_every_verb(isoplane, define_family, tmp_path):
    config_dir = define_family("family_of_a_test")
    for verb in ("evaluate", "verify", "report"):
        result = isoplane(verb, *config_dir, "network=own_path", "network.length=5")
        assert (result.code, result.err) == (0, "")
    assert isoplane("simulate", *config_dir, "network=own_path", *ROUGH, "hydra.run.dir=run").code == 0
    assert isoplane("evaluate", *config_dir, "network=own_path", "save=path.json").code == 0
    record = json.loads((tmp_path / "path.json").read_text())
    assert record["network"]["length"] == 4
    assert "_target_" not in (tmp_path / "path.json").read_text()
    assert isoplane("verify", *config_dir, "record=path.json").code == 0
    assert isoplane("verify", f"hydra.searchpath=[file://{tmp_path}/mine]", "record=path.json").code == 0
    unknown = isoplane("verify", "record=path.json")
    assert (unknown.code, unknown.out) == (2, "")
    assert "network.family='own_path': expected " in unknown.err


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"module": "wrong_name_of_a_test", "name": "other"}, "is 'other'; expected 'own_path'"),
        ({"module": "wrong_class_of_a_test", "target": "Missing"}, "cannot be imported"),
        ({"module": "wrong_thing_of_a_test", "target": "graph"}, "expected a subclass of isoplane.models.Family"),
    ],
)
def test_a_yaml_without_a_family_is_reported_in_one_line(isoplane, define_family, wrong, message):
    result = isoplane("evaluate", *define_family(**wrong), "network=own_path")
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert message in result.err


def test_a_class_named_in_a_record_or_an_override_is_never_used(isoplane, define_family, tmp_path):
    config_dir = define_family("named_class_of_a_test")
    isoplane("evaluate", *config_dir, "network=own_path", "save=path.json")
    record = json.loads((tmp_path / "path.json").read_text())
    record["network"]["_target_"] = "os.system"
    (tmp_path / "evil.json").write_text(json.dumps(record))
    assert isoplane("verify", *config_dir, "record=evil.json").code in (2, 5)
    result = isoplane("evaluate", *config_dir, "network=own_path", "network._target_=os.system")
    assert (result.code, result.out) == (2, "")
    assert "network._target_=os.system: expected the value in network/own_path.yaml" in result.err


WORKLOAD_OF_12 = ("workload=stencil", "workload.shape=[3,4]", "workload.message_bytes=5000", "workload.iterations=1")


@for_each(
    "words", [SMALL["torus"], SMALL["mesh"], ("network.n=2", "network.generators=[1,3]", "network.nodes_per_switch=3")]
)
def test_a_workload_adds_its_times_to_the_metrics_of_any_network(isoplane, words):
    without_workload, result = isoplane("evaluate", *words), isoplane("evaluate", *words, *WORKLOAD_OF_12)
    assert (result.code, result.err) == (0, "")
    times = [line.split() for line in result.out.splitlines() if line.split()[0].endswith(("_ns", "_bytes"))]
    assert [name for name, *_ in times if name not in ("delay_ns", "delay_paper_ns")] == [
        "completion_ns",
        "completion_min_ns",
        "completion_max_ns",
        "synchronised_ns",
        "bottleneck_ns",
        "total_ns",
        "heaviest_load_bytes",
    ]
    metrics = {line.split()[0]: line.split()[1:] for line in result.out.splitlines()}
    assert all(metrics[line.split()[0]] == line.split()[1:] for line in without_workload.out.splitlines()[2:])
    assert ", stencil: 34 messages x 1" in result.out
    verified = isoplane("verify", *words, *WORKLOAD_OF_12)
    assert (verified.code, verified.out) == (0, "network: every number agrees with the reference\n")


def test_the_rate_of_links_decides_the_times_of_a_workload(isoplane):
    # On a ring each node sends 5,000 bytes over the link to its neighbour, at 100 and at 12.5 Gbit/s.
    ring = ("network=torus", "network.shape=[4]", *WORKLOAD_OF_12, "workload.shape=[4]")
    times = []
    for rate in ("100", "12.5"):
        result = isoplane("evaluate", *ring, f"switch.link_gbps={rate}")
        times.append(next(line.split()[1] for line in result.out.splitlines() if line.startswith("bottleneck_ns")))
    assert [int(time) for time in times] == [400, 3200]


def test_without_a_layout_switch_options_affect_only_the_times_of_a_workload(isoplane):
    words = ("network.n=2", "network.generators=[1,3]", "network.nodes_per_switch=3", "layout=none")
    assert isoplane("evaluate", *words, *WORKLOAD_OF_12, "switch.delay_ns=50").code == 0
    assert isoplane("evaluate", *words, "switch.delay_ns=50").code == 2
