"""From a composed config to the order of an all-to-all exchange."""

from isoplane.models import InputError, Network
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.contention_free_order import CONTENTION_FREE, contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.runs.inputs.order_file import SUFFIX, read_order

from .config_values import path_of, shown

OPTION = "workload.order"


def order_of(given: object, processes: int, network: Network | None) -> ExchangeOrder:
    """Return the order that a config names: one by name, that of the network, or one in a file.

    Parameters
    ----------
    given
        The value of `workload.order`.
    processes
        Number of processes.
    network
        The network whose order ``contention_free`` is; None where none can have one.
    """
    if isinstance(given, str) and given in order_names():
        return order_named(given, range(processes))
    if given == CONTENTION_FREE and network is not None:
        order = contention_free_order(network)
    elif isinstance(given, str) and given.endswith(SUFFIX):
        order = read_order(path_of(OPTION, given), OPTION)
    else:
        names = sorted([*order_names(), *([] if network is None else [CONTENTION_FREE])])
        raise InputError(f"{OPTION}={shown(given)}: expected {', '.join(names)}, or a file that ends in {SUFFIX}")
    if order.processes != processes:
        raise InputError(f"{OPTION}={given}: an order of {order.processes} processes; expected {processes}")
    return order
