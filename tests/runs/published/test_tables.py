"""Numbers and statements of the papers, as data: complete, and read exactly or refused with the line."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.runs.figures.shibamura.settings import NETWORKS, SETTINGS
from isoplane.runs.published import (
    Claim,
    Measurement,
    Published,
    PublishedCount,
    PublishedDesign,
    published,
    published_points,
    read_claims,
    read_counts,
    read_measurements,
    read_published,
    shibamura_claims,
    shimizu_counts,
    shimizu_measurements,
)
from isoplane.runs.published.claims import CLAIM_COLUMNS
from isoplane.runs.published.counts import COUNT_COLUMNS, terms_of
from isoplane.runs.published.measurements import MEASUREMENT_COLUMNS
from isoplane.runs.published.table import COLUMNS
from tests.cases import for_each

TABLES = {
    "numbers": (read_published, COLUMNS, "Fig 5a,D-HC,8,delay_paper,ns,601,0.5,model,"),
    "claims": (read_claims, CLAIM_COLUMNS, "fig5,4.1,network latency,fig5 RDT,fig4 RDT,2,0.5,1,so"),
    "counts": (read_counts, COUNT_COLUMNS, "3.3,2-level fat-tree,servers,,2 d^2,"),
    "measurements": (read_measurements, MEASUREMENT_COLUMNS, "4.3,14,limit,0.1,MiB/s,here"),
}


def read(folder, table, *changes, columns=None):
    """The valid row of a table with some changes, read once for each of them."""
    reader, names, valid = TABLES[table]
    row, path = dict(zip(names, valid.split(","), strict=True)), folder / "table.csv"
    lines = [",".join(columns or names), *(",".join((row | change).values()) for change in changes)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return reader(path)


def test_a_valid_row_is_read_exactly(tmp_path):
    assert read(tmp_path, "numbers", {}) == (
        Published("Fig 5a", "D-HC", 8, "delay_paper", "ns", Fraction(601), Fraction(1, 2), "model", ""),
    )
    claim, always = read(tmp_path, "claims", {}, {"interval_us": "all", "low": ""})
    assert claim == Claim(
        "fig5", "4.1", "network latency", "fig5 RDT", "fig4 RDT", 2, Fraction(1, 2), Fraction(1), "so"
    )
    assert claim.curves == (("fig5", "RDT"), ("fig4", "RDT"))
    assert (always.interval_us, always.low) == (None, None)
    assert read(tmp_path, "counts", {}) == (PublishedCount("3.3", "2-level fat-tree", "servers", None, "2 d^2", ""),)
    (found,) = read(tmp_path, "measurements", {}).values()
    assert found == Measurement("4.3", "14", "limit", Fraction(1, 10), "MiB/s", "here")


@for_each(
    ("table", "changes", "message"),
    [
        ("numbers", {"unit": "miles"}, "unit='miles'"),
        ("numbers", {"kind": "guess"}, "kind='guess'"),
        ("numbers", {"value": "about 600"}, "value='about 600'"),
        ("numbers", {"value": "nan"}, "value='nan'"),
        ("numbers", {"precision": "-0.5"}, "precision=-0.5"),
        ("numbers", {"n": "eight"}, "n='eight'"),
        ("numbers", {"n": "17"}, "n='17'"),
        ("numbers", {"network": ""}, "network is empty"),
        ("numbers", {"note": "one,too many"}, "9 fields"),
        ("claims", {"metric": "beauty"}, "metric='beauty'"),
        ("claims", {"interval_us": "2us"}, "interval_us='2us'"),
        ("claims", {"interval_us": ""}, "interval_us=''"),
        ("claims", {"metric": "degree"}, "interval_us='2'"),
        ("claims", {"subject": "RDT"}, "subject='RDT'"),
        ("claims", {"base": "fig4"}, "base='fig4'"),
        ("claims", {"low": "2"}, "low='2', high='1'"),
        ("claims", {"low": "", "high": ""}, "low='', high=''"),
        ("counts", {"metric": "price"}, "metric='price'"),
        ("counts", {"network": ""}, "network is empty"),
        ("counts", {"degree": "0"}, "degree='0'"),
        ("counts", {"value": "d + "}, "value='d + '"),
        ("counts", {"value": "d - 1"}, "value='d - 1'"),
        ("measurements", {}, "quantity='limit': expected a name that occurs once"),
        ("measurements", {"quantity": ""}, "quantity='': expected a name"),
    ],
)
def test_a_malformed_row_is_named_with_its_line(tmp_path, table, changes, message):
    with pytest.raises(InputError, match=r"table\.csv, line 3") as raised:
        read(tmp_path, table, {}, changes)
    assert message in str(raised.value)
    assert "expected" in str(raised.value)


@for_each(
    ("table", "options", "message"),
    [
        ("numbers", {"columns": COLUMNS[:-1]}, "columns"),
        ("claims", {"columns": CLAIM_COLUMNS[:-1]}, "columns"),
        ("counts", {"columns": COUNT_COLUMNS[:-1]}, "columns"),
        ("measurements", {"columns": reversed(MEASUREMENT_COLUMNS)}, "expected section, figures, quantity"),
        ("numbers", {}, "occurs twice; expected one row for each number"),
        ("counts", {}, "occurs twice; expected one row for each number"),
    ],
)
def test_other_columns_and_a_number_that_occurs_twice_are_bad_input(tmp_path, table, options, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, table, {}, {"value": "3"}, **options)


def test_every_number_of_the_paper_is_in_the_table_with_the_precision_of_its_digits():
    # 12 of Fig. 3; 12 + 12 + 8 of Fig. 5; 12 + 12 of Fig. 7; 6 + 4 of Fig. 8; 16 of Fig. 9; 6 of section 3.5
    assert Counter(point.figure.rstrip("abc") for point in published()) == {
        **{"Fig 3": 12, "Fig 5": 32, "Fig 7": 24, "Fig 8": 10, "Fig 9": 16},
        "Section 3.5": 6,
    }
    for point in published():
        assert point.n in (8, 12) or (point.n is None and point.network == "all six")
        assert point.value * 10**point.decimals % 1 == 0  # the value has no digit beyond the printed ones
        assert point.precision in (0, Fraction(1, 2 * 10**point.decimals))


def test_designs_have_every_number_that_the_paper_states():
    assert published_points(False, 8) == [
        PublishedDesign("D-HC", 4.0, 4.0, 601.0, 5.5, 630.0, None),
        PublishedDesign("DI-HC", 3.13, 5.12, 524.0, 7.1, 730.0, None),
        PublishedDesign("DI-HC-r", None, 5.0, 513.0, 6.3, 670.0, None),  # traffic 4 · 1.25
    ]
    assert published_points(True, 12) == [
        PublishedDesign("D-FHC", None, 5.16, 975.0, 15.5, 1570.0, 4960.0),  # traffic 4 · 1.29
        PublishedDesign("DI-FHC", None, 5.84, 1028.0, 22.5, 1900.0, 5290.0),  # 4 · 1.46
        PublishedDesign("DI-FHC-r", None, 5.72, 877.0, 15.2, 1540.0, 4930.0),  # 4 · 1.43
    ]
    assert published_points(True, 9) == []


def test_every_statement_of_the_paper_is_in_the_table_and_its_curves_are_simulated():
    sections = Counter(claim.section for claim in shibamura_claims())
    assert sections == {"3.1": 3, "3.2": 2, "3.3": 2, "3.4": 2, "4.1": 13, "4.2": 8, "4.3": 5}
    for claim in shibamura_claims():
        assert claim.figure in SETTINGS or not claim.base
        for figure, network in claim.curves if claim.base else ():
            assert figure in SETTINGS
            assert network in NETWORKS


def test_the_table_has_the_polynomials_and_both_costs_of_the_paper():
    paper = {  # servers and switches of section 3.3, as printed
        "2-level fat-tree": (lambda d: 2 * d**2, lambda d: 3 * d),
        "3-level fat-tree": (lambda d: 2 * d**3, lambda d: 5 * d**2),
        "multi-layer full mesh": (lambda d: d**2 * (d + 1), lambda d: Fraction(3, 2) * d * (d + 1)),
    }
    counts = {(count.network, count.metric): count for count in shimizu_counts() if count.degree is None}
    for network, formulas in paper.items():
        for metric, formula in zip(("servers", "switches"), formulas, strict=True):
            assert all(counts[network, metric].at(d) == formula(d) for d in range(2, 37))
    costs = [(count.network, count.degree, count.at(3)) for count in shimizu_counts() if count.degree is not None]
    assert costs == [("2-level fat-tree", 3, 2), ("3-level fat-tree", 3, Fraction(6, 5))]
    assert len(shimizu_counts()) == 3 * 2 + 2


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(0, 5)), min_size=1, max_size=4))
def test_a_written_polynomial_is_read_back(terms):
    text = " + ".join(f"{factor / 10:g} d^{power}" if power else f"{factor / 10:g}" for factor, power in terms)
    assert terms_of(text) == [(Fraction(factor, 10), power) for factor, power in terms]


def test_the_measurements_are_those_of_section_4_3():
    found = {name: (each.value, each.unit) for name, each in shimizu_measurements().items()}
    assert found == {
        "communication change": (Fraction(-114, 10), "%"),
        "whole run change": (-1, "%"),
        "link limit": (3717, "MiB/s"),
    }
    assert {each.section for each in shimizu_measurements().values()} == {"4.3"}
