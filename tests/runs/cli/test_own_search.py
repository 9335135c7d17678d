"""A user's own families with variables or circuits go through search, records, verification and reports."""

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
def own(tmp_path, monkeypatch):
    """Write a subclass of a built-in family and its YAML, and return the words that add its folder."""

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


def require_all_verbs(isoplane, there, path):
    """Evaluate, verify and report a record, and refuse it where its family is not found."""
    for verb in ("evaluate", "verify", "report"):
        ended = isoplane(verb, *there, f"record={path}")
        assert (ended.code, ended.err) == (0, "")
    lost = isoplane("verify", f"record={path}")
    assert (lost.code, lost.out) == (2, "")
    assert "network.family='own_" in lost.err


@pytest.mark.parametrize(("parent", "base"), [("hypercube", "Hypercube"), ("folded_hypercube", "FoldedHypercube")])
def test_cubes_of_ones_own_are_searched_and_recorded(isoplane, own, no_drawing, tmp_path, parent, base):
    there = own(parent, base, "own_cube", "")
    ended = isoplane("search", *there, *CUBE, "strategy=exact", "hydra.run.dir=run")
    assert ended.code == 0, ended.err
    built_in = isoplane("search", f"network={parent}", "network.n=3", "strategy=exact", "hydra.run.dir=same")
    assert built_in.code == 0
    found, same = (json.loads(best_file(tmp_path / folder).read_text()) for folder in ("run", "same"))
    assert found["network"] | {"family": parent} == same["network"]
    assert (found["score"], found["bound"], found["status"]) == (same["score"], same["bound"], same["status"])
    assert found["class_id"] != same["class_id"]
    require_all_verbs(isoplane, there, best_file(tmp_path / "run"))


def test_given_cubes_of_ones_own_are_saved(isoplane, own, tmp_path):
    there = own("hypercube", "Hypercube", "own_cube", "")
    ended = isoplane("evaluate", *there, *CUBE, "network.generators=[3,5,7]", "save=cube.json")
    assert (ended.code, ended.err) == (0, "")
    require_all_verbs(isoplane, there, "cube.json")


def test_circuits_of_ones_own_are_searched_and_recorded(isoplane, own, no_drawing, tmp_path):
    there = own("hybrid", "Hybrid", "own_circuits", "up_gbps: 40\n")
    ended = isoplane("search", *there, *CIRCUITS, "objective=bottleneck", "hydra.run.dir=run", "stop.evaluations=200")
    assert ended.code == 0, ended.err
    found = json.loads(best_file(tmp_path / "run").read_text())
    assert (found["network"]["family"], found["network"]["up_gbps"]) == ("own_circuits", 40)
    require_all_verbs(isoplane, there, best_file(tmp_path / "run"))


def test_given_circuits_of_ones_own_are_saved(isoplane, own, tmp_path):
    there = own("hybrid", "Hybrid", "own_circuits", "")
    ended = isoplane("evaluate", *there, *CIRCUITS, "network.circuits=[[0,4]]", "save=circuits.json")
    assert (ended.code, ended.err) == (0, "")
    assert json.loads((tmp_path / "circuits.json").read_text())["circuits"] == [[0, 4]]
    require_all_verbs(isoplane, there, "circuits.json")
