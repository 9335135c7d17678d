"""Rates and delays of the individual links and switches of a plane."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from .topology import Topology


@dataclass(frozen=True, eq=False)
class Timing:
    """Rates and delays of links and switches; None if they follow from the hardware and the cable length.

    Parameters
    ----------
    rate_mbps : int64[switches, ports]
        Rate of the link at each port in Mbit/s, equal at both ends; 0 without a cable.
    node_rate_mbps : int64[node links]
        Rate of the link between a node and its switch.
    delay_ps : int64[switches, ports]
        Delay of the link at each port, instead of one that follows from its length; 0 without a cable.
    node_delay_ps : int64[node links]
        Delay of the link between a node and its switch.
    switch_delay_ps : int64[switches]
        Port-to-port delay of each switch.

    Examples
    --------
    >>> Timing().rate_mbps is None
    True
    """

    rate_mbps: Ints | None = None
    node_rate_mbps: Ints | None = None
    delay_ps: Ints | None = None
    node_delay_ps: Ints | None = None
    switch_delay_ps: Ints | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                object.__setattr__(self, field.name, np.ascontiguousarray(value, dtype=np.int64))

    def require_fit(self, topology: Topology, node_links: int) -> None:
        """Raise an `InputError` if the arrays do not match a plane, or a value is not allowed.

        Parameters
        ----------
        topology
            The switches and their cables.
        node_links
            Number of node links.
        """
        cabled, attached = topology.peer >= 0, np.ones(node_links, dtype=np.bool_)
        switches = np.ones(topology.switches, dtype=np.bool_)
        self._check("rate_mbps", cabled, 1)
        self._check("node_rate_mbps", attached, 1)
        self._check("delay_ps", cabled, 0)
        self._check("node_delay_ps", attached, 0)
        self._check("switch_delay_ps", switches, 0)
        for name in ("rate_mbps", "delay_ps"):
            value = getattr(self, name)
            if value is None:
                continue
            other_end = np.where(cabled, value[topology.peer, topology.peer_port], 0)
            wrong = np.argwhere(value != other_end)
            if len(wrong):
                switch, port = wrong[0]
                raise InputError(
                    f"plane.{name}={value[switch, port]} at switch {switch} port {port}: expected the same value at "
                    f"both ends, but the other end has {other_end[switch, port]}"
                )

    def _check(self, name: str, present: NDArray[np.bool_], low: int) -> None:
        """Reject an array of the wrong shape, and values below `low` for existing links and switches."""
        value = getattr(self, name)
        if value is None:
            return
        if value.shape != present.shape:
            raise InputError(f"plane.{name}: an array of shape {value.shape}; expected {present.shape}")
        wrong = value[present & (value < low)]
        if len(wrong):
            raise InputError(f"plane.{name}={wrong[0]}: expected an integer of at least {low}")
