from fractions import Fraction

import pytest

from isoplane.models import InputError
from isoplane.runs.published import Published, published, read_published
from isoplane.runs.published.table import COLUMNS, KINDS, UNITS
from tests.cases import for_each

VALID = {
    "figure": "Fig 5a",
    "network": "D-HC",
    "n": "8",
    "metric": "delay_paper",
    "unit": "ns",
    "value": "601",
    "precision": "0.5",
    "kind": "model",
    "note": "",
}
NETWORKS = {"D-HC", "DI-HC", "DI-HC-r", "D-FHC", "DI-FHC", "DI-FHC-r", "DI-HC/D-HC", "DI-FHC/D-FHC", "all six"}


def write_numbers(folder, *rows, columns=COLUMNS):
    path = folder / "numbers.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8")
    return path


def test_every_number_of_the_paper_is_in_the_table():
    # 12 of Fig. 3; 12 + 12 + 8 of Fig. 5; 12 + 12 of Fig. 7; 6 + 4 of Fig. 8; 16 of Fig. 9; 6 of section 3.5
    count = dict.fromkeys(("Fig 3", "Fig 5", "Fig 7", "Fig 8", "Fig 9", "Section 3.5"), 0)
    for point in published():
        count[point.figure.rstrip("abc")] += 1
    assert list(count.values()) == [12, 32, 24, 10, 16, 6]


@for_each("point", published())
def test_every_row_has_known_names_and_the_precision_of_its_digits(point):
    assert point.network in NETWORKS
    assert point.unit in UNITS
    assert point.kind in KINDS
    assert point.n in (8, 12) or (point.n is None and point.network == "all six")
    assert point.value * 10**point.decimals % 1 == 0  # the value has no digit beyond the printed ones
    assert point.precision in (0, Fraction(1, 2 * 10**point.decimals))


def test_a_valid_row_is_read_exactly(tmp_path):
    (point,) = read_published(write_numbers(tmp_path, VALID))
    assert point == Published("Fig 5a", "D-HC", 8, "delay_paper", "ns", Fraction(601), Fraction(1, 2), "model", "")


@for_each(
    ("column", "value", "message"),
    [
        ("unit", "miles", "unit='miles'"),
        ("kind", "guess", "kind='guess'"),
        ("value", "about 600", "value='about 600'"),
        ("value", "", "value=''"),
        ("value", "nan", "value='nan'"),
        ("value", "inf", "value='inf'"),
        ("precision", "half", "precision='half'"),
        ("precision", "-0.5", "precision=-0.5"),
        ("n", "eight", "n='eight'"),
        ("n", "17", "n='17'"),
        ("network", "", "network is empty"),
        ("metric", "", "metric is empty"),
        ("note", "one,too many", "fields"),
    ],
)
def test_a_malformed_row_is_named_with_its_line(tmp_path, column, value, message):
    other = VALID | {"network": "D-FHC"}
    with pytest.raises(InputError, match=r"numbers\.csv, line 3") as raised:
        read_published(write_numbers(tmp_path, other, VALID | {column: value}))
    assert message in str(raised.value)
    assert "expected" in str(raised.value)


def test_a_row_with_too_few_fields_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="9 fields"):
        read_published(write_numbers(tmp_path, dict(list(VALID.items())[:5])))


def test_the_same_number_twice_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="occurs twice"):
        read_published(write_numbers(tmp_path, VALID, VALID | {"value": "602"}))


def test_wrong_columns_are_bad_input(tmp_path):
    with pytest.raises(InputError, match="columns"):
        read_published(write_numbers(tmp_path, columns=COLUMNS[:-1]))
