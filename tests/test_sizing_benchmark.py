"""Designs of comparisons against brute force over all parameters: a sample of `benchmarks/sizing.py`."""

import importlib.util
from fractions import Fraction
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "benchmarks" / "sizing.py"
SPEC = importlib.util.spec_from_file_location("sizing_benchmark", FILE)
assert SPEC is not None
assert SPEC.loader is not None
SIZING = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(SIZING)
SAMPLE = (
    ("torus", 2), ("mesh", 2), ("hyperx", 1), ("hyperx", 2), ("random_regular", 2), ("xpander", 1), ("oft", 2),
    ("full_mesh", 2), ("dragonfly", 2), ("megafly", 2), ("slim_fly", 2), ("polar_fly", 1),
)  # fmt: skip


@pytest.mark.parametrize("by", ["switch", "port"])
@pytest.mark.parametrize(("name", "planes"), SAMPLE)
def test_no_member_with_the_throughput_is_cheaper_by_more_than_a_thousandth(name, planes, by):
    request = SIZING.request_for(17, 5, by)
    assert list(SIZING.violations(name, request, planes, (Fraction(9, 10), Fraction(1, 4)))) == []


def test_the_design_is_the_cheapest_of_all_tori_with_the_throughput():
    request = SIZING.request_for(17, 5, "port")
    design = SIZING.cheapest(SIZING.Arrangement("torus", 2).members(request, Fraction(1, 4)), request, Fraction(1, 4))
    every = list(SIZING.members("torus", SIZING.Wanted(request, 2, Fraction(1, 4), 1 << 61)))
    suffice = [SIZING.own_cents(each, request) for each in every if SIZING.own_throughput(each) >= Fraction(1, 4)]
    assert design.price_cents == min(suffice) < max(suffice)
