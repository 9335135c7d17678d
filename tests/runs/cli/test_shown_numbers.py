"""A number that is shown twice is one number: on the terminal, on the page and in the files of a run."""

import csv
import json

import pytest

from isoplane.objectives import METRIC_TABLE
from tests.runs.pages import agrees, page_of, terminal_rows

HYBRID = (
    "network=hybrid", "network.groups=3", "network.nodes_per_group=4", "network.up_gbps=10", "network.circuits=4",
    "workload=sparse", "workload.processes=12", "workload.message_bytes=1000000",
)  # fmt: skip
CUBE = ("network=hypercube", "network.n=4", "network.generators=[3,5,7,8]", "network.nodes_per_switch=2")


def check_metrics(out, record, page):
    """Check each row of the terminal's table of metrics against the record and the page's comparison."""
    rows = {row[0]: row[1:] for row in terminal_rows(out) if len(row) == 5 and row[0] in METRIC_TABLE}
    assert len(rows) > 5
    (columns,) = (table for table in page.tables if len(table[0]) > 2 and table[0][2].text == "This design")
    titles = {row[0].text: row[2:] for row in columns if len(row) > 3}
    shown = 0
    for name, (mine, other, change, _) in rows.items():
        metric = METRIC_TABLE[name]
        factor = metric.page_unit[1] if metric.page_unit else 1
        if name in record["metrics"]:
            assert agrees(mine, record["metrics"][name]), name
        if metric.title not in titles:
            continue
        ours, theirs = titles[metric.title][:2]
        assert agrees(ours.text, float(mine) / factor), name
        assert agrees(theirs.text, float(other) / factor), name
        if theirs.change:
            assert agrees(theirs.change, float(change.removesuffix(" %"))), name
        shown += 1
    assert shown > 5
    return columns[0][3].text, next(row[1] for row in terminal_rows(out) if "this design" in row)


@pytest.mark.parametrize("words", [("network.n=4",), HYBRID])
def test_a_search_shows_what_its_record_and_its_page_have(isoplane, tmp_path, words):
    result = isoplane("search", *words, "stop.evaluations=400", "hydra.run.dir=run")
    assert result.code == 0
    (path,) = (tmp_path / "run" / "records").iterdir()
    page, summary = page_of(tmp_path / "run" / "report.html"), json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["best"] == path.name
    titles = check_metrics(result.out, json.loads(path.read_text()), page)
    assert titles[0].lower() == titles[1].lower()  # of the baselines
    assert agrees(page.facts["Evaluations"], summary["evaluations"])
    last = next(line for line in result.out.splitlines() if "; search complete" in line or "; stopped " in line)
    assert page.facts["Status"].startswith(last.partition(";")[0])
    evaluated = isoplane("evaluate", f"record={path}")  # shown alike again
    check_metrics(evaluated.out, json.loads(path.read_text()), page)


def test_a_simulated_workload_has_the_same_messages_and_times_everywhere(isoplane, tmp_path):
    words = ("workload=all_to_all", "workload.processes=32", "workload.message_bytes=1000")
    result = isoplane("simulate", *CUBE, *words, "hydra.run.dir=run")
    assert result.code == 0
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    work, page = summary["workload"], page_of(tmp_path / "run" / "report.html")
    assert work["messages"] == 32 * 31
    assert f"{work['messages']} messages" in result.out
    assert f"Workload all_to_all, {work['messages']} messages" in (tmp_path / "run" / "report.html").read_text()
    (completion,) = (row for row in terminal_rows(result.out) if row[0] == "completion_ns")
    assert agrees(completion[1], work["completion_ns"])
    assert agrees(completion[2], work["fluid"]["completion_ns"])
    (shown,) = page.rows_titled("Completion, relay by messages")
    assert agrees(shown[2].text, work["completion_ns"] / 10**6)
    assert agrees(shown[3].text, work["fluid"]["completion_ns"] / 10**6)


def test_a_simulation_of_a_load_has_the_same_latencies_everywhere(isoplane, tmp_path):
    words = ("loads=[0.1]", "saturation=false", "hydra.run.dir=run")
    result = isoplane("simulate", "network=hypercube", "network.n=3", "network.generators=[3,5,7]", *words)
    assert result.code == 0
    (run,) = json.loads((tmp_path / "run" / "report.json").read_text())["runs"]
    with (tmp_path / "run" / "curve.csv").open() as file:
        (curve,) = csv.DictReader(file)
    (row,) = (row for row in terminal_rows(result.out) if row[0] == "0.1")
    page = page_of(tmp_path / "run" / "report.html")
    (cells,) = (cells for table in page.tables for cells in table if [cell.text for cell in cells[1:2]] == ["0.1"])
    means = [run[name]["mean"] for name in ("network_latency_ns", "message_latency_ns")]
    for mean, name, terminal, cell in zip(
        means, ("network_latency_ns", "message_latency_ns"), (row[3], row[5]), cells[2:4], strict=True
    ):
        assert float(curve[name]) == mean
        assert agrees(terminal, mean)
        assert agrees(cell.text.partition("±")[0], mean)
    assert agrees(row[1], float(curve["accepted_load"]))


def test_a_comparison_has_the_same_designs_and_numbers_everywhere(isoplane, tmp_path):
    families = "families=[torus,hyperx,fat_tree,full_mesh,mesh,xgft,dragonfly]"
    words = ("nodes=24", "ports=8", "throughput=[0.5]", "failures=none", families, "hydra.run.dir=run")
    result = isoplane("compare", *words)
    assert result.code == 0
    with (tmp_path / "run" / "comparison.csv").open() as file:
        rows = {row["design"]: row for row in csv.DictReader(file) if row["cost_usd_per_node"]}
    listed = json.loads((tmp_path / "run" / "comparison.json").read_text())
    page, terminal = page_of(tmp_path / "run" / "report.html"), terminal_rows(result.out)
    titles = next(cells for cells in terminal if cells and cells[0] == "design")
    keys = {"nodes": "nodes", "switches": "switches", "price": "cost_usd_per_node"}
    shown = [cells for cells in terminal if cells and cells[0] in rows]
    assert len(shown) >= 8
    head, *table = page.tables[0]
    heads = [cell.text.split(" (")[0] for cell in head]
    by_design = {cells[0].text.split(" ", 1)[-1].split(" (same network")[0]: cells for cells in table}
    for cells in shown:
        row = rows[cells[0]]
        for title, key in keys.items():
            assert agrees(cells[titles.index(title)], float(row[key])), (cells[0], title)
            page_text = by_design[cells[0]][heads.index(title)].text
            assert page_text.replace(" ", "") == cells[titles.index(title)], (cells[0], title)
        assert row["cost_usd_per_node"] in json.dumps(listed)


def test_a_figure_of_exchanges_has_the_same_numbers_on_terminal_page_and_in_its_table(isoplane, tmp_path):
    result = isoplane("reproduce", "experiment=shimizu/fig13", "hydra.run.dir=run")
    assert result.code == 0
    with (tmp_path / "run" / "fig13.csv").open() as file:
        rows = list(csv.DictReader(file))
    terminal = [cells for cells in terminal_rows(result.out) if len(cells) == 9 and cells[0] in "BCD"]
    assert len(terminal) == len(rows)
    page = page_of(tmp_path / "run" / "fig13.html")
    on_page = [cells for table in page.tables for cells in table if cells[0].text in ("B", "C", "D")]
    assert len(on_page) == len(rows)
    for row, cells, page_row in zip(rows, terminal, on_page, strict=True):
        assert [cell.text for cell in page_row] == list(row.values())
        assert agrees(cells[5], float(row["exchange_ns"]) / 10**6)
        assert agrees(cells[6], float(row["communication_s"]))
        assert agrees(cells[7], float(row["total_s"]))
        assert agrees(cells[8], 100 * float(row["communication_share"]))
