"""What failures are compared with: the intact network, and its routes after the same repair."""

from dataclasses import dataclass
from functools import cached_property

from isoplane.models import Network
from isoplane.models.failures.failure_model import FailureModel

from .routed import RoutedMeasures, routed_measures


@dataclass(frozen=True, eq=False)
class Baseline:
    """A network before failures, measured on first use; several summaries of failures can share it.

    Parameters
    ----------
    network
        A network without circuits.

    Raises
    ------
    InputError
        If it has circuits; on first use, as for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> baseline = Baseline(Network(Torus(shape=(5,))))
    >>> baseline.intact == baseline.rerouted
    True
    """

    network: Network

    @cached_property
    def model(self) -> FailureModel:
        """The network as one whose parts may fail."""
        return FailureModel(self.network)

    @cached_property
    def intact(self) -> RoutedMeasures:
        """Measures along the routes of the network."""
        return routed_measures(self.network)

    @cached_property
    def rerouted(self) -> RoutedMeasures:
        """Measures after the same repair of routes as after failures, here of none."""
        return routed_measures(self.model.after().connected_network)
