import doctest
from collections import Counter
from fractions import Fraction

import pytest

import isoplane.runs.published.claims
from isoplane.models import InputError
from isoplane.runs.figures.shibamura.settings import NETWORKS, SETTINGS
from isoplane.runs.published import Claim, read_claims, shibamura_claims
from isoplane.runs.published.claims import CLAIM_COLUMNS

GOOD = dict(
    zip(CLAIM_COLUMNS, ("fig5", "4.1", "network latency", "fig5 RDT", "fig4 RDT", "2", "0.5", "1", "so"), strict=True)
)


def written(folder, *rows, columns=CLAIM_COLUMNS):
    path = folder / "words.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8")
    return path


def test_every_statement_of_the_paper_is_there():
    sections = Counter(claim.section for claim in shibamura_claims())
    assert sections == {"3.1": 3, "3.2": 2, "3.3": 2, "3.4": 2, "4.1": 13, "4.2": 8, "4.3": 5}


@pytest.mark.parametrize("claim", [claim for claim in shibamura_claims() if claim.base], ids=str)
def test_every_curve_is_one_that_is_simulated(claim):
    assert claim.figure in SETTINGS
    for figure, network in claim.curves:
        assert figure in SETTINGS
        assert network in NETWORKS


def test_a_good_row_is_read_exactly(tmp_path):
    (claim,) = read_claims(written(tmp_path, GOOD))
    assert claim == Claim(
        "fig5", "4.1", "network latency", "fig5 RDT", "fig4 RDT", 2, Fraction(1, 2), Fraction(1), "so"
    )
    assert claim.curves == (("fig5", "RDT"), ("fig4", "RDT"))
    assert read_claims(written(tmp_path, GOOD | {"interval_us": "all"}))[0].interval_us is None


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"metric": "beauty"}, "metric='beauty'"),
        ({"interval_us": "2us"}, "interval_us='2us'"),
        ({"interval_us": ""}, "interval_us=''"),
        ({"metric": "degree"}, "interval_us='2'"),
        ({"subject": "RDT"}, "subject='RDT'"),
        ({"base": ""}, "base=''"),
        ({"low": "half"}, "low='half'"),
        ({"low": "2"}, "low='2', high='1'"),
        ({"low": "", "high": ""}, "low='', high=''"),
        ({"words": "one,too many"}, "fields"),
    ],
)
def test_a_malformed_row_is_named_with_its_line(tmp_path, changes, named):
    with pytest.raises(InputError, match=r"words\.csv, line 3") as raised:
        read_claims(written(tmp_path, GOOD, GOOD | changes))
    assert named in str(raised.value)
    assert "expected" in str(raised.value)


def test_other_columns_are_bad_input(tmp_path):
    with pytest.raises(InputError, match="columns"):
        read_claims(written(tmp_path, columns=CLAIM_COLUMNS[:-1]))


def test_every_example_of_a_docstring_gives_what_it_shows():
    assert doctest.testmod(isoplane.runs.published.claims).failed == 0
