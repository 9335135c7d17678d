"""The published numbers of servers and switches, as data."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.runs.published import PublishedCount, read_counts, shimizu_counts
from isoplane.runs.published.counts import COUNT_COLUMNS, terms_of
from tests.cases import for_each

VALID = dict(zip(COUNT_COLUMNS, ("3.3", "2-level fat-tree", "servers", "", "2 d^2", ""), strict=True))


def write_counts(folder, *rows, columns=COUNT_COLUMNS):
    path = folder / "counts.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8")
    return path


@for_each(
    ("network", "servers", "switches"),  # section 3.3, as printed
    [
        ("2-level fat-tree", lambda d: 2 * d**2, lambda d: 3 * d),
        ("3-level fat-tree", lambda d: 2 * d**3, lambda d: 5 * d**2),
        ("multi-layer full mesh", lambda d: d**2 * (d + 1), lambda d: Fraction(3, 2) * d * (d + 1)),
    ],
)
def test_the_table_has_the_polynomials_of_the_paper(network, servers, switches):
    counts = {count.metric: count for count in shimizu_counts() if count.network == network and count.degree is None}
    for d in range(2, 37):
        assert counts["servers"].at(d) == servers(d)
        assert counts["switches"].at(d) == switches(d)


def test_the_table_has_both_costs_of_the_paper():
    costs = [(count.network, count.degree, count.at(3)) for count in shimizu_counts() if count.degree is not None]
    assert costs == [("2-level fat-tree", 3, 2), ("3-level fat-tree", 3, Fraction(6, 5))]
    assert len(shimizu_counts()) == 3 * 2 + 2


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(0, 5)), min_size=1, max_size=4))
def test_a_written_polynomial_is_read_back(terms):
    text = " + ".join(f"{factor / 10:g} d^{power}" if power else f"{factor / 10:g}" for factor, power in terms)
    assert terms_of(text) == [(Fraction(factor, 10), power) for factor, power in terms]


def test_a_valid_row_is_read_exactly(tmp_path):
    (count,) = read_counts(write_counts(tmp_path, VALID))
    assert count == PublishedCount("3.3", "2-level fat-tree", "servers", None, "2 d^2", "")


@for_each(
    ("changes", "message"),
    [
        ({"metric": "price"}, "metric='price'"),
        ({"network": ""}, "network is empty"),
        ({"degree": "0"}, "degree='0'"),
        ({"degree": "three"}, "degree='three'"),
        ({"value": "2 n"}, "value='2 n'"),
        ({"value": ""}, "value=''"),
        ({"value": "d + "}, "value='d + '"),
        ({"value": "d - 1"}, "value='d - 1'"),
        ({"note": "one,too many"}, "fields"),
    ],
)
def test_a_malformed_row_is_named_with_its_line(tmp_path, changes, message):
    with pytest.raises(InputError, match=r"counts\.csv, line 3") as raised:
        read_counts(write_counts(tmp_path, VALID | {"metric": "switches"}, VALID | changes))
    assert message in str(raised.value)
    assert "expected" in str(raised.value)


def test_a_number_that_occurs_twice_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="occurs twice; expected one row for each number"):
        read_counts(write_counts(tmp_path, VALID, VALID | {"value": "3 d"}))


def test_wrong_columns_are_bad_input(tmp_path):
    with pytest.raises(InputError, match="columns"):
        read_counts(write_counts(tmp_path, columns=COUNT_COLUMNS[:-1]))
