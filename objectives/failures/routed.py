"""Average distance, diameter and routed throughput of a network, and of modified networks relative to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from isoplane.models import Network
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.paths.transmission_times import transmission_times_of

from ..general import GeneralExact

# Mean and largest distance between two nodes in hops, as `GeneralExact` defines them, `throughput_per_node`, and the
# throughput that the links of nodes limit as well.
Measures = tuple[Fraction, int, Fraction | None, Fraction | None]


@dataclass(frozen=True)
class RelativeRange:
    """A measure of several modified networks, each divided by the measure of the intact network.

    Parameters
    ----------
    mean, worst
        The mean, and the value that is farthest on the bad side: the largest distance, or the smallest throughput.
    """

    mean: Fraction
    worst: Fraction


def throughput_per_node(network: Network) -> Fraction | None:
    """Return the routed all-to-all throughput per node, parts · nodes / peak load; None if no link carries any load.

    It is that of the metric `throughput_per_node`, exactly: in capacities of a link of the hardware. If the network
    states rates, it is in Mbit/s instead, so that networks with different reference links can be compared.

    Raises
    ------
    InputError
        As for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> throughput_per_node(dual_cube(3, (3, 5, 7)))  # 16 / 3 for each switch, shared by four nodes
    Fraction(4, 3)
    """
    exact = GeneralExact(network)
    return _throughput(exact, exact.peak_load)


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
    def intact(self) -> Measures:
        """Measures along the routes of the network."""
        return self.measures(self.network)

    @cached_property
    def rerouted(self) -> Measures:
        """Measures after the same repair of routes as after failures, here of none.

        They are equal to `intact`, unless its routes are whole paths, which a table of shortest paths replaces.
        """
        return self.measures(self.model.after().connected_network)

    def measures(self, network: Network) -> Measures:
        """Return average distance, diameter, `throughput_per_node` and `throughput` of what remains of the network.

        Raises
        ------
        InputError
            As for `GeneralExact`.

        Examples
        --------
        >>> from isoplane.models import dual_cube
        >>> cubes = dual_cube(2, (1, 3), nodes_per_switch=1)
        >>> Baseline(cubes).measures(cubes)  # 3 hops to 4 nodes; half a packet over the link between two switches
        (Fraction(3, 4), 1, Fraction(4, 1), Fraction(2, 1))
        """
        exact = GeneralExact(network)
        aspl = Fraction(exact.total_hops, exact.hop_parts * network.nodes**2)
        return aspl, exact.diameter, _throughput(exact, exact.peak_load), self._limited_by_all(exact)

    def throughput(self, network: Network) -> Fraction | None:
        """Return the throughput per node of what remains of the network, as far as the links of nodes allow it too.

        It is parts · nodes / load of the busiest link of all. A link of a node carries the packets from it, or to it,
        whose paths begin or end there, so that a node with a single link carries all of its packets over that. Nodes of
        direct networks are parts of their switches: then it is `throughput_per_node`.

        Raises
        ------
        InputError
            As for `GeneralExact`.
        """
        return self._limited_by_all(GeneralExact(network))

    def _limited_by_all(self, exact: GeneralExact) -> Fraction | None:
        # Not by `exact.network`, in which the nodes of a direct network have cables after failures (`with_links`).
        is_direct = self.network.node_cable_mm is None
        return _throughput(exact, exact.peak_load if is_direct else exact.peak_load_of_all_links)


def relative_range(
    values: Sequence[Fraction | int | None],
    intact: Fraction | int | None,
    worst: Callable[[Sequence[Fraction]], Fraction],
) -> RelativeRange | None:
    """Return mean and worst of values relative to that of the intact network; None without values or without that.

    Parameters
    ----------
    values
        Those that are None are left out.
    intact
        The value of the intact network; 0 or None if it has none.
    worst
        ``min`` or ``max``.

    Examples
    --------
    >>> relative_range([2, None, 3], 4, min)
    RelativeRange(mean=Fraction(5, 8), worst=Fraction(1, 2))
    """
    ratios = [Fraction(value) / intact for value in values if value is not None] if intact else []
    return RelativeRange(sum(ratios, Fraction()) / len(ratios), worst(ratios)) if ratios else None


def _throughput(exact: GeneralExact, peak_load: int) -> Fraction | None:
    if not peak_load:
        return None
    reference_mbps = transmission_times_of(exact.network).reference_mbps or 1
    return Fraction(exact.parts * exact.network.nodes, peak_load) * reference_mbps
