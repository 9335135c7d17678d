"""The gap has a single definition, and the hypervolume is a fraction of dominated squares."""

import ast
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from isoplane.objectives import gap_text, hypervolume, relative_gap, relative_gaps

ROOT = Path(__file__).resolve().parents[2]
SCORES = st.integers(0, 10**30)
POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12)


@given(SCORES, SCORES)
def test_the_best_score_is_at_least_the_score_less_its_gap(one, other):
    score, bound = max(one, other), min(one, other)
    gap = relative_gap(score, bound)
    assert 0 <= gap <= 1
    assert score - gap * score == bound
    assert (gap == 0) == (score == bound)


@given(SCORES, SCORES)
def test_the_printed_gap_is_the_least_hundredth_of_a_percent_that_the_score_is_within(one, other):
    score, bound = max(one, other), min(one, other)
    gap, printed = relative_gap(score, bound), gap_text(relative_gap(score, bound))
    stated = Fraction(printed.removesuffix(" %")) / 100
    assert gap <= stated < gap + Fraction(1, 10_000)
    assert (printed == "0.00 %") == (score == bound)


def test_every_component_has_a_gap_of_its_own():
    assert relative_gaps((80000, 29248000), (80000, 21056000)) == (0, Fraction(29248000 - 21056000, 29248000))
    assert relative_gaps((4, 5, 6), (3, None, 6)) == (Fraction(1, 4), None, 0)
    assert relative_gaps((4, 5), ()) == (None, None)


def test_only_the_definition_divides_a_difference_from_a_bound():
    # (score - bound) / score under any variable names: a subtraction of a bound.
    found = set()
    for folder in ("models", "objectives", "search", "simulator", "runs", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "bound" in text else ():
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and "bound" in ast.unparse(node.right):
                    found.add(path.relative_to(ROOT).as_posix())
    assert found == {"objectives/scoring/gap.py"}


@given(POINTS)
def test_hypervolume_is_the_fraction_of_dominated_unit_squares(points):
    squares = [(x, y) for x in range(8) for y in range(7)]
    dominated = sum(any(a <= x and b <= y for a, b in points) for x, y in squares)
    assert hypervolume(points, (8, 7)) == dominated / 56


def test_exact_integers_far_beyond_64_bits_are_compared_exactly():
    large = 10**30
    assert hypervolume([(large // 2, large // 2)], (large, large)) == 0.25
