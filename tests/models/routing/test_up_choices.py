"""Uplinks by destination: D-mod-k, and the hashes of SplitMix64."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.routing import check_up_routing, destination_hashes, up_choices
from tests.cases import for_each
from tests.models.trees import split_mix_64


@given(st.integers(0, 50), st.integers(0, (1 << 63) - 1))
def test_hashes_are_those_of_split_mix_64(count, seed):
    assert destination_hashes(count, seed).tolist() == split_mix_64(count, seed)


def test_the_first_output_of_split_mix_64_is_the_published_one():
    # The test vectors of the reference implementation (Vigna) begin with this number for the state 1234567.
    assert split_mix_64(1, 1234567) == [6457827717110365317 >> 1]


def test_choices_are_the_nodes_or_their_hashes():
    assert up_choices("d_mod_k", 5, 3).tolist() == [0, 1, 2, 3, 4]
    assert up_choices("random", 5, 3).tolist() == split_mix_64(5, 3)


@for_each(
    ("routing", "seed", "message"),
    [
        ("shortest", 1, "network.routing='shortest': expected d_mod_k, random"),
        (["random"], 1, r"network.routing=\['random'\]: expected d_mod_k, random"),
        ("random", True, "network.seed=True: expected an integer from 0 to 9223372036854775807"),
        ("d_mod_k", 0, "network.seed=0: has no effect; allowed with network.routing=random"),
    ],
)
def test_an_unknown_routing_or_a_seed_without_effect_is_rejected(routing, seed, message):
    with pytest.raises(InputError, match=message):
        check_up_routing(routing, seed)
