import re
from dataclasses import replace

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.routing import Paths, torus_order

ROUTES = torus_order((4, 3))
WHOLE = Paths(np.zeros(13, dtype=np.uint32), np.zeros(0, dtype=np.uint16))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"next_port": None}, "routes: allowed are either next ports or paths"),
        ({"paths": WHOLE}, "routes: allowed are either next ports or paths"),
        ({"next_port": ROUTES.next_port[:, :9]}, "routes: allowed are 12 entries for each class, as many as switches"),
        ({"next_port": ROUTES.next_port[0]}, "routes: allowed are 12 entries for each class, as many as switches"),
        (
            {"next_port": None, "paths": replace(WHOLE, starts=WHOLE.starts[1:])},
            "routes: allowed are 12 entries for each class, as many as switches",
        ),
        ({"shape": (4, 4)}, "routes.shape=[4, 4]: allowed is a torus of 12 switches"),
    ],
)
def test_routes_that_lack_entries_are_refused(fields, message):
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        replace(ROUTES, **fields)


def test_paths_have_an_entry_for_each_class_and_offset():
    assert replace(ROUTES, next_port=None, paths=WHOLE).offsets == 12
