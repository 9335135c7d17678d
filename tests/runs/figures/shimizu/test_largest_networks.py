"""Fig. 7 of the paper on switch-saving topologies: sizes, verdicts and files."""

import csv
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.objectives.scale.largest import LARGEST, LATIN_SQUARE
from isoplane.runs.figures.shimizu.largest_networks import (
    BUILT_UP_TO,
    check,
    comparisons,
    figure_of,
    largest_sizes,
    nearest,
    number_table,
    size_table,
)
from tests.runs.cli.conftest import files

DEGREES = range(2, 37)


def is_prime_power(q):
    """Whether all divisors of q but 1 have the same prime divisor."""
    primes = [p for p in range(2, q + 1) if q % p == 0 and all(p % each for each in range(2, p))]
    return len(primes) == 1


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fig7")
    found = list(largest_sizes(DEGREES))
    figure_of(found).write(folder, "fig7")
    return found, comparisons(found), folder


def test_all_published_numbers_agree_by_formula_and_counted_in_small_networks(figure):
    _, checked, _ = figure
    assert {each.verdict for each in checked} == {"agrees"}
    # Six polynomials at 35 values of d, and at 7 of them counted; two ratios at d = 3, by formula and counted.
    assert len(checked) == 6 * (35 + BUILT_UP_TO - 1) + 2 * 2


def test_a_network_with_another_switch_or_too_many_ports_differs(figure):
    found, _, _ = figure
    own = next(size for size in found if (size.network, size.degree) == ("3-level fat-tree", 3))
    for changed in (replace(own, switches=own.switches + 1), replace(own, ports=7)):
        judged = [each.verdict for each in comparisons([changed]) if each.stated.metric != "servers"]
        assert set(judged) == {"differs"}
    rows = number_table(comparisons([replace(own, servers=55)])).rows
    assert [row[5].split()[-4:] for row in rows if row[2] == "servers"] == [["d", "=", "3", "differ"]]


def test_costs_are_servers_per_switch(figure):
    cost = {(size.network, size.degree): size.servers_per_switch for size in figure[0] if size.source == "formula"}
    assert (cost["2-level fat-tree", 3], cost["3-level fat-tree", 3]) == (2, Fraction(6, 5))
    for d in DEGREES:
        # 2 d^2 / 3 d and d^2 (d + 1) / (3/2 d (d + 1)) are 2 d / 3; 2 d^3 / 5 d^2 is 2 d / 5.
        assert cost["2-level fat-tree", d] == cost["multi-layer full mesh", d] == Fraction(2 * d, 3)
        assert cost["3-level fat-tree", d] == Fraction(2 * d, 5)


def test_built_networks_have_the_numbers_of_the_formulas(figure):
    found = {(size.network, size.degree, size.source): size for size in figure[0]}
    small = [size for size in found.values() if size.degree <= BUILT_UP_TO]
    for size in small:
        formula, built = (found[size.network, size.degree, source] for source in ("formula", "built"))
        assert replace(built, source="formula") == formula
        assert formula.ports == 2 * size.degree
    assert {(size.network, size.degree) for size in small} >= set(product(list(LARGEST)[:3], range(2, 9)))


def test_latin_square_fat_trees_exist_for_eighteen_values_and_the_others_name_the_nearest(figure):
    found, _, _ = figure
    own = {size.degree: size for size in found if (size.network, size.source) == (LATIN_SQUARE, "formula")}
    assert list(own) == [d for d in DEGREES if is_prime_power(d - 1)]
    assert len(own) == 18
    for d, size in own.items():
        # Each of the 2 v leaves has d servers, v = (d - 1)^2 + (d - 1) + 1, and there are v spines.
        points = (d - 1) ** 2 + d
        assert (size.servers, size.switches, size.cables) == (2 * points * d, 3 * points, 2 * points * d)
    last = dict(zip(DEGREES, (row[-1] for row in size_table(found).rows), strict=True))
    for d in DEGREES:
        assert ("none; nearest d = " in last[d]) == (d not in own)
    assert last[7] == "none; nearest d = 6 and 8"
    assert last[2] == "none; nearest d = 3"


@given(st.integers(2, 300))
def test_the_nearest_values_have_projective_planes_and_none_between_them_has(d):
    ends = nearest(d)
    between = {*range(ends[0] + 1, ends[-1])} - {d}
    assert all(is_prime_power(end - 1) for end in ends)
    assert not any(is_prime_power(each - 1) for each in between)
    assert len(ends) == (1 if d <= 3 else 2)


def test_all_sizes_and_verdicts_are_written(figure):
    found, checked, folder = figure
    assert files(folder) == [f"fig7{end}" for end in ("-published.csv", ".csv", ".png", ".svg")]
    with (folder / "fig7.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    written = [
        (row["network"], int(row["d"]), row["source"], int(row["servers"]), int(row["switches"])) for row in rows
    ]
    assert written == [(each.network, each.degree, each.source, each.servers, each.switches) for each in found]
    with (folder / "fig7-published.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["agrees"] * len(checked)
    assert all(Fraction(row["ours"]) == Fraction(row["published"]) for row in rows)


def test_values_out_of_range_are_bad_input():
    with pytest.raises(InputError, match="sizes=37: expected an integer from 2 to 36"):
        check({"sizes": [37]})
