"""`isoplane search` as its user sees it: what it prints, what it writes, how it ends, what it has proven."""

import json
import re
import signal
import sys
from fractions import Fraction
from itertools import pairwise
from math import ceil

import pytest

from isoplane.runs.records import read_record, verify
from tests.cases import for_each

from .conftest import files, messages

RUN_FILES = {"config.yaml", "history.csv", "records", "report.html", "summary.json"}


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def best_of(folder):
    """The best record of a run, after its verification."""
    record = read_record(folder / "records" / summary_of(folder)["best"])
    assert verify(record) == []
    return record


def test_a_run_puts_its_files_its_result_and_its_progress_where_they_belong(isoplane, tmp_path):
    result = isoplane("search", "network.n=4", "hydra.run.dir=run")
    run = tmp_path / "run"
    assert result.code == 0
    assert files(tmp_path)[0] == "run"
    # n = 4 is searched exactly.
    assert {path.name for path in run.iterdir()} == RUN_FILES | {"checkpoint", "proof.json"}
    summary = summary_of(run)
    assert [path.name for path in (run / "records").iterdir()] == summary["records"] == [summary["best"]]
    assert all(re.fullmatch(r"[A-Za-z0-9._/-]+", name) for name in files(tmp_path))
    # The best of all 840 classes of bases of n = 4 has 22 hops and 6 packets.
    assert (summary["score"][0], summary["printed"]) == (132, 132.0)
    assert (summary["status"], summary["stopped_by"]) == ("optimal", "complete")
    proven = "formulas and certificates of cubes for ASPL x load; the search (strategy=exact) for cables"
    assert (
        f"\nbound by: {proven}\nproven optimal over all linear relabellings of plane 1; search complete: " in result.out
    )
    assert (summary["component_status"], summary["gap"]) == (["optimal", "optimal"], [0.0, 0.0])
    assert summary["proven_over"] == "all linear relabellings of plane 1"
    assert "front" not in summary
    assert (summary["objective"], summary["score_names"]) == (
        "aspl_and_traffic",
        ["sum_of_distances*max_load", "cable_length"],
    )
    assert "best aspl_and_traffic" in result.err
    assert "best aspl_and_traffic" not in result.out
    assert str(run / "records" / summary["best"]) in result.out
    assert (run / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")

    file = f"record=run/records/{summary['best']}"
    before = files(tmp_path)
    assert isoplane("verify", file).code == 0
    evaluated = isoplane("evaluate", file)
    assert (evaluated.code, evaluated.err) == (0, "")
    assert evaluated.out in result.out  # the same numbers
    assert files(tmp_path) == before


def test_every_run_gets_a_new_folder_and_leaves_its_process_as_it_was(isoplane, tmp_path, no_drawing):
    before = list(sys.argv), signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    for _ in range(2):
        assert isoplane("search", "network.n=3", "stop.evaluations=100").code == 0
    assert (list(sys.argv), signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    assert len(list((tmp_path / "outputs").iterdir())) == 2
    assert {path.name for run in (tmp_path / "outputs").iterdir() for path in run.iterdir()} == RUN_FILES


def test_the_current_folder_is_used_if_it_is_empty(isoplane, tmp_path, no_drawing):
    words = ("search", "network.n=3", "stop.evaluations=100", "hydra.run.dir=.")
    (tmp_path / "notes.txt").write_text("mine")
    refused = isoplane(*words)
    assert (refused.code, refused.out) == (2, "")
    assert "holds notes.txt; expected a new or empty folder" in refused.err
    assert files(tmp_path) == ["notes.txt"]
    (tmp_path / "notes.txt").unlink()
    assert isoplane(*words).code == 0
    assert {path.name for path in tmp_path.iterdir()} == RUN_FILES


@for_each(
    ("words", "strategy", "status"),
    [
        (("strategy=exact", "objective=cost"), "exact", "optimal"),
        (("strategy=anneal", "objective=aspl"), "anneal", "optimal"),
        (("strategy=temper", "objective=delay"), "temper", "feasible"),
        (("strategy=neighbourhood", "objective=delay"), "neighbourhood", "feasible"),
        (("strategy=portfolio", "strategy.mix=[temper,structured]", "objective=aspl"), "portfolio", "optimal"),
        (("strategy=pareto", "objective=front"), "pareto", "feasible"),
    ],
)
def test_every_strategy_finds_a_design_that_verifies(ended_search, tmp_path, words, strategy, status):
    stop = () if strategy == "exact" else ("stop.evaluations=5000",)
    ended_search("network.n=4", "seed=18446744073709551615", *words, *stop)
    record = best_of(tmp_path / "run")
    assert (record["provenance"]["strategy"], record["status"]) == (strategy, status)
    assert record["provenance"]["seed"] == (1 << 64) - 1
    assert (record["bound"] == record["score"]) == (status == "optimal")
    assert all(0 < low <= part for low, part in zip(record["bound"], record["score"], strict=True))


# n = 3: the best ASPL is 1, the best maximum traffic 2 · 8 / 3 = 5.33.
@for_each(
    ("objective", "target", "code"),
    [("aspl", "1", 0), ("max_traffic", "5.34", 3)],
)
def test_the_exit_code_says_whether_the_target_was_reached(isoplane, tmp_path, no_drawing, objective, target, code):
    words = (f"objective={objective}", f"stop.target={target}", f"hydra.run.dir={target}")
    missed = [f"isoplane search: stop.target={target} was not reached (best max_traffic 5.33333)"] if code else []
    for command in (("network.n=3", *words), (f"resume='{target}'",)):
        result = isoplane("search", *command)
        assert result.code == code
        assert [line for line in messages(result.err) if "was not reached" in line] == missed
    assert summary_of(tmp_path / target)["stopped_by"] == ("target" if code == 0 else "complete")
    best_of(tmp_path / target)


def test_a_missed_gap_is_said_with_that_of_the_result(isoplane, no_drawing):
    result = isoplane("search", "network.n=12", "objective=aspl", "layout=none", "stop.gap=0", "stop.evaluations=8")
    gap = re.search("(?<=ASPL within )[0-9.]+ %", result.out)[0]
    assert (result.code, messages(result.err)[-1]) == (3, f"isoplane search: stop.gap=0 was not reached (gap {gap})")


@for_each(("name", "limit", "higher"), [("evaluations", 1000, 2000), ("seconds", 0, 1), ("stalled", 1, 2)])
def test_a_search_that_reaches_a_limit_ends_with_code_0(ended_search, tmp_path, name, limit, higher):
    result = ended_search("network.n=8", "strategy=anneal", f"stop.{name}={limit}")
    summary = summary_of(tmp_path / "run")
    assert (summary["stopped_by"], name != "evaluations" or summary["evaluations"] == limit) == (name, True)
    onward = f"stop.{name}={higher}; for a proof: isoplane search network.n=8 strategy=exact"
    assert re.fullmatch(rf"to search on: isoplane search resume=\S+ {onward}", messages(result.err)[-1])


def test_a_search_continues_from_a_record(isoplane, tmp_path, no_drawing):
    assert isoplane("search", "network.n=5", "hydra.run.dir=first").code == 0
    first = best_of(tmp_path / "first")
    limited = ("network.n=5", "strategy=anneal", "stop.evaluations=1", "hydra.run.dir=second")
    file = next((tmp_path / "first" / "records").iterdir())
    assert isoplane("search", *limited, f"warm_start={file}").code == 0
    second = best_of(tmp_path / "second")
    assert second["score"] == first["score"]
    assert str(file) not in json.dumps(second)  # no paths in records


def test_without_a_layout_the_metrics_that_need_one_are_null(isoplane, tmp_path, no_drawing):
    # n = 13 needs cables that the catalogue lacks.
    assert isoplane("search", "network.n=13", "layout=none", "stop.evaluations=64", "hydra.run.dir=run").code == 0
    record = read_record(tmp_path / "run" / "records" / summary_of(tmp_path / "run")["best"])
    assert record["layout"] is None
    assert record["score_names"] == ["sum_of_distances*max_load"]
    for metric in ("cable_length_m", "delay_ns", "delay_paper_ns", "cost_usd_per_node"):
        assert record["metrics"][metric] is None
    assert record["metrics"]["aspl"] < 6.5  # identical planes: n / 2


def test_a_front_holds_designs_that_do_not_beat_one_another(isoplane, tmp_path, no_drawing):
    words = ("network.n=5", "objective=front", "objective.metrics=[cost,delay_paper]", "strategy=pareto")
    result = isoplane("search", *words, "stop.evaluations=300000", "hydra.run.dir=run")
    run = tmp_path / "run"
    summary = summary_of(run)
    assert result.code == 0
    assert sorted(path.name for path in (run / "records").iterdir()) == sorted(summary["records"])
    assert len(summary["records"]) > 1
    assert 0 < summary["hypervolume"] < 1
    count, hypervolume = len(summary["records"]), f"{summary['hypervolume']:.6f}"
    assert f"front: {count} designs, not proven complete, hypervolume {hypervolume}" in result.out
    records = [read_record(run / "records" / name) for name in summary["records"]]
    metrics = [record["metrics"] for record in records]
    points = sorted((m["delay_paper_ns"], m["cost_usd_per_node"]) for m in metrics)
    # Every longer delay comes with a lower cost.
    assert all(a[0] < b[0] and a[1] > b[1] for a, b in pairwise(points))
    assert all(verify(record) == [] for record in records)


def test_the_site_can_come_from_files_of_the_user(isoplane, tmp_path, no_drawing):
    for group, text in {
        "layout/hall.yaml": "{name: hall, switches_per_rack: 2, aspects: [1, 2]}",
        "prices/short.yaml": "{name: short, cables_usd: {1: 50, 2.5: 70}}",
        "prices/long.yaml": "{name: long, cables_usd: {1: 50, 40: 70}}",
    }.items():
        path = tmp_path / "mine" / group
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    words = ("search", "--config-dir", "mine", "network.n=4", "layout=hall", "stop.evaluations=1000")
    too_short = isoplane(*words, "prices=short", "hydra.run.dir=run")
    assert too_short.code == 2
    assert "the longest in prices=short is 2.5 m; expected a catalogue with a longer one" in too_short.err
    assert not (tmp_path / "run").exists()
    assert isoplane(*words, "prices=long", "hydra.run.dir=run").code == 0
    record = best_of(tmp_path / "run")
    assert (record["layout"]["name"], record["prices"]["name"]) == ("hall", "long")
    assert record["prices"]["nics_usd"][1] == {"ports": 2, "price_usd": 485}  # the default of what the file leaves out


PROVEN_FRONT = ("network.n=4", "objective=front", "objective.metrics=[cost,delay_paper]")
UNPROVEN = ("network.n=8", "strategy=anneal", "stop.evaluations=20000")


def records_of(folder):
    return [read_record(folder / "records" / name) for name in summary_of(folder)["records"]]


def percent(score, bound):
    return f"{ceil(Fraction(10_000 * (score - bound), score)) / 100:.2f} %"


def test_a_search_prints_status_and_gap_of_each_component(isoplane, tmp_path, no_drawing):
    # At n = 8 the search quickly reaches the bound of the product, 800 · 100; its cables are longer than their bound.
    result = isoplane("search", "network.n=8", "stop.evaluations=2000000", "strategy=portfolio", "hydra.run.dir=run")
    (record,), summary = records_of(tmp_path / "run"), summary_of(tmp_path / "run")
    (product, cables), (product_bound, cable_bound) = record["score"], record["bound"]
    assert product == product_bound == 80000
    status_text = f"ASPL x load proven optimal, cables within {percent(cables, cable_bound)}"
    status_text += ", over all linear relabellings of plane 1"
    path = tmp_path / "run" / "records" / summary["best"]
    assert f"{status_text}; stopped after 2,000,000 evaluations: {path}\n" in result.out
    stated = re.findall(r"^(?:score|bound): .* 80,000 .* switches ([0-9.]+) m$", result.out, re.MULTILINE)
    # A mean over the 2 · 8 cables at each of 256 switches, each at both ends, in mm.
    expected = [mm / 1000 / (256 * 16) for mm in (cables, cable_bound)]
    assert list(map(float, stated)) == pytest.approx(expected, rel=1e-3)
    assert (summary["status"], summary["component_status"]) == ("feasible", ["optimal", "feasible"])
    assert summary["gap"] == [0.0, (cables - cable_bound) / cables]
    resumed = isoplane("search", "resume=run")
    assert f"{status_text}: {path}\n".replace(str(tmp_path / "run"), "run") in resumed.out


def test_every_record_of_a_complete_front_is_marked_complete(isoplane, tmp_path):
    result = isoplane("search", *PROVEN_FRONT, "hydra.run.dir=run")
    summary, records = summary_of(tmp_path / "run"), records_of(tmp_path / "run")
    assert len(records) == 2
    over = "over all linear relabellings of plane 1"
    assert f"front: {len(records)} designs, proven complete {over}, hypervolume " in result.out
    assert summary["front"] == "complete"
    assert [record["front"] for record in records] == ["complete"] * len(records)
    assert all(verify(record) == [] for record in records)
    front_page = (tmp_path / "run" / "report.html").read_text()
    listed = dict(re.findall(r'<td>(\d+(?: \d+)+)</td>.*?href="records/([^"]+)"', front_page, re.S))
    generators = [" ".join(map(str, record["network"]["planes"][1]["generators"])) for record in records]
    assert listed == dict(zip(generators, summary["records"], strict=True))  # every design, with a link to its record
    # The smallest product is the bound for every design: only the one that attains it has an optimal product.
    assert [record["status"] for record in records] == ["optimal", "feasible"]
    path = tmp_path / "second.json"
    path.write_text(json.dumps(records[1]))
    page = (tmp_path / isoplane("report", f"record={path}").out.strip()).read_text(encoding="utf-8")
    proven = f"on a complete front: proven {over} that no design beats it; cost x published delay within "
    assert proven in page


def test_a_front_can_be_completed_by_a_resumed_search(isoplane, tmp_path, no_drawing):
    words = ("strategy=exact", "strategy.head_start=1024", "stop.evaluations=1024")
    limited = isoplane("search", *PROVEN_FRONT, *words, "hydra.run.dir=run")
    assert "designs, not proven complete, hypervolume " in limited.out
    assert "front" not in summary_of(tmp_path / "run")
    assert not any("front" in record for record in records_of(tmp_path / "run"))
    onward = "search resume=run stop.evaluations=null stop.seconds=null"
    assert messages(limited.err)[-1] == f"to finish the proof: isoplane {onward}"
    isoplane(*onward.split())
    records = records_of(tmp_path / "run")
    assert summary_of(tmp_path / "run")["stopped_by"] == "complete"
    assert [record["front"] for record in records] == ["complete"] * len(records)


def test_the_page_of_a_record_shows_and_defines_the_gap_of_every_component(isoplane, tmp_path):
    isoplane("search", *UNPROVEN, "hydra.run.dir=run")
    (record,) = records_of(tmp_path / "run")
    gaps = [percent(*pair) for pair in zip(record["score"], record["bound"], strict=True)]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Gap: (score − bound) / score" in page
    assert "planes 1 that relabel the switches of plane 0 other than linearly, see docs/planes.md" in page
    assert f"ASPL x load {gaps[0]}, cables {gaps[1]}" in page
    # For each of the 2 packets that a load of generators counts, the 4 nodes of a switch send 16 to those of another.
    packets = record["metrics"]["max_load"] * 16 // 2
    assert re.search(rf"load of (each is {packets:,} packets|the busier direction) if every node sends a packet", page)


def test_the_page_of_a_graph_names_the_bound_of_its_distances(isoplane, tmp_path):
    words = ("network=free_graph", "network.switches=10", "network.degree=3", "layout=none", "stop.evaluations=1000")
    result = isoplane("search", *words, "hydra.run.dir=run")
    assert "\nbound by: the Moore bound\nproven optimal over all regular graphs; stopped at the proof: " in result.out
    # Shortest paths in the Petersen graph have cycles of channels.
    says = "\non InfiniBand: no forwarding tables for OpenSM, which isoplane export would refuse: plane 0: its routes "
    assert says in result.out
    assert summary_of(tmp_path / "run")["bound_by"] == "the Moore bound"
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert re.search(r"Bound by</\w+>\s*<[^>]*>the Moore bound, see docs/bounds.md<", page)


def test_the_table_of_best_designs_has_the_status_of_each_component(isoplane):
    result = isoplane("best", "n=8,9", "family=hypercube", "objective=aspl_and_traffic", "--multirun")
    assert "  proven optimal  " in result.out
    assert "  ASPL x load within 1.41 %,  " in result.out
