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
