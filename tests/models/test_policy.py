import pytest

from isoplane.models import InputError
from isoplane.models.policy import check_policy
from tests.cases import for_each


@for_each("policy", ["nearest", "spray", "adaptive"])
def test_a_policy_has_a_name(policy):
    assert check_policy("network.policy", policy, 2) == policy


def test_a_policy_may_be_a_share_of_each_plane():
    assert check_policy("network.policy", [3, 0, 1], 3) == (3, 0, 1)


@for_each("policy", ["random", [1], [1, 2, 3], 3, None])
def test_an_invalid_policy_is_rejected(policy):
    with pytest.raises(InputError, match="expected nearest, spray, adaptive, or one share per plane such as "):
        check_policy("network.policy", policy, 2)


def test_all_zero_shares_are_rejected():
    with pytest.raises(InputError, match="at least one positive share"):
        check_policy("network.policy", [0, 0], 2)


def test_a_negative_share_is_rejected():
    with pytest.raises(InputError, match=r"network.policy\[1\]=-1: expected an integer from 0 to 1024"):
        check_policy("network.policy", [1, -1], 2)
