"""The published numbers that involve no search: those of identical planes, Figs. 3, 5, 7 and 8."""

from functools import cache

import pytest

from isoplane.runs.figures.hosomi.agreement import agreement
from isoplane.runs.figures.hosomi.designs import IDENTICAL, designs
from isoplane.runs.figures.hosomi.measures import measures
from isoplane.runs.published import published

POINTS = [point for point in published() if point.network in IDENTICAL]


@cache
def ours(network, n):
    ((_, found),) = designs((n,), (network,), None)
    return measures(found)


def test_the_paper_states_26_numbers_of_identical_planes():
    assert len(POINTS) == 4 + 8 + 8 + 6  # Figs. 3, 5, 7 and 8


@pytest.mark.parametrize("point", POINTS, ids=lambda p: f"{p.figure}-{p.network}-{p.n}-{p.metric}")
def test_identical_planes_agree_with_the_paper(point):
    assert agreement(point, ours(point.network, point.n)[point.metric]).verdict == "agrees"
