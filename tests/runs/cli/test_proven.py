"""Proof status is reported for every component of a score, and for every design of a complete front."""

import json
import re

from isoplane.runs.records import read_record, verify
from tests.cases import for_each

FRONT = ("network.n=4", "objective=front", "objective.metrics=[cost,delay_paper]")
UNPROVEN = ("network.n=8", "strategy=anneal", "stop.evaluations=20000")


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def records_of(folder):
    return [read_record(folder / "records" / name) for name in summary_of(folder)["records"]]


def percent(score, bound):
    return f"{100 * (score - bound) / score:.2f} %"


def test_a_search_prints_status_and_gap_of_each_component(isoplane, tmp_path, no_drawing):
    # At n = 8 the search quickly reaches the bound of the product, 800 · 100; its cables are longer than their bound.
    result = isoplane("search", "network.n=8", "stop.evaluations=2000000", "strategy=portfolio", "hydra.run.dir=run")
    (record,), summary = records_of(tmp_path / "run"), summary_of(tmp_path / "run")
    (product, cables), (product_bound, cable_bound) = record["score"], record["bound"]
    assert product == product_bound == 80000
    status_text = f"sum_of_distances*max_load optimal, cable_length feasible (gap {percent(cables, cable_bound)})"
    status_text += ", over all bases of plane 1"
    path = tmp_path / "run" / "records" / summary["best"]
    assert f"{status_text} (stop reason: evaluations): {path}\n" in result.out
    assert (summary["status"], summary["component_status"]) == ("feasible", ["optimal", "feasible"])
    assert summary["gap"] == [0.0, (cables - cable_bound) / cables]
    resumed = isoplane("search", "resume=run")
    assert f"{status_text}: {path}\n".replace(str(tmp_path / "run"), "run") in resumed.out


def test_a_score_with_all_components_proven_is_optimal(isoplane, tmp_path, no_drawing):
    result = isoplane("search", "network.n=4", "hydra.run.dir=run")
    assert re.search(r"^optimal over all bases of plane 1 \(stop reason: complete\): ", result.out, re.MULTILINE)
    summary = summary_of(tmp_path / "run")
    assert (summary["component_status"], summary["gap"]) == (["optimal", "optimal"], [0.0, 0.0])
    assert summary["proven_over"] == "all bases of plane 1"
    assert "front" not in summary


def test_every_record_of_a_complete_front_is_marked_complete(isoplane, tmp_path):
    result = isoplane("search", *FRONT, "hydra.run.dir=run")
    summary, records = summary_of(tmp_path / "run"), records_of(tmp_path / "run")
    assert len(records) == 2
    assert f"front: {len(records)} designs, proven complete over all bases of plane 1, hypervolume " in result.out
    assert summary["front"] == "complete"
    assert [record["front"] for record in records] == ["complete"] * len(records)
    assert all(verify(record) == [] for record in records)
    listed = dict(
        re.findall(r'<th>([\d ]+)</th>.*?href="records/([^"]+)"', (tmp_path / "run" / "report.html").read_text(), re.S)
    )
    generators = [" ".join(map(str, record["network"]["planes"][1]["generators"])) for record in records]
    assert listed == dict(zip(generators, summary["records"], strict=True))  # every design, with a link to its record
    # The smallest product is the bound for every design: only the one that attains it has an optimal product.
    assert [record["status"] for record in records] == ["optimal", "feasible"]
    path = tmp_path / "second.json"
    path.write_text(json.dumps(records[1]))
    page = (tmp_path / isoplane("report", f"record={path}").out.strip()).read_text(encoding="utf-8")
    assert (
        "on a complete front: proven over all bases of plane 1 that no design beats it; cost*delay_paper feasible (gap "
        in page
    )


def test_a_front_can_be_completed_by_a_resumed_search(isoplane, tmp_path, no_drawing):
    words = ("strategy=exact", "strategy.head_start=1024", "stop.evaluations=1024")
    limited = isoplane("search", *FRONT, *words, "hydra.run.dir=run")
    assert "designs, not proven complete, hypervolume " in limited.out
    assert "front" not in summary_of(tmp_path / "run")
    assert not any("front" in record for record in records_of(tmp_path / "run"))
    isoplane("search", "resume=run", "stop.evaluations=null")
    records = records_of(tmp_path / "run")
    assert summary_of(tmp_path / "run")["stopped_by"] == "complete"
    assert [record["front"] for record in records] == ["complete"] * len(records)


def test_the_page_of_a_record_shows_and_defines_the_gap_of_every_component(isoplane, tmp_path):
    isoplane("search", *UNPROVEN, "hydra.run.dir=run")
    (record,) = records_of(tmp_path / "run")
    gaps = [percent(*pair) for pair in zip(record["score"], record["bound"], strict=True)]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Gap: (score − bound) / score" in page
    assert "planes 1 that relabel the switches of plane 0 other than linearly: some are better" in page
    assert f"sum_of_distances*max_load {gaps[0]}, then cable_length {gaps[1]}" in page


@for_each(
    ("n", "status", "gap"),
    [(8, "optimal", "0.00 % / 0.00 %"), (9, "feasible", "1.40 % / ")],
)
def test_the_table_of_best_designs_has_status_and_gap_of_each_component(isoplane, n, status, gap):
    result = isoplane("best", f"n={n}", "family=hypercube", "objective=aspl_and_traffic")
    assert f"  {status}  " in result.out
    assert f"  {gap}" in result.out
