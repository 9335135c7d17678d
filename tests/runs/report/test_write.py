import json

import pytest

from isoplane.models import InputError
from isoplane.runs.records import write_record
from isoplane.runs.report import write_report
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
    assert write_report(folder, switch_id=5) == folder / "report.html"
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "isoplane verify record=records/hypercube-n3-aspl_and_traffic-" in text
    assert 'id="convergence"' in text
    assert "other designs of the run" in text
    assert "cables of switch 5" in text
    assert sorted(path.name for path in folder.iterdir()) == ["history.csv", "records", "report.html", "summary.json"]


def test_a_run_without_history_has_no_convergence(tmp_path):
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


@for_each("text", [None, "{", "[]", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_missing_or_damaged_summary_is_bad_input(tmp_path, text):
    if text is not None:
        (tmp_path / "summary.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=r"summary\.json"):
        write_report(tmp_path)
