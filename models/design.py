"""Designs: what objectives judge."""

from dataclasses import dataclass

from .network import Network


@dataclass(frozen=True)
class Design:
    """A network that could be built.

    Circuits and the placement of processes will join it where networks have them; objectives, records and reports take
    a design, so that they need not change then.
    """

    network: Network
