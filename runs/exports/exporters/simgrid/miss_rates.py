"""How many packets miss the cache of the port to which each link leads, for the latencies of a SimGrid platform."""

from math import gcd, lcm

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.objectives.caches import input_ports
from isoplane.objectives.fluid import plane_look_ups
from isoplane.objectives.general.zero_load import misses_of
from isoplane.runs.exports.exporter import Exported


def miss_rates(exported: Exported) -> tuple[Ints, int]:
    """Return the share of the packets on each link that miss the cache of the switch to which it leads.

    With a workload they are its look-ups in the fluid model; links without any have none. Without one, each destination
    of a port is as likely, and none misses at the start or by a conflict (`misses_of`).

    Returns
    -------
    int64[links], or Python's integers
        Misses of each link, in the order of `isoplane.models.planes.links`.
    int
        Their common denominator.

    Raises
    ------
    InputError
        If packets may miss in a direct network, where the delay of a switch is that of the link which leaves it.
    """
    network, links = exported.network, sum(plane.links for plane in exported.network.plane_links)
    if network.site.switch.never_misses(network.nodes):
        return np.zeros(links, dtype=np.int64), 1
    if network.node_cable_mm is None:
        raise InputError(
            "format=simgrid: packets may miss switch.cache, whose ports a direct network has no links for; expected "
            "network.node_cable_m, or a cache without misses"
        )
    workload = exported.find_workload()
    if workload is None:
        misses = misses_of(network)
        of_planes = zip(network.plane_links, misses.links, misses.node_links, strict=True)
        return np.concatenate([plane.values(a, b, np.zeros_like(b)) for plane, a, b in of_planes]), misses.parts
    look_ups, hits = plane_look_ups(network, workload)
    missing = (look_ups - hits).tolist()
    rates = [
        (part // gcd(part, whole), whole // gcd(part, whole))
        for part, whole in zip(missing, look_ups.tolist(), strict=True)
        if part
    ]
    parts = lcm(*(whole for _, whole in rates))
    of_links = np.zeros(links, dtype=object)
    _, _, link = input_ports(network)
    of_links[link[np.flatnonzero(look_ups - hits)]] = [part * (parts // whole) for part, whole in rates]
    return of_links, parts


def miss_rates_text(exported: Exported) -> str:
    """Return what `miss_rates` are, for the manifest."""
    packets = "the workload" if exported.find_workload() is not None else "uniform traffic, once caches are warm"
    return f"mean at each port over its packets under {packets}; a miss adds the look-up in the table"
