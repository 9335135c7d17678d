"""Traffic over random intermediate regions."""

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.planes.detours import Detours


def split_over_regions(traffic: Ints, detours: Detours, entry: Ints) -> tuple[Ints, Ints]:
    """Return the traffic on both halves of detours, if every packet takes a random region.

    Each of R - 2 regions, those other than the two of source and destination, has the same share; traffic within a
    region takes the minimal route, which counts as a second half. The results are in units of 1 / (R - 2).

    Parameters
    ----------
    traffic : int64[switches, switches]
        Traffic from switch to switch.
    detours
        The regions.
    entry : int64[switches, regions]
        The switch where a route from a switch enters a region, as in `Detours.ends`.

    Returns
    -------
    int64[switches, regions], int64[switches, switches]
        Traffic from each switch to the entry of each region, and between switches on minimal routes.

    Examples
    --------
    >>> from isoplane.models.planes.detours import detours_by_switch
    >>> from isoplane.models.routing import hyperx_order
    >>> from isoplane.models.topologies import hyperx
    >>> detours = detours_by_switch(hyperx((4,)), hyperx_order((4,)))
    >>> traffic = np.zeros((4, 4), dtype=np.int64)
    >>> traffic[0, 3] = 5
    >>> first, second = split_over_regions(traffic, detours, np.tile(np.arange(4), (4, 1)))
    >>> first[0].tolist(), second[:, 3].tolist()  # over switch 1 or 2
    ([0, 5, 5, 0], [0, 5, 5, 0])
    """
    region, regions = detours.region, np.arange(detours.regions)
    within = region[:, None] == region
    detoured = np.where(within, 0, traffic)
    second = (detours.regions - 2) * np.where(within, traffic, 0)
    first = np.zeros((len(region), detours.regions), dtype=np.int64)
    for source in np.flatnonzero(detoured.any(axis=1)):
        over = np.where(regions[:, None] == region, 0, detoured[source])  # [region, destination]
        over[region[source]] = 0
        first[source] = over.sum(axis=1)
        np.add.at(second, entry[source], over)
    return first, second
