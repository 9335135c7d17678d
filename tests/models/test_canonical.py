from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, canonical_form
from isoplane.models.mathematics.gf2 import coordinates_of_units
from tests.cases import for_each
from tests.strategies import bases, bases_up_to, permute_coordinates


def all_bases(n):
    return [s for g in combinations(range(1, 1 << n), n) if (s := ConnectionSet(n, g)).is_basis]


@for_each(
    ("n", "count", "plain", "folded"),
    [
        # |GL(n,2)| / n!: 6 / 2, 168 / 6, 20160 / 24
        (2, 3, 2, 1),
        (3, 28, 6, 6),  # odd n: the tie-breaking rule leaves only the plain symmetries
        (4, 840, 35, 6),
    ],
)
def test_the_number_of_classes_matches_burnsides_lemma(n, count, plain, folded):
    sets = all_bases(n)
    assert len(sets) == count
    assert len({canonical_form(s) for s in sets}) == plain
    assert len({canonical_form(s, folded=True) for s in sets}) == folded


@given(bases_up_to(10), st.booleans(), st.randoms(use_true_random=False))
def test_canonical_form_does_not_change_when_coordinates_are_permuted(connections, folded, rng):
    order = rng.sample(range(connections.n), connections.n)
    assert canonical_form(permute_coordinates(connections, order), folded) == canonical_form(connections, folded)


@given(bases_up_to(10), st.booleans(), st.randoms(use_true_random=False))
def test_canonical_form_does_not_change_when_generators_are_permuted(connections, folded, rng):
    shuffled = rng.sample(connections.generators, connections.n)
    assert canonical_form(ConnectionSet(connections.n, tuple(shuffled)), folded) == canonical_form(connections, folded)
    # Sorted generators hide their order; in the other plane's view it is the order of the coordinates.
    renumbered = ConnectionSet(connections.n, coordinates_of_units(shuffled))
    assert canonical_form(renumbered, folded) == canonical_form(connections, folded)


@given(bases_up_to(10), st.booleans())
def test_canonical_form_does_not_change_when_the_planes_are_swapped(connections, folded):
    swapped = ConnectionSet(connections.n, coordinates_of_units(connections.generators))
    assert canonical_form(swapped, folded) == canonical_form(connections, folded)


@given(st.sampled_from([2, 4, 6, 8, 10]).flatmap(bases), st.integers(0, 9))
def test_for_even_n_the_folded_link_is_equivalent_to_any_generator(connections, index):
    link = Cube(connections, folded=True).folded_link
    others = list(connections.generators)
    others[index % connections.n] = link
    assert canonical_form(ConnectionSet(connections.n, tuple(others)), True) == canonical_form(connections, True)
