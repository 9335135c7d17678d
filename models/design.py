"""Designs: what objectives judge."""

from dataclasses import dataclass

from .circuits import Circuits
from .errors import InputError
from .hybrid import HybridNetwork
from .network import Network
from .placement import Placement

AnyNetwork = Network | HybridNetwork


@dataclass(frozen=True)
class Design:
    """A network that could be built and, where there are any, its circuits and the placement of processes.

    Parameters
    ----------
    network
        Two planes of cubes, or a hybrid network.
    circuits, placement
        Of a hybrid network: what is set up, and which process runs where; both or neither.

    Raises
    ------
    InputError
        If a hybrid network lacks one of them or cannot set them up, or another network has them.

    Examples
    --------
    >>> Design(HybridNetwork(2, 2), Circuits(((0, 3),)), Placement((0, 1, 2, 3))).hybrid.nodes
    4
    """

    network: AnyNetwork
    circuits: Circuits | None = None
    placement: Placement | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.network, HybridNetwork):
            if self.circuits is not None or self.placement is not None:
                raise InputError(
                    f"network.family={self.network.family}: has circuits or a placement; allowed for hybrid"
                )
            return
        if self.circuits is None or self.placement is None:
            raise InputError("network.family=hybrid: allowed is a design with circuits and a placement")
        self.circuits.require_fit(self.network)
        if len(self.placement.nodes) != self.network.nodes:
            raise InputError(f"placement: {len(self.placement.nodes)} processes; allowed are {self.network.nodes}")

    @property
    def cubes(self) -> Network:
        """The network, where it is made of cubes.

        Raises
        ------
        InputError
            If it is another one.
        """
        if not isinstance(self.network, Network):
            raise InputError(
                f"network.family={self.network.family}: allowed here are cubes, hypercube or folded_hypercube"
            )
        return self.network

    @property
    def hybrid(self) -> HybridNetwork:
        """The network, where it is a hybrid one.

        Raises
        ------
        InputError
            If it is another one.
        """
        if not isinstance(self.network, HybridNetwork):
            raise InputError(f"network.family={self.network.family}: allowed here is hybrid")
        return self.network

    @property
    def assigned(self) -> tuple[Circuits, Placement]:
        """Circuits and placement, where the network is a hybrid one.

        Raises
        ------
        InputError
            If it is another one.
        """
        if self.circuits is None or self.placement is None:
            raise InputError(f"network.family={self.network.family}: allowed here is hybrid")
        return self.circuits, self.placement
