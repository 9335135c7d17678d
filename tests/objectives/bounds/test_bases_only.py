"""Bounds and proofs hold for bases of plane 1, that is, for linear relabellings of plane 0, and not beyond."""

import numpy as np

from isoplane.models import BasisVariable, Site, dual_cube
from isoplane.objectives.bounds import metric_bound
from isoplane.runs.records import best_folder, read_record, scope_of
from tests.cases import for_each

# Permutations p of the switches whose bits are polynomials of degree 2 over GF(2): p(x) is the sum of the vectors of
# all monomials of x, and a monomial is the set of its variables, as bits. Found by simulated annealing.
QUADRATIC = {
    6: {1: 41, 2: 50, 3: 39, 4: 48, 5: 42, 6: 57, 8: 43, 9: 13, 10: 30, 12: 19, 16: 28}
    | {17: 13, 18: 57, 20: 57, 24: 13, 32: 5, 33: 39, 34: 39, 36: 19, 40: 19, 48: 52},
    7: {0: 33, 1: 104, 2: 84, 3: 78, 4: 50, 5: 116, 6: 83, 8: 37, 9: 116, 10: 29, 12: 116, 16: 14, 17: 58, 18: 29}
    | {20: 39, 24: 29, 32: 67, 33: 78, 34: 78, 36: 39, 40: 105, 48: 39, 64: 25, 65: 58, 66: 83, 68: 83, 72: 105}
    | {80: 58, 96: 105},
}
SUMS = {6: (142, 144), 7: (336, 344)}  # with such a plane 1, and the least with a basis


def values(polynomial, n):
    """The value of a polynomial at every x."""
    found = np.zeros(1 << n, dtype=int)
    for monomial, vector in polynomial.items():
        found ^= np.where(np.arange(1 << n) & monomial == monomial, vector, 0)
    return found.tolist()


def distances(neighbours, source):
    """Breadth-first search, switch by switch."""
    found, reached = {source: 0}, [source]
    for switch in reached:
        for other in neighbours[switch]:
            if other not in found:
                found[other] = found[switch] + 1
                reached.append(other)
    return found


@for_each("n", QUADRATIC)
def test_a_hypercube_that_relabels_the_switches_otherwise_has_a_smaller_sum_than_every_basis(n):
    p = values(QUADRATIC[n], n)
    assert sorted(p) == list(range(1 << n))
    assert max(monomial.bit_count() for monomial in QUADRATIC[n]) == 2
    at = {label: switch for switch, label in enumerate(p)}
    plane_0 = [[x ^ (1 << i) for i in range(n)] for x in range(1 << n)]
    plane_1 = [[at[p[x] ^ (1 << i)] for i in range(n)] for x in range(1 << n)]
    sums = set()
    for source in range(1 << n):
        near, far = distances(plane_0, source), distances(plane_1, source)
        sums.add(sum(min(near[x], far[x]) for x in range(1 << n)))
    found, least_of_bases = SUMS[n]
    assert sums == {found}  # from every switch
    network = dual_cube(n, tuple(1 << i for i in range(n)), layout=None)
    assert metric_bound("sum_of_distances", network) == least_of_bases > found


def test_records_and_pages_name_the_space_of_a_proof_by_the_variable_of_the_family():
    with best_folder() as folder:
        (path,) = folder.glob("hypercube-n6-aspl-*.json")
        record = read_record(path)
    assert (record["status"], record["score"]) == ("optimal", [SUMS[6][1]])
    network = dual_cube(6, tuple(record["network"]["planes"][1]["generators"]), layout=Site().layout)
    assert (
        scope_of(network, record.get("bound_source")) == BasisVariable(6).scope == "all linear relabellings of plane 1"
    )
