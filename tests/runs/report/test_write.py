import json

import pytest

from isoplane.models import Circuits, Design, Hybrid, InputError, Network, Placement, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import all_to_all, stencil
from isoplane.runs.config.placements import on_nodes
from isoplane.runs.records import class_id_of, design_content, id_of, write_record
from isoplane.runs.report.history import HistoryRow, read_history
from isoplane.runs.report.write import write_network_report, write_report
from tests.cases import for_each

from .cases import record


def run_folder(tmp_path, **changes):
    """The folder of a search: two records, a history and a summary."""
    best = write_record(tmp_path / "records", record()).name
    other = write_record(tmp_path / "records", record(3, (1, 2, 4))).name
    summary = {"best": best, "records": [best, other], "evaluations": 5000, "seconds": 1.5, "stopped_by": "evaluations"}
    (tmp_path / "summary.json").write_text(json.dumps(summary | changes), encoding="utf-8")
    history = "seconds,evaluations,score,bound\n0.1,10,48 80000,\n"
    (tmp_path / "history.csv").write_text(history, encoding="utf-8")
    return tmp_path


def test_a_report_is_written_next_to_the_records_and_replaces_an_old_one(tmp_path):
    folder = run_folder(tmp_path)
    (folder / "report.html").write_text("old", encoding="utf-8")
    assert write_report(folder) == folder / "report.html"
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "isoplane verify record=records/hypercube-n3-aspl_and_traffic-" in text
    assert 'id="convergence"' in text
    assert "other designs of the run" in text
    assert "R1-1: 4 switches, " in text
    assert sorted(path.name for path in folder.iterdir()) == ["history.csv", "records", "report.html", "summary.json"]


def test_a_search_that_ended_with_its_only_improvement_says_so_in_place_of_a_dot(tmp_path, blank_charts):
    folder = run_folder(tmp_path, evaluations=10, seconds=0.1)
    (folder / "history.csv").write_text("seconds,evaluations,score,bound\n0.1,10,12,\n", encoding="utf-8")
    text = write_report(folder).read_text(encoding="utf-8")
    assert "One improvement, with which the search ended: " in text
    assert " after 10 evaluations, 0.10 s." in text
    assert "Each dot is an improvement" not in text


def test_a_run_without_history_has_no_convergence(tmp_path, blank_charts):
    folder = run_folder(tmp_path)
    (folder / "history.csv").unlink()
    assert 'id="convergence"' not in write_report(folder).read_text(encoding="utf-8")


@for_each(
    ("changes", "message"),
    [
        ({"best": None}, "not a file name"),
        ({"best": "../other.json"}, "not a file name"),
        ({"records": None}, "no list of records"),
        ({"records": [7]}, "not a file name"),
        ({"best": "gone.json"}, "no such file"),
    ],
)
def test_an_inconsistent_summary_is_bad_input_and_the_old_report_stays(tmp_path, changes, message):
    folder = run_folder(tmp_path, **changes)
    (folder / "report.html").write_text("old", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        write_report(folder)
    assert (folder / "report.html").read_text(encoding="utf-8") == "old"


@for_each("text", ["{", "[]", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_damaged_summary_is_bad_input(tmp_path, text):
    (tmp_path / "summary.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=r"summary\.json"):
        write_report(tmp_path)


@for_each(
    ("name", "lacking"),
    [("absent", "no such folder"), ("file", "no folder"), ("empty", "no run in it"), ("begun", "no design so far")],
)
def test_a_place_without_a_summary_is_named_by_what_it_lacks(tmp_path, name, lacking):
    (tmp_path / "file").touch()
    for folder in ("empty", "begun"):
        (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / "begun" / "config.yaml").touch()
    with pytest.raises(InputError, match=f"^run={tmp_path / name}: {lacking}; expected"):
        write_report(tmp_path / name)


HEADER = "seconds,evaluations,score,bound\n"


def write_history(tmp_path, text):
    path = tmp_path / "history.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_history_has_a_row_for_every_line(tmp_path):
    path = write_history(tmp_path, HEADER + "0.01,1000,81805 25864000,\n1.5,250000,80000 29248000,79000 100\n")
    assert read_history(path) == [
        HistoryRow(0.01, 1000, (81805, 25864000), None),
        HistoryRow(1.5, 250000, (80000, 29248000), (79000, 100)),
    ]
    assert read_history(write_history(tmp_path, HEADER)) == []  # it ended before the first improvement
    with pytest.raises(InputError, match=r"none\.csv"):
        read_history(tmp_path / "none.csv")


@for_each(
    ("text", "message"),
    [
        ("", "begins with"),
        ("evaluations,seconds,score,bound\n", "begins with"),
        (HEADER + "1,2,3\n", "line 2"),
        (HEADER + "1,2,3,\nsoon,2,3,\n", "line 3"),
        (HEADER + "1,2.5,3,\n", "line 2"),
        (HEADER + "1,2,eighty,\n", "line 2"),
        (HEADER + "1,2,,\n", "line 2"),
    ],
)
def test_a_bad_history_is_reported_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_history(write_history(tmp_path, text))


SEARCH_FACTS = ("Objective", "Best value", "Score", "Status", "Stopped by", "Strategy", "Seed", "Evaluations", "Time")


def page_of(network, folder):
    command = "network.n=3 'network.generators=[3,5,7]'"
    return write_network_report(Design(network), folder, config={"network": {"n": 3}}, verified_by=command)


def test_the_page_of_a_network_has_its_hashes_and_its_command_and_says_nothing_about_a_search(tmp_path, blank_charts):
    network = dual_cube(3, (3, 5, 7))
    page = page_of(network, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert page.name == f"hypercube-n3-{id_of(design_content(Design(network)))[:12]}.html"
    assert record()["id"] in text  # the record of the same network has the same id
    assert class_id_of(network) in text
    assert "isoplane verify network.n=3 &#39;network.generators=[3,5,7]&#39;" in text
    assert not [name for name in SEARCH_FACTS if f"<dt>{name}</dt>" in text]
    assert 'id="convergence"' not in text
    assert "other values" not in text
    assert "<dt>Family</dt>" in text


def test_different_messages_over_the_same_circuits_have_different_pages(tmp_path, blank_charts):
    design = Design(Network(Hybrid(2, 4)), Circuits(((0, 4),)), Placement(tuple(range(8))))
    pages = set()
    for message_bytes in (1_000_000, 4_000_000, 1_000_000):
        work = stencil((2, 4), message_bytes)
        pages.add(write_network_report(design, tmp_path, config={}, verified_by="command", workload=work).name)
    assert len(pages) == 2
    assert all(page.startswith("hybrid-8-stencil") for page in pages)


def test_fewer_processes_than_nodes_have_a_page_for_each_placement(tmp_path, blank_charts):
    network = Network(Torus(shape=(3, 3)))
    pages = set()
    for placement in ([0, 1, 2], [0, 1, 4], [0, 1, 2]):
        work = on_nodes(all_to_all(3, 100), {"placement": placement}, network)
        page = write_network_report(Design(network), tmp_path, config={}, verified_by="command", workload=work)
        assert "all_to_all takes" in page.read_text(encoding="utf-8")
        pages.add(page)
    assert len(pages) == 2
