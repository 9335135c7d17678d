"""Every verb accepts every family: those without search variables, more than two planes, and user-defined ones."""

import json

import pytest

from tests.cases import for_each

SMALL = {
    "torus": ("network=torus", "network.shape=[3,4]"),
    "mesh": ("network=mesh", "network.shape=[2,3]", "network.nodes_per_switch=2", "network.node_cable_m=2"),
    "three_planes": ("network.n=3", "network.planes=3", "network.generators=[[3,5,7],[1,2,7]]"),
    "sprayed": ("network.n=3", "network.generators=[3,5,7]", "network.policy=spray"),
    "one_plane": ("network=hypercube", "network.n=3", "network.planes=1", "network.generators=[]"),
}
ROUGH = ("measurement=rough", "saturation=false", "loads=[0.1]", "hardware.deadlock=drop")


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


@for_each(("policy", "version", "recorded"), [("nearest", 1, None), ("[2,1]", 2, [2, 1])])
def test_a_policy_is_in_the_record_unless_it_is_the_default(isoplane, tmp_path, policy, version, recorded):
    words = ("network.n=3", "network.generators=[3,5,7]", f"network.policy={policy}", "save=saved.json")
    assert isoplane("evaluate", *words).code == 0
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_text())
    assert (record["schema"], record["network"].get("policy")) == (version, recorded)
    assert isoplane("verify", f"record={path}").code == 0
    path.unlink()


DEFAULTS = [
    "dragonfly", "fat_tree", "full_mesh", "hyperx", "leaf_spine", "megafly", "multi_plane", "oft", "polar_fly",
    "random_regular", "slim_fly", "xgft", "xpander",
]  # fmt: skip


@for_each("name", DEFAULTS)
def test_the_default_network_of_a_family_is_evaluated_and_verified(isoplane, name):
    assert isoplane("evaluate", f"network={name}", f"save={name}.json").code == 0
    verified = isoplane("verify", f"record={name}.json")
    assert verified.out == f"{name}.json: every number agrees with the reference\n"


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
