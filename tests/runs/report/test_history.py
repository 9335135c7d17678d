import pytest

from isoplane.models import InputError
from isoplane.runs.report import HistoryRow, read_history
from tests.cases import for_each

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


def test_a_history_that_ended_before_the_first_improvement_is_empty(tmp_path):
    assert read_history(write_history(tmp_path, HEADER)) == []


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


def test_a_missing_history_is_bad_input(tmp_path):
    with pytest.raises(InputError, match=r"history\.csv"):
        read_history(tmp_path / "history.csv")
