"""Columns of the table of a sweep: one form of each, wherever it is printed, and numbers of it in Python."""

import csv
import io

import pytest

import isoplane as ip
from tests.cases import for_each
from tests.runs.pages import page_of

from .conftest import latex_cells

GRAPHS = ("network=free_graph", "network.degree=4", "objective=aspl", "stop.evaluations=500")
COLUMNS = ["network.switches", "seed", "aspl", "bound", "gap", "status"]


@pytest.fixture
def graphs(isoplane, no_drawing):
    """Return the words of a report of a sweep whose seed all runs share, so that its table has no column of it."""
    assert isoplane("search", "--multirun", *GRAPHS, "network.switches=16,32", "hydra.sweep.dir=sweep").code == 0
    return "report", "sweep=sweep"


@for_each("names", [COLUMNS, ["seed", "gap"], ["run", "aspl", "bound", "score"]])
def test_chosen_columns_have_the_form_that_they_have_in_the_whole_table(isoplane, graphs, names):
    whole, chosen = (isoplane(*graphs, *more, "format=latex").out for more in ((), (f"columns=[{','.join(names)}]",)))
    heads, rows = latex_cells(whole)
    shown = dict(zip(heads, zip(*rows, strict=True), strict=True))
    heads, rows = latex_cells(chosen)
    for head, column in zip(heads, zip(*rows, strict=True), strict=True):
        if head in shown:
            assert column == shown[head]
    alignment = chosen.splitlines()[0].removeprefix("\\begin{tabular}").strip("{}")
    expected = {"run": "l", "status": "l", "score": "l"}  # words, and lists of integers
    assert alignment == "".join(expected.get(name, "r") for name in names)


def test_the_bound_of_the_table_is_in_the_unit_of_its_value(isoplane, graphs):
    rows = list(csv.DictReader(io.StringIO(isoplane(*graphs, "format=csv").out)))
    head, _, *lines = isoplane(*graphs, f"columns=[{','.join(COLUMNS)}]", "format=markdown").out.splitlines()
    assert "| aspl (hops) | bound (hops) | gap | status |" in head
    assert len(rows) == len(lines) - lines.count("") == 2
    for row, line in zip(rows, lines, strict=True):
        switches = int(row["network.switches"])
        pairs = switches * switches  # of nodes, one at every switch, each with itself, too
        aspl, bound, gap = float(row["aspl (hops)"]), float(row["value_bound"]), float(row["gap"])
        assert (float(row["value"]), int(row["score"]) / pairs) == (aspl, aspl)
        assert int(row["bound"]) / pairs == bound
        shown = [cell.strip() for cell in line.strip("|").split("|")]
        assert [float(shown[2]), float(shown[3])] == [pytest.approx(aspl, rel=1e-5), pytest.approx(bound, rel=1e-5)]
        assert 0 <= float(shown[4].removesuffix(" %")) - 100 * gap < 0.01  # rounded up


def test_the_page_of_a_sweep_has_the_values_of_the_objective_as_the_terminal_has_them(isoplane, graphs, tmp_path):
    _, _, *lines = isoplane(*graphs, "columns=[aspl,bound]", "format=markdown").out.splitlines()
    printed = [line.strip("| ").split(" | ")[0] for line in lines if line.startswith("|")]
    (runs,) = page_of(tmp_path / "sweep" / "report.html").tables
    titles = [cell.text for cell in runs[0]]
    assert [row[titles.index("ASPL (hops)")].text for row in runs[1:]] == printed


def test_a_sweep_of_one_component_has_numbers_in_python_and_of_several_texts(isoplane, graphs, tmp_path):
    frame = ip.load("sweep").to_frame(dict)
    assert frame["score"] == frame["aspl"]
    assert frame["bound"] == frame["value_bound"]
    assert frame["gap"] == [
        pytest.approx(1 - bound / score) for score, bound in zip(frame["score"], frame["bound"], strict=True)
    ]
    (line,) = ip.load("sweep").plot(metrics=("network.switches", "gap")).axes[0].lines
    assert list(line.get_ydata()) == frame["gap"]
    words = ("network.n=3,4", "objective=aspl_and_traffic", "stop.evaluations=500", "hydra.sweep.dir=two")
    assert isoplane("search", "--multirun", *words).code == 0
    two = ip.load("two").to_frame(dict)
    assert [len(gap.split()) for gap in two["gap"]] == [2, 2]
    assert all(isinstance(bound, float) for bound in two["value_bound"])


def test_a_sweep_of_fronts_has_in_python_the_numbers_of_its_table(isoplane):
    words = ("network.n=3,5", "objective=front", "strategy=pareto", "stop.evaluations=500", "hydra.sweep.dir=fronts")
    assert isoplane("search", "--multirun", *words).code == 0
    _, _, *lines = isoplane("report", "sweep=fronts", "columns=[value,bound,gap]", "format=markdown").out.splitlines()
    sweep = ip.load("fronts")
    for number, (row, line) in enumerate(zip(sweep.rows, lines, strict=False)):
        value, bound, gap = (float(cell.strip(" %")) for cell in line.strip("|").split("|")[-3:])
        assert (row["score"], row["bound"]) == (pytest.approx(value, abs=0.006), pytest.approx(bound, abs=0.006))
        assert 0 <= gap - 100 * row["gap"] < 0.01
        # What ranks the designs of a front is the product of its metrics, here of delay and load.
        assert row["score"] == pytest.approx(row["delay_ns"] * row["max_load"])
        assert "score" not in ip.load(f"fronts/{number}").rows[0]


def test_the_page_of_a_sweep_has_a_column_for_each_metric(isoplane, graphs, tmp_path):
    assert isoplane(*graphs).code == 0
    (runs,) = page_of(tmp_path / "sweep" / "report.html").tables
    heads = [cell.text.casefold() for cell in runs[0]]
    assert heads.count("aspl (hops)") == 1
    assert len(set(heads)) == len(heads)


def test_a_failed_job_has_no_numbers(isoplane, no_drawing):
    words = ("network.n=3,40", "objective=aspl", "stop.evaluations=500", "hydra.sweep.dir=sweep")
    assert isoplane("search", "--multirun", *words).code == 2
    assert ip.load("sweep").to_frame(dict)["gap"] == [0.0, None]


@for_each(("shapes", "differ"), [("[4,4],[8,2]", False), ("[4,4],[3,3]", True)])
def test_a_sweep_says_that_its_networks_have_different_numbers_of_nodes(isoplane, shapes, differ):
    result = isoplane("evaluate", "--multirun", "network=torus", f"network.shape={shapes}", "format=csv")
    assert ("the designs have different numbers of nodes; " in result.err) == differ
    nodes = [row["nodes"] for row in csv.DictReader(io.StringIO(result.out))]
    assert (len(nodes), len(set(nodes)) > 1) == (2, differ)
