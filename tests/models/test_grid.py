import re

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.mathematics.grid import check_shape, coordinates, strides
from tests.cases import for_each


def test_the_first_coordinate_is_the_fastest():
    ids = np.arange(4 * 3 * 2)
    assert np.array_equal(coordinates(ids, (4, 3, 2)) @ strides((4, 3, 2)), ids)
    assert coordinates(np.array([1, 4, 12]), (4, 3, 2)).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


@for_each(
    ("shape", "message"),
    [
        ((), "shape=(): expected a list of sizes, one per dimension"),
        (4, "shape=4: expected a list of sizes, one per dimension"),
        ((4, 1), "shape=1: expected an integer from 2 to 1048576"),
        ((4, "4"), "shape='4': expected an integer from 2 to 1048576"),
        ((1 << 11, 1 << 10), "shape=[2048, 1024]: 2097152 positions; expected at most 1048576"),
    ],
)
def test_a_bad_shape_is_reported_with_the_allowed_values(shape, message):
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        check_shape(shape)
