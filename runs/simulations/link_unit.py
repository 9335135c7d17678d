"""The link in which a simulation counts loads, and the one in which metrics count them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from isoplane.models import Network
from isoplane.models.paths.transmission_times import fastest_link_mbps
from isoplane.runs.terminal.design_table import links_of, metric_link_gbps
from isoplane.simulator import Hardware

LINK_RATES = "link rates"


def hardware_for(network: Network, values: Mapping[str, Any]) -> Hardware:
    """Return the hardware that simulates a network.

    Without a rate of links it has that of the fastest link if the network states rates: its crossbars and buffers suit
    all links, and loads count the same link as metrics if no link between switches is faster than those of nodes.

    Parameters
    ----------
    network
        The network, whose switch model applies.
    values
        The fields of the hardware; ``link_gbps`` may be None or missing.
    """
    values = dict(values)
    if values.get("link_gbps") is None:
        values.pop("link_gbps", None)
        if (fastest := fastest_link_mbps(network)) is not None:
            values["link_gbps"] = Fraction(fastest, 1000)
    return Hardware(**values, switch=network.site.switch)


def load_unit(link_gbps: float | None) -> str:
    """Return the unit of loads.

    Parameters
    ----------
    link_gbps
        The rate of the link that counts 1, as of `stated_link`; None if all links are alike.
    """
    return LINK_RATES if link_gbps is None else links_of(link_gbps)


def simulated_unit(network: Network, hardware: Hardware) -> str:
    """Return the unit of the loads of a simulation."""
    return load_unit(stated_link(network, hardware).get("link_gbps"))


def stated_link(network: Network, hardware: Hardware) -> dict[str, float]:
    """Return the rate of the link that counts 1 as ``link_gbps``; nothing if the network states no rates."""
    return {} if fastest_link_mbps(network) is None else {"link_gbps": float(hardware.link_gbps)}


def unit_note(network: Network, hardware: Hardware) -> list[str]:
    """Return in a line in what loads are counted; nothing if the network states no rates."""
    simulated, metric = stated_link(network, hardware).get("link_gbps"), metric_link_gbps(network)
    if simulated is None or metric is None:
        return []
    beside = "as in isoplane evaluate" if simulated == metric else f"in isoplane evaluate in {links_of(metric)}"
    return [f"loads and throughput are in {links_of(simulated)}, {beside}"]
