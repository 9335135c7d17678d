import json
import re
import subprocess

import pytest

from isoplane.runs.records import origin, provenance


def git(folder, *arguments):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path):
    git(tmp_path, "init")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.py").write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    return tmp_path


def test_the_configuration_is_kept_without_workers_fleet_resume_and_paths_whatever_the_order_of_keys():
    config = {
        "workers": 2,
        "fleet": {"name": "local", "address": None},
        "resume": "/somewhere",
        "warm_start": "/a/record.json",
        "record": "b.json",
        "hydra": {"run": {"dir": "c"}},
        "seed": 1,
        "stop": {"seconds": None, "evaluations": 1000},
    }
    assert provenance(1, "anneal", config)["config"] == {"seed": 1, "stop": {"evaluations": 1000, "seconds": None}}
    first = provenance(1, "anneal", {"workers": 1, "a": {"x": (1, 2), "y": 2.5}, "b": True})
    second = provenance(1, "anneal", {"b": True, "a": {"y": 2.5, "x": [1, 2]}, "workers": 2})
    assert json.dumps(first) == json.dumps(second)
    odd = provenance(1, "anneal", {1.5: float("inf"), "b": float("nan"), "c": {3}})["config"]
    assert odd == {"1.5": "inf", "b": "nan", "c": "{3}"}  # JSON cannot represent these values


def test_versions_are_those_of_the_packages_that_determine_results():
    found = provenance(7, "exact", {})
    assert (found["seed"], found["strategy"]) == (7, "exact")
    assert set(found["versions"]) == {"isoplane", "python", "numpy", "igraph"}
    assert all(re.match(r"\d+\.\d+", version) for version in found["versions"].values())


def test_a_checkout_has_a_revision_and_changes_to_the_program_count_but_results_do_not(checkout):
    revision, changes = origin.git_state(checkout)
    assert re.fullmatch("[0-9a-f]{40}", revision)
    (checkout / "runs" / "best").mkdir(parents=True)
    for result in ("my_run.json", "runs/best/a.json"):
        (checkout / result).write_text("{}")
    assert (changes, origin.git_state(checkout)[1]) == (False, False)
    (checkout / "models" / "b.py").write_text("new")
    assert origin.git_state(checkout)[1] is True


def test_without_a_checkout_of_its_own_or_a_git_program_there_is_no_revision(tmp_path, checkout, monkeypatch):
    for folder in (checkout / "models", tmp_path / "nowhere"):  # of another project, or of none
        assert origin.git_state(folder) == (None, None)
    monkeypatch.setenv("PATH", "")
    assert origin.git_state(checkout) == (None, None)


def test_an_installed_package_has_the_revision_of_its_version(tmp_path, monkeypatch):
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "isoplane" / "runs" / "records" / "origin.py"))
    origin._state_of_the_program.cache_clear()
    monkeypatch.setattr("isoplane.models.installed.version.__version__", "0.1.dev7+g0123abcde")
    try:
        found = provenance(1, "exact", {})
    finally:
        origin._state_of_the_program.cache_clear()
    assert (found["revision"], found["uncommitted_changes"]) == ("0123abcde", False)


def test_the_git_variables_of_a_hook_do_not_mislead(checkout, tmp_path, monkeypatch):
    expected = origin.git_state(checkout)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert origin.git_state(checkout) == expected
