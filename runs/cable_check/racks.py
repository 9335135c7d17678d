"""The devices of a design in some racks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.device_names import NODE

from .devices import CabledDevices

MAX_SHOWN = 8


def devices_in_racks(network: Network, design: CabledDevices, racks: Sequence[str]) -> NDArray[np.bool_]:
    """Return which devices of a design are in racks of these names, such as ``R2-3``, as bool[devices].

    Raises
    ------
    InputError
        If the design has no layout, or no rack of a name.
    """
    floor = network.floor
    if floor is None:
        raise InputError(f"racks={racks[0]}: the design has no layout; expected one with racks, such as layout=floor")
    unknown = next((name for name in racks if name not in floor.names), None)
    if unknown is not None:
        more = ", ..." if len(floor.names) > MAX_SHOWN else ""
        raise InputError(f"racks={unknown}: no such rack; expected some of {', '.join(floor.names[:MAX_SHOWN])}{more}")
    chosen = np.isin(np.array(floor.names), list(racks))
    nodes = [int(found[1]) for found in map(NODE.fullmatch, design.names) if found]
    is_chosen: NDArray[np.bool_] = chosen[np.concatenate([*floor.of_switches, floor.of_nodes[nodes]])]
    return is_chosen
