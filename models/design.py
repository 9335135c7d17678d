"""Designs: the inputs of objectives."""

from dataclasses import dataclass

from .circuits import Circuits
from .errors import InputError
from .network import Network
from .optical_switch import OpticalSwitch
from .placement import Placement, by_switch


@dataclass(frozen=True)
class Design:
    """A candidate network and, if it has an optical switch, its circuits and the placement of processes.

    Parameters
    ----------
    network
        The network.
    circuits, placement
        The circuits that are set up and the node of each process; required if the network has circuits, else None.

    Raises
    ------
    InputError
        If a network with circuits lacks either of them or cannot set up the circuits, or if a network without circuits
        has either.

    Examples
    --------
    >>> from .families.hybrid import Hybrid
    >>> Design(Network(Hybrid(2, 2)), Circuits(((0, 3),)), Placement((0, 1, 2, 3))).network.nodes
    4
    """

    network: Network
    circuits: Circuits | None = None
    placement: Placement | None = None

    def __post_init__(self) -> None:
        name, switches = self.network.name, self.network.optical_switches
        given = [part is not None for part in (self.circuits, self.placement)]
        if not switches and any(given):
            raise InputError(f"network.family={name}: a design with circuits or a placement; expected neither")
        if switches and not all(given):
            raise InputError(f"network.family={name}: a design without circuits or placement; expected both")
        for optical in switches:
            circuits, placement = self.assignment
            circuits.require_fit(optical)
            if len(placement.nodes) != self.network.nodes:
                raise InputError(f"placement: {len(placement.nodes)} processes; expected {self.network.nodes}")

    @property
    def assignment(self) -> tuple[Circuits, Placement]:
        """Circuits and placement of a network with circuits."""
        if self.circuits is None or self.placement is None:
            raise InputError(f"network.family={self.network.name}: expected networks with circuits")
        return self.circuits, self.placement

    @property
    def optical_switches(self) -> tuple[tuple[OpticalSwitch, Circuits], ...]:
        """The optical switches with the circuits that they set up: one, or none in a network without circuits."""
        return tuple((optical, self.assignment[0]) for optical in self.network.optical_switches)

    @property
    def baseline(self) -> "Design":
        """The reference design built from the same parts, with which this one is compared wherever it is shown.

        The baseline of the family. With an optical switch: the packet network alone, with the same placement, or with
        processes placed by switch if the design has no circuits itself.
        """
        if self.circuits is None:
            return Design(self.network.baseline)
        return Design(self.network, Circuits(), self.placement if len(self.circuits) else by_switch(self.network.nodes))

    @property
    def baseline_title(self) -> str:
        """Display name of the baseline; empty if the design is its own.

        Examples
        --------
        >>> from .families.hybrid import Hybrid
        >>> Design(Network(Hybrid(2, 2)), Circuits(), Placement((0, 1, 2, 3))).baseline_title
        'packets only, by switch'
        """
        placed = ("same placement" if len(circuits) else "by switch" for _, circuits in self.optical_switches)
        return ", ".join([self.network.family.baseline_title, *placed])
