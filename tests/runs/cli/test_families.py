"""Every verb accepts every family, also user-defined ones, and no file names a class."""

import json
import sys
from itertools import count

import pytest

from isoplane.runs.cli.verbs import configured
from isoplane.runs.comparison.request import request_of
from isoplane.runs.config.config_values import plain
from isoplane.runs.inputs.named_families import sized_families
from isoplane.runs.inputs.yaml_files import FileConfigSource
from tests.cases import for_each, require_refusal
from tests.tools import install_package

from .test_search import summary_of

PATH = """
from dataclasses import dataclass
from typing import ClassVar
from isoplane.models import UniformFamily
from isoplane.models.routing import up_down
from isoplane.models.topologies import graph

@dataclass(frozen=True, kw_only=True)
class Own(UniformFamily):
    name: ClassVar[str] = "NAME"
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
SUBCLASS = """
from dataclasses import dataclass
from typing import ClassVar
from isoplane.models.families.{parent} import {base}

@dataclass(frozen=True)
class Own({base}):
    name: ClassVar[str] = "NAME"
"""
ROUGH = ("measurement=rough", "saturation=false", "loads=[0.1]", "hardware.deadlock=drop")
OWN = "network=own"
CIRCUITS = ("network.groups=2", "network.nodes_per_group=4", "workload=stencil", "workload.shape=[2,4]")
NUMBERS = count()  # one module per content: Python imports a module once


@pytest.fixture
def define_family(tmp_path, monkeypatch):
    """Write a family and its YAML, and return the flags that add its folder to the configs."""

    def write(text, yaml, name="own"):
        module = f"family_{next(NUMBERS)}_of_a_test"
        (tmp_path / f"{module}.py").write_text(text.replace("NAME", name))
        folder = tmp_path / "mine" / "network"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "own.yaml").write_text(f"{yaml}\nfamily: own\n_target_: {module}.Own\n")
        monkeypatch.syspath_prepend(tmp_path)
        return ("--config-dir", "mine")

    yield write
    for module in [name for name in sys.modules if name.endswith("_of_a_test")]:
        del sys.modules[module]


def require_accepted_by_all_verbs(isoplane, config_dir, path):
    """Assert that all verbs accept a record, and that verify rejects it if its family is not found."""
    for verb in ("evaluate", "verify", "report"):
        result = isoplane(verb, *config_dir, f"record={path}")
        assert (result.code, result.err) == (0, "")
    unknown = isoplane("verify", f"record={path}")
    assert (unknown.code, unknown.out) == (2, "")
    assert "network.family='own': expected " in unknown.err


def test_a_user_defined_family_goes_through_every_verb_and_no_record_names_its_class(isoplane, define_family, tmp_path):
    config_dir = define_family(PATH, "length: 4")
    for verb in ("verify", "report"):
        result = isoplane(verb, *config_dir, OWN, "network.length=5")
        assert (result.code, result.err) == (0, "")
    assert isoplane("simulate", *config_dir, OWN, *ROUGH, "hydra.run.dir=run").code == 0
    assert isoplane("evaluate", *config_dir, OWN, "save=path.json").code == 0
    text = (tmp_path / "path.json").read_text()
    record = json.loads(text)
    assert record["network"]["length"] == 4
    assert "_target_" not in text
    require_accepted_by_all_verbs(isoplane, config_dir, "path.json")
    assert isoplane("verify", f"hydra.searchpath=[file://{tmp_path}/mine]", "record=path.json").code == 0
    record["network"]["_target_"] = "os.system"
    (tmp_path / "evil.json").write_text(json.dumps(record))
    assert isoplane("verify", *config_dir, "record=evil.json").code in (2, 5)
    result = isoplane("evaluate", *config_dir, OWN, "network._target_=os.system")
    assert (result.code, result.out) == (2, "")
    assert "network._target_=os.system: expected the value in network/own.yaml" in result.err


def test_help_and_refusals_name_the_keys_of_a_user_defined_family(isoplane, define_family, tmp_path):
    config_dir = define_family(SUBCLASS.format(parent="torus", base="Torus"), "defaults: [torus]\nseats: 3 # of a hall")
    shown = isoplane("search", *config_dir, "--help", OWN)
    assert (shown.code, shown.err) == (0, "")
    for line in ("  network.shape ", " of a hall\n", "(INTEGER; unit none; default 3)"):
        assert line in shown.out
    assert "_target_" not in shown.out
    assert (
        "\n  network=own         in the folder of --config-dir\n"
        in isoplane("search", *config_dir, "--help", "network").out
    )
    assert isoplane("search", OWN, "--help").err.startswith("isoplane search: network=own: expected ")
    allowed = isoplane("search", *config_dir, OWN, "network.colour=1").err
    assert allowed.startswith("isoplane search: network.colour: unknown; expected assumed_cable_m, datelines, family, ")
    assert ", seats, shape, " in allowed
    for words in (config_dir, (f"hydra.searchpath=[file://{tmp_path}/mine]",)):
        for override in ("network.colour=1", "+network.colour=1"):
            assert isoplane("search", *words, OWN, override).err == allowed
    assert ", own, " in isoplane("search", *config_dir, "network=other").err


def test_help_of_a_family_of_ones_own_takes_no_words_from_other_families(isoplane, define_family):
    config_dir = define_family(PATH, "n: 5 # outer switches\nk: 2\nrouting: shortest\nnodes_per_switch: 1")
    shown = isoplane("evaluate", *config_dir, "--help", OWN).out
    assert [" ".join(part.split()) for part in shown.split("  network.")[1:]] == [
        "n outer switches (INTEGER; unit none; default 5)",
        "k (INTEGER; unit none; default 2)",
        "routing (unit none; default shortest)",
        "nodes_per_switch (INTEGER; unit none; default 1)",
    ]


OF_PACKAGE = "also an entry point isoplane.{} of a package, own_code:Own; expected the file or the package, not both"
BUILT_IN = "also a choice of isoplane itself; expected a file of another name"


@for_each(
    ("option", "clash"),
    [
        ("network=own", OF_PACKAGE.format("families")),
        ("workload=own", OF_PACKAGE.format("workloads")),
        ("network=torus", BUILT_IN),
        ("prices=infiniband_edr", BUILT_IN),
        ("hydra/launcher=slurm", BUILT_IN),
    ],
)
def test_a_file_named_like_a_choice_of_isoplane_or_a_package_is_refused(tmp_path, monkeypatch, option, clash):
    group = "workloads" if option == "workload=own" else "families"
    install_package(tmp_path, monkeypatch, f"isoplane.{group}", own="own_code:Own")
    path = tmp_path / "mine" / f"{option.replace('=', '/')}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("family: own\n")
    source = f"file://{tmp_path}/mine"
    require_refusal(lambda: FileConfigSource("command-line", source), f"^{path}: {option}: {clash}$")
    path.unlink()


def test_a_yaml_of_another_family_is_reported_in_one_line(isoplane, define_family):
    result = isoplane("evaluate", *define_family(PATH, "length: 4", name="other"), OWN)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "is 'other'; expected 'own'" in result.err


def test_a_comparison_sizes_a_user_defined_family_by_its_name(isoplane, define_family, no_drawing, tmp_path):
    config_dir = define_family(SUBCLASS.format(parent="full_mesh", base="FullMesh"), "defaults: [full_mesh]")
    words = ("nodes=6", "ports=6", "node_ports=1", "throughput=0.5", "failures=none", "hydra.run.dir=run")
    result = isoplane("compare", *config_dir, *words, "families=[own,full_mesh]", "workers=1")
    assert result.code == 0, result.err
    own, built_in = json.loads((tmp_path / "run" / "comparison.json").read_text())["rows"]
    assert (own["family"], built_in["family"], own["values"]) == ("own", "full_mesh", built_in["values"])
    assert f"\nnext: isoplane export --config-dir {tmp_path / 'mine'} record=run/records/own-" in result.out
    unknown = isoplane("compare", *words, "families=own")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
    assert "no family 'own' that can be sized; expected dragonfly, " in unknown.err
    assert "--config-dir contains network/NAME.yaml" in unknown.err


def test_families_of_a_folder_are_compared_unless_others_are_named(define_family, tmp_path):
    built_in = sized_families()
    define_family(SUBCLASS.format(parent="full_mesh", base="FullMesh"), "defaults: [full_mesh]")
    (tmp_path / "mine" / "network" / "member.yaml").write_text("defaults: [torus]\nshape: [3, 3]\n")
    with configured("compare", [f"hydra.searchpath=[file://{tmp_path}/mine]", "nodes=6", "ports=6"]) as config:
        assert request_of(plain(config)).families == tuple(sorted((*built_in, "own")))


def test_user_defined_cubes_are_searched_and_recorded(isoplane, define_family, search_once, no_drawing, tmp_path):
    text = SUBCLASS.format(parent="folded_hypercube", base="FoldedHypercube")
    config_dir = define_family(text, "defaults: [folded_hypercube]")
    assert isoplane("search", *config_dir, OWN, "network.n=3", "strategy=exact", "hydra.run.dir=run").code == 0
    _, folder = search_once("network=folded_hypercube", "network.n=3", "strategy=exact")
    path, other = (run / "records" / summary_of(run)["best"] for run in (tmp_path / "run", folder))
    record, built_in = (json.loads(each.read_text()) for each in (path, other))
    assert record["network"] | {"family": "folded_hypercube"} == built_in["network"]
    for field in ("score", "bound", "status"):
        assert record[field] == built_in[field]
    assert record["class_id"] != built_in["class_id"]
    require_accepted_by_all_verbs(isoplane, config_dir, path)


def test_user_defined_circuits_are_searched_and_given_ones_saved(isoplane, define_family, no_drawing, tmp_path):
    config_dir = define_family(SUBCLASS.format(parent="hybrid", base="Hybrid"), "defaults: [hybrid]\nup_gbps: 40")
    words = ("objective=bottleneck", "hydra.run.dir=run", "stop.evaluations=200")
    result = isoplane("search", *config_dir, OWN, *CIRCUITS, *words)
    assert result.code == 0, result.err
    (path,) = (tmp_path / "run" / "records").iterdir()
    record = json.loads(path.read_text())
    assert (record["network"]["family"], record["network"]["up_gbps"]) == ("own", 40)
    require_accepted_by_all_verbs(isoplane, config_dir, path)
    assert isoplane("evaluate", *config_dir, OWN, *CIRCUITS, "network.circuits=[[0,4]]", "save=saved.json").code == 0
    assert json.loads((tmp_path / "saved.json").read_text())["circuits"] == [[0, 4]]


SMALL = {
    "torus": ("network=torus", "network.shape=[3,4]"),
    "mesh": ("network=mesh", "network.shape=[2,3]", "network.nodes_per_switch=2", "network.node_cable_m=2"),
    "three_planes": ("network.n=3", "network.planes=3", "network.generators=[[3,5,7],[1,2,7]]"),
    "sprayed": ("network.n=3", "network.generators=[3,5,7]", "network.policy=spray"),
    "one_plane": ("network=hypercube", "network.n=3", "network.planes=1", "network.generators=[]"),
}


@for_each("name", ["mesh", "three_planes", "sprayed", "one_plane"])
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
    assert wrong.out.endswith("wrong.json: 2 numbers differ\n")


@for_each(("policy", "version", "recorded"), [("nearest", 1, None), ("[2,1]", 2, [2, 1])])
def test_a_policy_is_in_the_record_unless_it_is_the_default(isoplane, tmp_path, policy, version, recorded):
    words = ("network.n=3", "network.generators=[3,5,7]", f"network.policy={policy}", "save=saved.json")
    assert isoplane("evaluate", *words).code == 0
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_text())
    assert (record["schema"], record["network"].get("policy")) == (version, recorded)
    assert isoplane("verify", f"record={path}").code == 0
    path.unlink()


# Pages of other networks have the same sections; `tests/runs/report` draws those of every family.
def test_a_network_has_a_page_and_so_has_its_record(isoplane, tmp_path):
    words = SMALL["three_planes"]
    result = isoplane("report", *words)
    assert (result.code, result.err) == (0, "")
    page = (tmp_path / result.out.strip()).read_text()
    assert "isoplane verify network" in page
    isoplane("evaluate", *words, "save=saved.json")
    assert isoplane("report", "record=saved.json").out == "saved.html\n"
    assert "isoplane verify record=saved.json<" in (tmp_path / "saved.html").read_text()


def test_a_simulation_without_a_page_prints_the_reason(isoplane, tmp_path):
    words = ("network.n=3", "network.generators=[3,5,7]", "network.policy=adaptive")
    result = isoplane("simulate", *words, *ROUGH, "hydra.run.dir=run")
    assert result.code == 0
    assert "no report: network.policy=adaptive: its loads" in result.err
    assert (tmp_path / "run" / "summary.json").exists()


def test_the_baseline_of_a_single_plane_is_called_two_planes(isoplane):
    found = isoplane("evaluate", "network=hypercube", "network.n=3", "network.planes=1", "network.generators=[]")
    assert "  2 identical planes  " in found.out.splitlines()[2]


def test_a_graph_of_hosts_is_evaluated_with_the_given_hosts_and_cables(isoplane):
    two = ("network=host_graph", "network.nodes=8", "network.ports=6", "network.hosts=[5,3]", "network.edges=[[[0,1]]]")
    result = isoplane("evaluate", *two)
    (hops,) = (line.split()[1] for line in result.out.splitlines() if line.startswith("total_hops "))
    assert (result.code, int(hops)) == (0, 2 * 5 * 3)
