"""Finite fields and difference sets: the axioms, for every order that families use."""

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.mathematics.difference_set import difference_set
from isoplane.models.mathematics.finite_field import check_prime_power, finite_field, prime_power
from tests.cases import for_each

ORDERS = [q for q in range(2, 128) if prime_power(q)]


def test_prime_powers_are_the_powers_of_numbers_without_divisors():
    primes = [p for p in range(2, 300) if all(p % d for d in range(2, p))]
    assert {q for q in range(300) if prime_power(q)} == {p**k for p in primes for k in range(1, 9) if p**k < 300}
    assert all(p**k == q for q in range(300) if (found := prime_power(q)) for p, k in [found])


@for_each("q", [q for q in ORDERS if q <= 49])
def test_the_axioms_of_fields_hold(q):
    field = finite_field(q)
    a, b, c = (each.ravel() for each in np.meshgrid(*[np.arange(q)] * 3, indexing="ij"))
    for table in (field.add, field.multiply):
        assert np.array_equal(table, table.T)
        assert np.array_equal(table[table[a, b], c], table[a, table[b, c]])
    assert np.array_equal(field.multiply[a, field.add[b, c]], field.add[field.multiply[a, b], field.multiply[a, c]])
    assert np.array_equal(field.add[0], np.arange(q))
    assert np.array_equal(field.multiply[1], np.arange(q))
    assert (np.sort(field.add, axis=1) == np.arange(q)).all()
    assert (np.sort(field.multiply[1:], axis=1) == np.arange(q)).all()
    assert (field.add[np.arange(q), field.negative] == 0).all()
    assert sorted(field.powers) == list(range(1, q))


@for_each("q", ORDERS)
def test_every_difference_occurs_once(q):
    found, size = np.array(difference_set(q)), q * q + q + 1
    differences = (found[:, None] - found)[~np.eye(q + 1, dtype=bool)] % size
    assert np.array_equal(np.sort(differences), np.arange(1, size))


@for_each(
    ("value", "says"),
    [
        (6, "q=6: expected a prime power, such as 5 or 7"),
        (255, "q=255: expected a prime power, such as 251 or 256"),
        (1, "q=1: expected an integer from 2 to 256"),
    ],
)
def test_another_order_is_answered_with_the_nearest(value, says):
    with pytest.raises(InputError, match=says):
        check_prime_power("q", value)
