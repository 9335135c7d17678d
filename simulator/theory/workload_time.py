"""The time that messages with dependencies take on a network, flit by flit."""

from fractions import Fraction

from isoplane.models import MessageList, Network

from ..flits.message_trace import MessageTrace
from ..flits.simulation import Simulation
from ..hardware import Hardware

STEP_TICKS = 1 << 20


def workload_time_ns(network: Network, hardware: Hardware, messages: MessageList) -> Fraction:
    """Return the arrival of the last of some messages, each sent as soon as those that it depends on have arrived.

    Parameters
    ----------
    network, hardware
        The network, and its switches, links and packets.
    messages
        The messages, between the nodes of the network.

    Returns
    -------
    Fraction
        In ns, a whole number of ticks.

    Raises
    ------
    InputError
        If the messages are for another number of nodes.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import recursive_doubling
    >>> network = dual_cube(2, (1, 2), nodes_per_switch=1)
    >>> float(workload_time_ns(network, Hardware(), recursive_doubling(4, 256).message_list()))
    450.56
    """
    simulation = Simulation(network, hardware, MessageTrace(messages), seed=0)
    while not simulation.ended:
        simulation.run(simulation.now + STEP_TICKS)
    return int(simulation.listed_arrived().max()) * hardware.tick_ns
