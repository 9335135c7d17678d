"""Designs: what objectives judge."""

from dataclasses import dataclass

from .circuits import Circuits
from .errors import InputError
from .network import Network
from .placement import Placement


@dataclass(frozen=True)
class Design:
    """A network that could be built and, where there are any, its circuits and the placement of processes.

    Parameters
    ----------
    network
        The network.
    circuits, placement
        Of a network with circuits: what is set up, and which process runs where; both or neither.

    Raises
    ------
    InputError
        If a network with circuits lacks one of them or cannot set them up, or another network has them.

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
        family = self.network.family
        if not family.has_circuits:
            if self.circuits is not None or self.placement is not None:
                raise InputError(
                    f"network.family={family.name}: given circuits or a placement; expected neither of them"
                )
            return
        if self.circuits is None or self.placement is None:
            raise InputError(f"network.family={family.name}: expected a design with circuits and a placement")
        self.circuits.require_fit(self.network.hybrid)
        if len(self.placement.nodes) != self.network.nodes:
            raise InputError(f"placement: {len(self.placement.nodes)} processes; expected {self.network.nodes}")

    @property
    def assigned(self) -> tuple[Circuits, Placement]:
        """Circuits and placement, where the network has circuits.

        Raises
        ------
        InputError
            If it has none.
        """
        if self.circuits is None or self.placement is None:
            raise InputError(f"network.family={self.network.name}: expected networks with circuits")
        return self.circuits, self.placement

    @property
    def baseline(self) -> "Design":
        """The plainest design with the same parts: no circuits, or the baseline of the family."""
        if self.circuits is not None:
            return Design(self.network, Circuits(), self.placement)
        return Design(self.network.baseline)
