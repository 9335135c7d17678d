"""Designs of comparisons against brute force over all parameters: a sample of `benchmarks/sizing.py`."""

from fractions import Fraction

import pytest

SAMPLE = (
    ("torus", 2), ("mesh", 2), ("hyperx", 1), ("hyperx", 2), ("random_regular", 2), ("xpander", 1), ("oft", 2),
    ("full_mesh", 2), ("dragonfly", 2), ("megafly", 2), ("slim_fly", 2), ("polar_fly", 1),
)  # fmt: skip


@pytest.fixture(scope="module")
def sizing(import_script):
    return import_script("sizing")


@pytest.mark.parametrize("by", ["switch", "port"])
@pytest.mark.parametrize(("name", "planes"), SAMPLE)
def test_no_member_with_the_throughput_is_cheaper_by_more_than_a_thousandth(sizing, name, planes, by):
    request = sizing.request_for(17, 5, by)
    assert list(sizing.violations(name, request, planes, (Fraction(9, 10), Fraction(1, 4)))) == []


def test_the_design_is_the_cheapest_of_all_tori_with_the_throughput(sizing):
    request = sizing.request_for(17, 5, "port")
    design = sizing.cheapest(sizing.Arrangement("torus", 2).members(request, Fraction(1, 4)), request, Fraction(1, 4))
    every = list(sizing.members("torus", sizing.Wanted(request, 2, Fraction(1, 4), 1 << 61)))
    suffice = [sizing.own_cents(each, request) for each in every if sizing.own_throughput(each) >= Fraction(1, 4)]
    assert design.price_cents == min(suffice) < max(suffice)
