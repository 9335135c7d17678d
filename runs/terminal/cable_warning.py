"""The warning of node cables that are too short."""

from isoplane.models import Network
from isoplane.models.short_cables import short_node_cables

from .messages import print_message


def print_cable_warning(network: Network) -> None:
    """Print on standard error how many node cables are too short for their racks, if any."""
    short = short_node_cables(network)
    if short is not None:
        print_message(
            f"warning: {short.count} of {short.cables} node cables of {short.length_mm / 1000:g} m are too short, "
            f"because they lead to other racks: they need up to {short.longest_mm / 1000:g} m; delay and cost do not "
            "include that"
        )
