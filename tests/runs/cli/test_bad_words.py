"""Whatever is wrong with a command, it ends with exit code 2 and one line on standard error, and writes no file."""

import json

import pytest

from isoplane.models import family_names
from isoplane.runs.cli.main import VERBS
from tests.cases import for_each

from .conftest import files

FAMILIES = ", ".join(family_names())

STRATEGIES = "expected anneal, auto, balanced, enumerate, exact, greedy, matching, neighbourhood, pareto, portfolio"


def error_line(result, verb="search"):
    """The only line that a rejected command prints."""
    assert result.code == 2
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert line.startswith(f"isoplane {verb}: ")
    return line


@for_each("words", [("find",), ("--versions",), ("",)])
def test_an_unknown_verb_is_rejected_with_a_list_of_the_verbs(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"isoplane: verb {words[0]!r}: expected {', '.join(VERBS)}\n"


@for_each(
    ("words", "message"),
    [
        (("strategy=tabu",), f"strategy=tabu: {STRATEGIES}"),
        (("strategy=3",), f"strategy=3: {STRATEGIES}"),
        (("network=star",), f"network=star: expected {FAMILIES}"),
        (
            ("network=torus",),
            "network=torus: has no search variables; expected folded_hypercube",
        ),
        (
            ("network=rdt", "network.side=4"),
            "network=rdt: has no search variables; expected folded_hypercube",
        ),
        (("layout=round",), "layout=round: expected floor, none, paper"),
        (("prices=low",), "prices=low: expected ethernet_40g, infiniband_edr"),
        (("switch=fast",), "switch=fast: expected infiniband_edr"),
        (("objective=beauty",), "objective=beauty: expected aspl, aspl_and_traffic, auto, bottleneck"),
        (("stop=never",), "stop=never: expected limits"),
        (("fleet=slurm",), "fleet=slurm: expected local, ray"),
        (("experiment=hosomi/fig5",), "experiment=hosomi/fig5: experiments are published figures; allowed with"),
        (("experiment=null",), "experiment=null: experiments are published figures; allowed with reproduce only"),
        (("+experiment=hosomi/fig3",), "+experiment=hosomi/fig3: experiments are published figures; allowed with"),
        (("--multirun", "strategy=exact,tabu"), f"strategy=tabu: {STRATEGIES}"),
        (("colour=red",), "colour: unknown; expected fleet, judge, layout, network"),
        (("+colour=red",), "colour: unknown; expected"),
        (("stop.gab=0.1",), "stop.gab: unknown; expected evaluations, gap, seconds, stalled, target"),
        (("+stop.gab=0.1",), "stop.gab: unknown; expected evaluations, gap, seconds, stalled, target"),
        (("strategy=anneal", "strategy.colour=1"), "strategy.colour: unknown; expected chains, coolest"),
        (("network.n",), "'network.n': expected overrides key=value"),
        (("warm_start=a=b",), "'warm_start=a=b': expected overrides key=value"),
        (("=3",), "'=3': expected overrides key=value"),
        (("seed=[",), "'seed=[': expected overrides key=value"),
        (("seed=${colour}",), "'colour'"),
        (("network.n=3,4",), "network.n=3,4"),
        (("--colour",), "--colour: unknown flag"),
        (("-x", "network.n=3"), "-x: unknown flag"),
        (("--cfg", "colour"), "'colour' (choose from"),
        (("--multirun=3",), "--multirun/-m"),
        (("--config-dir", "missing"), "missing' not found"),
        (("hydra.run.dir=null",), "hydra.run.dir=null"),
        (("hydra/launcher=cluster",), "hydra/launcher=cluster: expected processes, ray_tasks, slurm"),
        (("network.n=99", "hydra.run.dir=a/b/c"), "network.n=99"),
        # These are detected only when the search starts.
        (("network.n=11", "strategy=exact"), "network.n=11: strategy=exact expects an integer from 2 to"),
        (("network.n=3", "strategy=pareto"), "strategy=pareto: objective=aspl_and_traffic is one score"),
    ],
)
def test_an_invalid_search_prints_one_line_and_writes_no_file(isoplane, tmp_path, words, message):
    assert message in error_line(isoplane("search", *words))
    assert files(tmp_path) == []


def test_an_existing_folder_is_kept(isoplane, tmp_path):
    (tmp_path / "mine" / "run").mkdir(parents=True)
    error_line(isoplane("search", "network.n=99", "hydra.run.dir=mine/run"))
    error_line(isoplane("search", "network.n=99", "hydra.run.dir=mine/other/run"))
    assert files(tmp_path) == ["mine", "mine/run"]


@for_each(
    ("verb", "folder"),
    [("search", "file/run"), ("search", "file"), ("search", "/proc/isoplane"), ("reproduce", "/dev/null/run")],
)
def test_a_folder_that_cannot_be_created_is_named_in_the_error(isoplane, tmp_path, verb, folder):
    (tmp_path / "file").write_text("mine")
    words = ("network.n=3",) if verb == "search" else ("experiment=hosomi/fig3", "sizes=[2]")
    line = error_line(isoplane(verb, *words, f"hydra.run.dir={folder}"), verb)
    assert folder in line
    assert "expected a place" in line
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["history.csv", "records"])
def test_a_folder_with_part_of_a_run_is_not_reused(isoplane, tmp_path, name):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).write_text("mine")
    line = error_line(isoplane("search", "network.n=3", "hydra.run.dir=run"))
    assert "run: holds a run already; expected a new or empty folder" in line
    assert files(tmp_path) == ["run", f"run/{name}"]
    assert (tmp_path / "run" / name).read_text() == "mine"


def bad_records(record):
    """Contents of files that are not valid records, by the reason that the message gives."""
    text = record.read_text(encoding="utf-8")
    return {
        "damaged JSON": text[:300],
        "not a record": '{"name": "something else"}',
        "schema=3": text.replace('"schema": 1', '"schema": 3'),
        "is not UTF-8 text": b"\xff\xfe",
    }


def test_a_file_that_is_not_a_record_is_rejected(isoplane, tmp_path, record):
    path = record.with_name("bad.json")
    for reason, text in bad_records(record).items():
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        line = error_line(isoplane("verify", f"record={path}"), "verify")
        assert str(path) in line
        assert reason in line
    assert files(tmp_path) == []


@for_each("use", ["evaluate record", "report record", "search warm_start"])
def test_an_altered_record_is_rejected_wherever_records_are_used(isoplane, tmp_path, record, use):
    altered = json.loads(record.read_text(encoding="utf-8"))
    altered["network"]["planes"][1]["generators"] = [1, 2, 4]
    record.write_text(json.dumps(altered), encoding="utf-8")
    verb, key = use.split()
    line = error_line(isoplane(verb, f"{key}={record}"), verb)
    assert f"{record}: the record was altered" in line
    assert files(tmp_path) == []


@for_each("network", ["network.n=4", "network=folded_hypercube"])
def test_a_record_of_another_search_space_is_rejected_as_warm_start(isoplane, tmp_path, record, network):
    line = error_line(isoplane("search", "network.n=3", network, f"warm_start={record}"))
    assert "warm_start: 2 planes, hypercube of n=3; expected 2 planes" in line
    assert files(tmp_path) == []


@for_each(
    ("verb", "words", "message"),
    [
        ("verify", (), "network.generators=null: expected a list such as [3,5,7], identical, or record=FILE"),
        ("verify", ("~network",), "network=null"),
        ("verify", ("record=missing.json",), "missing.json: no such file"),
        ("verify", ("record=.",), "a folder"),
        (
            "verify",
            ("seed=1",),
            "seed: unknown; expected layout, network, placement, placement_evaluations, placement_seed, prices",
        ),
        ("evaluate", (), "network.generators=null: expected a list such as [3,5,7], identical, or record=FILE"),
        ("evaluate", ("network.n=3", "network.generators=[1,2,3]"), "not a basis, since 3 = 1 ^ 2"),
        (
            "report",
            (),
            "expected one of run=FOLDER, record=FILE, sweep=FOLDER, program=FILE, or a network: network.gen",
        ),
        ("report", ("run=a", "sweep=b"), "run=a, sweep=b: expected one of"),
        ("report", ("record=a.json", "network.generators=[1,2]"), "record=a.json, network.generators=[1, 2]: expected"),
        ("report", ("network.n=3", "network.generators=[1,2,3]"), "not a basis, since 3 = 1 ^ 2"),
        ("report", ("network.generators=7",), "network.generators=7: expected a list"),
        ("report", ("run=missing",), "missing"),
        ("report", ("sweep=missing",), "sweep=missing: no runs in it"),
        ("best", ("n=17",), "n=17: expected an integer from 2 to 16"),
        ("best", ("family=torus",), "family='torus': expected folded_hypercube, hypercube"),
        ("best", ("objective=beauty",), "objective=beauty: expected aspl, aspl_and_traffic"),
        ("best", ("experiment=hosomi/fig5",), "experiment=hosomi/fig5: experiments are published figures"),
        ("best", ("objective=front", "n=7"), "objective=front, n=7: no such record"),
        ("best", ("+colour=red",), "colour: unknown; expected family, n, objective"),
        ("reproduce", (), "figure=null: expected experiment=hosomi/fig3"),
        ("reproduce", ("experiment=hosomi/fig3", "stop.target=3"), "stop.target=3: a figure has many designs"),
        ("reproduce", ("experiment=fig3",), "experiment=fig3: expected hosomi/fig3, hosomi/fig5"),
        ("reproduce", ("experiment=hosomi/fig4",), "fig4: expected fig3, fig5, fig6, fig7, fig8, fig9"),
        ("reproduce", ("figure=fig4", "sizes=[3]"), "figure='fig4': expected fig3, fig5, fig6, fig7, fig8"),
        ("reproduce", ("figure=fig3", "sizes=[13]"), "sizes=13: expected an integer from 2 to 12"),
        ("reproduce", ("experiment=hosomi/fig3", "layout=none"), "layout: unknown"),
    ],
)
def test_every_other_verb_rejects_invalid_options(isoplane, tmp_path, verb, words, message):
    assert message in error_line(isoplane(verb, *words), verb)
    assert files(tmp_path) == []
