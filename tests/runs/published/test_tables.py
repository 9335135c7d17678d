"""Numbers and statements of the papers, as data: complete, each once, and with the precision of its digits."""

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from isoplane.runs.figures.hosomi.measures import UNITS
from isoplane.runs.figures.shibamura.settings import NETWORKS, SETTINGS
from isoplane.runs.published import (
    PublishedCount,
    hirasawa_numbers,
    published,
    published_designs,
    shibamura_claims,
    shimizu_counts,
    shimizu_measurements,
)


def test_every_number_of_the_paper_is_in_the_table_with_the_precision_of_its_digits():
    # 12 of Fig. 3; 12 + 12 + 8 of Fig. 5; 12 + 12 of Fig. 7; 6 + 4 of Fig. 8; 16 of Fig. 9; 6 of section 3.5
    assert Counter(point.figure.rstrip("abc") for point in published()) == {
        **{"Fig 3": 12, "Fig 5": 32, "Fig 7": 24, "Fig 8": 10, "Fig 9": 16},
        "Section 3.5": 6,
    }
    assert len({(point.figure, point.network, point.n, point.metric) for point in published()}) == len(published())
    for point in published():
        assert point.unit in (*UNITS.values(), "%")
        assert point.kind in ("model", "simulation")
        assert point.n in (8, 12) or (point.n is None and point.network == "all six")
        assert point.value * 10**point.decimals % 1 == 0  # the value has no digit beyond the printed ones
        assert point.precision in (0, Fraction(1, 2 * 10**point.decimals))


def values(folded, n):
    names = ("aspl", "max_traffic", "delay_paper_ns", "cable_length_m", "cost_usd_per_node")
    designs = published_designs(folded, n)
    return {network: [stated.get(name, (None,))[0] for name in names] for network, stated in designs.items()}


def test_designs_have_every_number_that_the_paper_states():
    assert values(False, 8) == {
        "D-HC": [4.0, 4.0, 601.0, 5.5, None],
        "DI-HC": [3.13, 5.12, 524.0, 7.1, None],
        "DI-HC-r": [None, 5.0, 513.0, 6.3, None],  # traffic 4 · 1.25
    }
    assert values(True, 12) == {
        "D-FHC": [None, 5.16, 975.0, 15.5, 4960.0],  # traffic 4 · 1.29
        "DI-FHC": [None, 5.84, 1028.0, 22.5, 5290.0],  # 4 · 1.46
        "DI-FHC-r": [None, 5.72, 877.0, 15.2, 4930.0],  # 4 · 1.43
    }
    assert published_designs(True, 9) == {}
    stated = published_designs(False, 8)["DI-HC-r"]  # half the last printed digit of 513, and 4 times that of 1.25
    assert (stated["delay_paper_ns"][1], stated["max_traffic"][1]) == (0.5, 0.02)


def test_every_statement_of_the_paper_is_in_the_table_and_its_curves_are_simulated():
    sections = Counter(claim.section for claim in shibamura_claims())
    assert sections == {"3.1": 3, "3.2": 2, "3.3": 2, "3.4": 2, "4.1": 13, "4.2": 8, "4.3": 5}
    for claim in shibamura_claims():
        assert bool(claim.base) == (claim.metric == "network latency")
        assert (claim.low, claim.high) != (None, None)
        assert claim.low is None or claim.high is None or claim.low <= claim.high
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
def test_a_polynomial_has_the_sum_of_its_terms(terms):
    text = " + ".join(f"{factor / 10:g} d^{power}" if power else f"{factor / 10:g}" for factor, power in terms)
    count = PublishedCount("", "", "switches", None, text)
    assert [count.at(d) for d in (1, 7)] == [sum(Fraction(f, 10) * d**power for f, power in terms) for d in (1, 7)]


def test_the_measurements_are_those_of_section_4_3():
    assert shimizu_measurements() == {
        "communication change": (Fraction(-114, 10), "%"),
        "whole run change": (-1, "%"),
        "link limit": (3717, "MiB/s"),
    }


def test_numbers_about_routing_table_caches_are_there_once():
    numbers = hirasawa_numbers()
    assert len({(number.figure, number.network, number.n, number.metric) for number in numbers}) == len(numbers)
    assert all(number.kind in ("model", "simulation", "machine") for number in numbers)
    shares = [(number.network, number.n, number.value) for number in numbers if number.figure == "Fig 1"]
    assert shares == [("RICC", 128, 98), ("many systems", 1024, 90)]
