"""What the paper on switch-saving topologies measured, as data."""

from fractions import Fraction

import pytest

from isoplane.models import InputError
from isoplane.runs.published import read_measurements, shimizu_measurements
from isoplane.runs.published.measurements import MEASUREMENT_COLUMNS
from tests.cases import for_each

ROW = "4.3,14,limit,3717,MiB/s,"


def written(folder, *rows, columns=MEASUREMENT_COLUMNS):
    path = folder / "measured.csv"
    path.write_text("\n".join([",".join(columns), *rows]) + "\n", encoding="utf-8")
    return path


def test_the_measurements_are_those_of_section_4_3():
    found = {name: (each.value, each.unit) for name, each in shimizu_measurements().items()}
    assert found == {
        "communication change": (Fraction(-114, 10), "%"),
        "whole run change": (-1, "%"),
        "link limit": (3717, "MiB/s"),
    }
    assert {each.section for each in shimizu_measurements().values()} == {"4.3"}


def test_a_row_is_read_exactly(tmp_path):
    (found,) = read_measurements(written(tmp_path, "4.3,14,limit,0.1,MiB/s,here")).values()
    assert (found.figures, found.value, found.note) == ("14", Fraction(1, 10), "here")


@for_each(
    ("rows", "message"),
    [
        ([ROW, ROW], "line 3: quantity='limit': expected a name that occurs once"),
        (["4.3,14,,1,%,"], "line 2: quantity='': expected a name"),
        (["4.3,14,limit,fast,%,"], "line 2: value='fast': expected a decimal number"),
        (["4.3,14,limit"], "expected 6 fields"),
    ],
)
def test_damaged_rows_are_refused(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        read_measurements(written(tmp_path, *rows))


def test_other_columns_are_refused(tmp_path):
    with pytest.raises(InputError, match="expected section, figures, quantity"):
        read_measurements(written(tmp_path, ROW, columns=reversed(MEASUREMENT_COLUMNS)))
