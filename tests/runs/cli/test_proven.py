"""What is proven is told of every component of a score, and of every design of a complete front."""

import json
import re

import pytest

from isoplane.runs.records import read_record, verify

FRONT = ("network.n=4", "objective=front", "objective.metrics=[cost,delay_paper]")
UNPROVEN = ("network.n=8", "strategy=anneal", "stop.evaluations=20000")


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def records_of(folder):
    return [read_record(folder / "records" / name) for name in summary_of(folder)["records"]]


def percent(score, bound):
    return f"{100 * (score - bound) / score:.2f} %"


def test_a_search_prints_status_and_gap_of_each_component(isoplane, tmp_path, no_drawing):
    # n = 8 reaches the bound of the product soon, 800 · 100; the cables are longer than the shortest.
    ended = isoplane("search", "network.n=8", "stop.evaluations=2000000", "strategy=portfolio", "hydra.run.dir=run")
    (record,), summary = records_of(tmp_path / "run"), summary_of(tmp_path / "run")
    (product, cables), (low, shortest) = record["score"], record["bound"]
    assert product == low == 80000
    told = f"sum_of_distances*max_load optimal, cable_length feasible (gap {percent(cables, shortest)})"
    path = tmp_path / "run" / "records" / summary["best"]
    assert f"{told}, stopped by evaluations: {path}\n" in ended.out
    assert (summary["status"], summary["component_status"]) == ("feasible", ["optimal", "feasible"])
    assert summary["gap"] == [0.0, (cables - shortest) / cables]
    again = isoplane("search", "resume=run")
    assert f"{told}: {path}\n".replace(str(tmp_path / "run"), "run") in again.out


def test_a_score_with_all_components_proven_is_optimal(isoplane, tmp_path, no_drawing):
    ended = isoplane("search", "network.n=4", "hydra.run.dir=run")
    assert re.search(r"^optimal, stopped by complete: ", ended.out, re.MULTILINE)
    summary = summary_of(tmp_path / "run")
    assert (summary["component_status"], summary["gap"]) == (["optimal", "optimal"], [0.0, 0.0])
    assert "front" not in summary


def test_every_record_of_a_complete_front_is_marked_complete(isoplane, tmp_path):
    ended = isoplane("search", *FRONT, "hydra.run.dir=run")
    summary, found = summary_of(tmp_path / "run"), records_of(tmp_path / "run")
    assert len(found) == 2
    assert f"front: {len(found)} designs, proven complete, hypervolume " in ended.out
    assert summary["front"] == "complete"
    assert [record["front"] for record in found] == ["complete"] * len(found)
    assert all(verify(record) == [] for record in found)
    # The smallest product is the bound of all: only the design that has it has an optimal product.
    assert [record["status"] for record in found] == ["optimal", "feasible"]
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps(found[1]))
    page = (tmp_path / isoplane("report", f"record={alone}").out.strip()).read_text(encoding="utf-8")
    assert "on a complete front: proven that no design beats it; cost*delay_paper feasible (gap " in page


def test_a_front_that_a_stop_ends_is_not_called_complete(isoplane, tmp_path, no_drawing):
    ended = isoplane("search", *FRONT, "strategy=pareto", "stop.evaluations=20000", "hydra.run.dir=run")
    assert "designs, not proven complete, hypervolume " in ended.out
    assert "front" not in summary_of(tmp_path / "run")
    assert not any("front" in record for record in records_of(tmp_path / "run"))


def test_a_complete_front_is_the_same_after_it_was_resumed(isoplane, tmp_path, no_drawing):
    words = ("strategy=exact", "strategy.head_start=1024", "stop.evaluations=1024")
    assert isoplane("search", *FRONT, *words, "hydra.run.dir=run").code == 0
    assert not any("front" in record for record in records_of(tmp_path / "run"))
    isoplane("search", "resume=run", "stop.evaluations=null")
    found = records_of(tmp_path / "run")
    assert summary_of(tmp_path / "run")["stopped_by"] == "complete"
    assert [record["front"] for record in found] == ["complete"] * len(found)


def test_the_page_of_a_record_shows_and_defines_the_gap_of_every_component(isoplane, tmp_path):
    isoplane("search", *UNPROVEN, "hydra.run.dir=run")
    (record,) = records_of(tmp_path / "run")
    gaps = [percent(*pair) for pair in zip(record["score"], record["bound"], strict=True)]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Gap: (score − bound) / score" in page
    assert f"sum_of_distances*max_load {gaps[0]}, then cable_length {gaps[1]}" in page


@pytest.mark.parametrize(
    ("n", "status", "gap"),
    [(7, "optimal", "0.00 % / 0.00 %"), (8, "optimal", "0.00 % / 0.00 %"), (9, "feasible", "1.40 % / ")],
)
def test_the_table_of_best_designs_has_status_and_gap_of_each_component(isoplane, n, status, gap):
    ended = isoplane("best", f"n={n}", "family=hypercube", "objective=aspl_and_traffic")
    assert f"  {status}  " in ended.out
    assert f"  {gap}" in ended.out
