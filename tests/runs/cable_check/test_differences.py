"""Differences between two sets of cables: named exactly, mended by the fewest moves, in an order that is possible."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import dual_cube
from isoplane.runs.cable_check.devices import design_devices
from isoplane.runs.cable_check.differences import differences

from .samples import least_moves, mended, named, wrong_and_lacking

NETWORK = dual_cube(5, (3, 5, 9, 17, 31))  # 32 switches in each of 2 planes
DESIGN = design_devices(NETWORK)


def compared(design, found, devices=DESIGN):
    each = tuple(differences(design, found, lambda end: end // devices.width))
    return SimpleNamespace(devices=devices, differences=each)


@st.composite
def cable_sets(draw):
    """The mates of up to 16 ends, 2 of each device, in two sets of cables."""
    count = draw(st.integers(2, 8)) * 2
    mates = []
    for _ in range(2):
        order = draw(st.permutations(range(count)))
        mate = np.full(count, -1)
        for i in range(draw(st.integers(0, count // 2))):
            a, b = order[2 * i], order[2 * i + 1]
            mate[a], mate[b] = b, a
        mates.append(mate)
    return mates


@settings(max_examples=200, deadline=None)
@given(cable_sets())
def test_any_two_sets_of_cables_are_mended_by_the_fewest_moves(mates):
    design, found = mates
    devices = SimpleNamespace(width=2, device_and_port=lambda end: divmod(end, 2))
    check = compared(design, found, devices)
    before, after = (named(check, [(e, int(m)) for e, m in enumerate(mate) if m >= 0]) for mate in (found, design))
    assert wrong_and_lacking(check) == (before - after, after - before)
    assert mended(before, check) == after
    assert sum(len(each.moves) for each in check.differences) == least_moves(before, after)
    for each in check.differences:
        surplus = len(each.found) - len(each.designed)
        assert (surplus > 0) == (each.kind == "extra")
        assert (surplus < 0) == (each.kind == "missing")
        ends = {end for pair in each.found for end in pair}
        is_cycle = not surplus and ends == {end for pair in each.designed for end in pair}
        assert is_cycle == (each.kind in ("swapped", "permuted"))
        assert (each.kind == "swapped") == (is_cycle and len(each.found) == 2)


def test_a_swap_is_mended_at_one_device_if_it_can_be():
    # Cables 0-4 and 1-6 belong there; device 0 has the ends 0 and 1, and 4 and 6 are ends of two devices.
    design, found = np.full(8, -1), np.full(8, -1)
    design[[0, 4, 1, 6]] = [4, 0, 6, 1]
    found[[0, 6, 1, 4]] = [6, 0, 4, 1]
    (only,) = differences(design, found, lambda end: end // 2)
    assert {move.cable[1] for move in only.moves} == {0, 1}
