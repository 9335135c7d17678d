"""User-defined families with variables or circuits go through search, records, verification and reports."""

import json

import pytest

from .test_search import summary_of

MODULE = """
from dataclasses import dataclass
from typing import ClassVar
from isoplane.models.families.{parent} import {base}

@dataclass(frozen=True)
class Own({base}):
    name: ClassVar[str] = "{name}"
"""
CUBE = ("network=own_cube", "network.n=3")
CIRCUITS = (
    "network=own_circuits",
    "network.groups=2",
    "network.nodes_per_group=4",
    "workload=stencil",
    "workload.shape=[2,4]",
)


@pytest.fixture
def define_family(tmp_path, monkeypatch):
    """Write a subclass of a built-in family and its YAML, and return the flags that add its folder to the configs."""

    def write(parent, base, name, yaml):
        module = f"own_{parent}_of_a_test"  # one name per content: Python imports a module once
        (tmp_path / f"{module}.py").write_text(MODULE.format(parent=parent, base=base, name=name))
        folder = tmp_path / "mine" / "network"
        folder.mkdir(parents=True)
        head = f"defaults: [{parent}]\nfamily: {name}\n_target_: {module}.Own\n"
        (folder / f"{name}.yaml").write_text(head + yaml)
        monkeypatch.syspath_prepend(tmp_path)
        return ("--config-dir", "mine")

    return write


def best_file(folder):
    return folder / "records" / summary_of(folder)["best"]


def require_accepted_by_all_verbs(isoplane, config_dir, path):
    """Assert that all verbs accept a record, and that verify rejects it if its family is not found."""
    for verb in ("evaluate", "verify", "report"):
        result = isoplane(verb, *config_dir, f"record={path}")
        assert (result.code, result.err) == (0, "")
    unknown = isoplane("verify", f"record={path}")
    assert (unknown.code, unknown.out) == (2, "")
    assert "network.family='own_" in unknown.err


@pytest.mark.parametrize(("parent", "base"), [("hypercube", "Hypercube"), ("folded_hypercube", "FoldedHypercube")])
def test_user_defined_cubes_are_searched_and_recorded(isoplane, define_family, no_drawing, tmp_path, parent, base):
    config_dir = define_family(parent, base, "own_cube", "")
    result = isoplane("search", *config_dir, *CUBE, "strategy=exact", "hydra.run.dir=run")
    assert result.code == 0, result.err
    result = isoplane("search", f"network={parent}", "network.n=3", "strategy=exact", "hydra.run.dir=built_in")
    assert result.code == 0
    record, built_in = (json.loads(best_file(tmp_path / folder).read_text()) for folder in ("run", "built_in"))
    assert record["network"] | {"family": parent} == built_in["network"]
    for field in ("score", "bound", "status"):
        assert record[field] == built_in[field]
    assert record["class_id"] != built_in["class_id"]
    require_accepted_by_all_verbs(isoplane, config_dir, best_file(tmp_path / "run"))


def test_given_user_defined_cubes_are_saved(isoplane, define_family, tmp_path):
    config_dir = define_family("hypercube", "Hypercube", "own_cube", "")
    result = isoplane("evaluate", *config_dir, *CUBE, "network.generators=[3,5,7]", "save=cube.json")
    assert (result.code, result.err) == (0, "")
    require_accepted_by_all_verbs(isoplane, config_dir, "cube.json")


def test_user_defined_circuits_are_searched_and_recorded(isoplane, define_family, no_drawing, tmp_path):
    config_dir = define_family("hybrid", "Hybrid", "own_circuits", "up_gbps: 40\n")
    result = isoplane(
        "search", *config_dir, *CIRCUITS, "objective=bottleneck", "hydra.run.dir=run", "stop.evaluations=200"
    )
    assert result.code == 0, result.err
    record = json.loads(best_file(tmp_path / "run").read_text())
    assert (record["network"]["family"], record["network"]["up_gbps"]) == ("own_circuits", 40)
    require_accepted_by_all_verbs(isoplane, config_dir, best_file(tmp_path / "run"))


def test_given_user_defined_circuits_are_saved(isoplane, define_family, tmp_path):
    config_dir = define_family("hybrid", "Hybrid", "own_circuits", "")
    result = isoplane("evaluate", *config_dir, *CIRCUITS, "network.circuits=[[0,4]]", "save=circuits.json")
    assert (result.code, result.err) == (0, "")
    assert json.loads((tmp_path / "circuits.json").read_text())["circuits"] == [[0, 4]]
    require_accepted_by_all_verbs(isoplane, config_dir, "circuits.json")
