"""Hypervolume: the fraction of a rectangle that a front dominates."""

from hypothesis import given
from hypothesis import strategies as st

from isoplane.objectives import hypervolume

POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12)


@given(POINTS)
def test_hypervolume_is_the_fraction_of_dominated_unit_squares(points):
    squares = [(x, y) for x in range(8) for y in range(7)]
    dominated = sum(any(a <= x and b <= y for a, b in points) for x, y in squares)
    assert hypervolume(points, (8, 7)) == dominated / 56


def test_exact_integers_far_beyond_64_bits_are_compared_exactly():
    large = 10**30
    assert hypervolume([(large // 2, large // 2)], (large, large)) == 0.25
