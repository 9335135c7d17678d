"""Kernels of every instruction set against the reference, each other, and independent invariants."""

import itertools
import os
import random
import subprocess
import sys
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, dual_cube
from isoplane.models.mathematics.gf2 import coordinates_of_units
from isoplane.objectives import _native, available_isas, chosen_isa, evaluate_batch
from isoplane.objectives.reference import measure_cubes, routes
from tests.cases import for_each
from tests.objectives.everything import all_bases
from tests.strategies import bases, bases_up_to, random_basis

FAMILIES = for_each("folded", [False, True])


def evaluate(rows, folded, isa=None):
    """Return sums, max loads and all loads of an array of generators, and the first row that is not a basis."""
    generators = np.array(rows, dtype=np.uint32)
    batch, n = generators.shape
    sums, max_loads = np.full(batch, -1, dtype=np.int64), np.full(batch, -1, dtype=np.int64)
    loads = np.full((batch, 2, n + folded), -1, dtype=np.int32)
    bad = _native.evaluate(generators, folded, sums, max_loads, loads, isa)
    return sums.tolist(), max_loads.tolist(), loads.tolist(), bad


@lru_cache(maxsize=4096)
def reference(connections, folded):
    exact = measure_cubes(dual_cube(connections.n, connections.generators, folded, layout=None))
    return exact.sum_of_distances, exact.max_load, [list(plane) for plane in exact.loads]


@FAMILIES
@for_each(("n", "count"), [*((n, 20) for n in range(2, 9)), (9, 4), (10, 4), (11, 2), (12, 1), (13, 1)])
def test_every_instruction_set_equals_the_reference_on_random_networks(n, count, folded, monkeypatch):
    # The reference samples its symmetry check, as it does for larger n.
    monkeypatch.setattr(routes, "ALL_SOURCES_MAX_N", 1)
    networks = [random_basis(n, seed) for seed in range(count)]
    expected = [reference(connections, folded) for connections in networks]
    for isa in available_isas():
        sums, max_loads, loads, bad = evaluate([c.generators for c in networks], folded, isa)
        assert bad == -1
        assert list(zip(sums, max_loads, loads, strict=True)) == expected, isa


@FAMILIES
@for_each("n", range(13, 17))
def test_every_instruction_set_equals_the_scalar_one_on_the_largest_networks(n, folded):
    rows = [random_basis(n, seed).generators for seed in range(8)]
    expected = evaluate(rows, folded, "scalar")
    assert expected[3] == -1
    for isa in available_isas():
        assert evaluate(rows, folded, isa) == expected, isa


def test_the_scalar_instruction_set_is_always_available_and_the_widest_is_chosen(monkeypatch):
    assert available_isas()[0] == "scalar"
    monkeypatch.delenv("ISOPLANE_ISA", raising=False)
    assert chosen_isa_of_a_new_process({}) == (0, available_isas()[-1])


# Choice of the instruction set


def chosen_isa_of_a_new_process(environment):
    code = "from isoplane.objectives import chosen_isa; print(chosen_isa())"
    clean = {name: value for name, value in os.environ.items() if name != "ISOPLANE_ISA"}
    process = subprocess.run([sys.executable, "-c", code], env=clean | environment, capture_output=True, text=True)
    return process.returncode, (process.stdout or process.stderr.splitlines()[-1]).strip()


@for_each("isa", available_isas())
def test_isoplane_isa_forces_an_instruction_set(isa):
    assert chosen_isa_of_a_new_process({"ISOPLANE_ISA": isa}) == (0, isa)


def test_an_unknown_instruction_set_is_rejected_with_a_list_of_the_known_ones(monkeypatch):
    monkeypatch.setenv("ISOPLANE_ISA", "mmx")
    with pytest.raises(RuntimeError, match=r"ISOPLANE_ISA=mmx: expected scalar, avx2, avx512"):
        chosen_isa()
    with pytest.raises(RuntimeError, match="ISOPLANE_ISA=mmx"):
        evaluate_batch(np.array([[3, 5, 7]], dtype=np.uint32))


def test_an_instruction_set_that_the_processor_lacks_is_rejected(monkeypatch):
    missing = {"scalar", "avx2", "avx512"} - set(available_isas())
    if not missing:
        pytest.skip("this processor has all of them")
    for isa in missing:
        monkeypatch.setenv("ISOPLANE_ISA", isa)
        with pytest.raises(RuntimeError, match=f"ISOPLANE_ISA={isa}: this processor lacks it"):
            chosen_isa()
        with pytest.raises(ValueError, match=f"{isa} is unknown or not available"):
            evaluate([[3, 5, 7]], False, isa)


# Rows that are not a basis


def dependent_rows(n, seed):
    """Return distinct generators of which one is the sum of two or more others."""
    generators = list(random_basis(n, seed).generators)
    column, *others = random.Random(seed).sample(range(n), random.Random(seed).randrange(3, n + 1))
    generators[column] = 0
    for k in others:
        generators[column] ^= generators[k]
    return generators


@FAMILIES
@for_each("isa", available_isas())
@for_each("n", range(3, 17))
def test_every_instruction_set_detects_the_first_row_that_is_not_a_basis(n, isa, folded):
    for seed in range(20 if n <= 10 else 3):
        good, bad = random_basis(n, seed).generators, dependent_rows(n, seed)
        assert evaluate([good, good, bad, good, bad], folded, isa)[3] == 2


@FAMILIES
@for_each("isa", available_isas())
def test_every_instruction_set_detects_equal_and_zero_generators(isa, folded):
    for n in range(2, 17):
        unit = [1 << i for i in range(n)]
        for bad in ([*unit[:-1], unit[0]], [*unit[:-1], 0], [0] * n):
            assert evaluate([unit, bad], folded, isa)[3] == 1


@for_each(
    ("row", "message"),
    [
        ([3, 5, 6], r"generators=\[3, 5, 6\]: not a basis, since 6 = 3 \^ 5"),
        ([1, 2, 2], "2 occurs twice"),
        ([1, 0, 2], "generator=0"),
        ([1, 2, 8], "generator=8"),
        ([9, 2, 4], "generator=9"),
    ],
)
@for_each("folded", [False, True])
def test_evaluate_batch_names_the_row_and_what_is_no_basis(row, message, folded):
    with pytest.raises(ValueError, match=f"^row 2: .*{message}"):
        evaluate_batch(np.array([[1, 2, 4], [3, 5, 7], row], dtype=np.uint32), folded=folded)


@FAMILIES
@for_each("n", range(2, 17))
def test_a_generator_beyond_the_space_is_rejected_even_if_its_low_bits_are_a_basis(n, folded):
    unit = [1 << i for i in range(n)]
    for isa in available_isas():
        assert evaluate([unit, [unit[0] | 1 << n, *unit[1:]], [unit[0] | 1 << 31, *unit[1:]]], folded, isa)[3] == 1


# Invariants


def totals(connections, folded):
    sums, max_loads, _, bad = evaluate([connections.generators], folded)
    assert bad == -1
    return sums[0], max_loads[0]


@given(bases_up_to(12), st.booleans())
def test_swapped_planes_swap_their_loads(connections, folded):
    # Plane 0 as seen from plane 1: the inverse matrix.
    before = evaluate([connections.generators], folded)
    after = evaluate([coordinates_of_units(connections.generators)], folded)
    assert (before[0], before[1]) == (after[0], after[1])
    assert before[2][0] == after[2][0][::-1]


@given(st.sampled_from([2, 4, 6, 8, 10, 12]).flatmap(bases), st.integers(0, 11))
def test_for_even_n_a_folded_link_among_the_generators_changes_nothing(connections, index):
    folded_link = 0
    for generator in connections.generators:
        folded_link ^= generator
    others = list(connections.generators)
    others[index % connections.n] = folded_link
    assert totals(ConnectionSet(connections.n, tuple(others)), True) == totals(connections, True)


def test_among_the_256_circulants_of_n_8_are_the_best_plain_cubes():
    circulants = [[row << k & 255 | row >> 8 - k for k in range(8)] for row in range(256)]
    found = [evaluate([rows], False) for rows in circulants]
    values = {(sums[0], max_loads[0]) for sums, max_loads, _, bad in found if bad == -1}
    assert (800, 100) in values
    assert min(sum_ * load for sum_, load in values) == 80000


@for_each(("n", "folded", "minimum"), [(3, False, 8), (4, False, 22), (4, True, 20), (5, True, 50)])
def test_the_minimum_sums_over_all_bases_are_the_proven_ones(n, folded, minimum):
    assert evaluate_batch(all_bases(n), folded=folded).sum_of_distances.min() == minimum


@for_each(("n", "count"), [(2, 3), (3, 28), (4, 840), (5, 83328)])
def test_every_instruction_set_recognises_the_bases_among_all_sets_of_generators(n, count):
    # |GL(n,2)| / n! of them
    assert len(all_bases(n)) == count
    sets = np.array(list(itertools.combinations(range(1, 1 << n), n))[:: 1 if n < 5 else 1000], dtype=np.uint32)
    known = set(map(tuple, all_bases(n).tolist()))
    expected = [tuple(row) in known for row in sets.tolist()]
    for isa in available_isas():
        assert [evaluate([row], False, isa)[3] == -1 for row in sets] == expected
