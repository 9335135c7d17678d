from collections import Counter
from fractions import Fraction

import pytest

from isoplane.models import InputError
from isoplane.runs.figures.shibamura.settings import NETWORKS, SETTINGS
from isoplane.runs.published import Claim, read_claims, shibamura_claims
from isoplane.runs.published.claims import CLAIM_COLUMNS
from tests.cases import for_each

VALID = dict(
    zip(CLAIM_COLUMNS, ("fig5", "4.1", "network latency", "fig5 RDT", "fig4 RDT", "2", "0.5", "1", "so"), strict=True)
)


def write_claims(folder, *rows, columns=CLAIM_COLUMNS):
    path = folder / "words.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8")
    return path


def test_every_statement_of_the_paper_is_in_the_table():
    sections = Counter(claim.section for claim in shibamura_claims())
    assert sections == {"3.1": 3, "3.2": 2, "3.3": 2, "3.4": 2, "4.1": 13, "4.2": 8, "4.3": 5}


@for_each("claim", [claim for claim in shibamura_claims() if claim.base])
def test_every_curve_of_a_claim_is_simulated(claim):
    assert claim.figure in SETTINGS
    for figure, network in claim.curves:
        assert figure in SETTINGS
        assert network in NETWORKS


def test_a_valid_row_is_read_exactly(tmp_path):
    (claim,) = read_claims(write_claims(tmp_path, VALID))
    assert claim == Claim(
        "fig5", "4.1", "network latency", "fig5 RDT", "fig4 RDT", 2, Fraction(1, 2), Fraction(1), "so"
    )
    assert claim.curves == (("fig5", "RDT"), ("fig4", "RDT"))
    assert read_claims(write_claims(tmp_path, VALID | {"interval_us": "all"}))[0].interval_us is None


@for_each(
    ("changes", "message"),
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
def test_a_malformed_row_is_named_with_its_line(tmp_path, changes, message):
    with pytest.raises(InputError, match=r"words\.csv, line 3") as raised:
        read_claims(write_claims(tmp_path, VALID, VALID | changes))
    assert message in str(raised.value)
    assert "expected" in str(raised.value)


def test_wrong_columns_are_bad_input(tmp_path):
    with pytest.raises(InputError, match="columns"):
        read_claims(write_claims(tmp_path, columns=CLAIM_COLUMNS[:-1]))
