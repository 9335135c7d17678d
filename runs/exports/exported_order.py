"""The order of the collective that an export writes: known by name, in a file, or searched."""

from pathlib import Path

from isoplane.models import InputError
from isoplane.models.checks import check_count
from isoplane.models.exchanges.all_gather import GatherOrder, direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.contention_free_order import CONTENTION_FREE, contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.models.exchanges.gather_orders import gather_order_named, gather_order_names
from isoplane.search.orders import search_order

from ..inputs.order_file import SUFFIX, read_order
from .exporter import Exported

SEARCHED = "searched"
ALL_TO_ALL, ALL_GATHER = "all_to_all", "all_gather"


def order_of(exported: Exported) -> ExchangeOrder | GatherOrder:
    """Return the order of the collective among all nodes.

    An all-gather has an order of its own, or the order of an exchange, in which each node sends all others its chunk.
    """
    collective, order = exported.option("collective"), exported.option("order")
    if collective == ALL_TO_ALL:
        return _exchange(exported, order, ())
    if collective != ALL_GATHER:
        raise InputError(f"collective={collective}: expected {ALL_TO_ALL}, {ALL_GATHER}")
    if order in gather_order_names():
        return gather_order_named(order, exported.network.nodes)
    return direct_gather(_exchange(exported, order, gather_order_names()))


def _exchange(exported: Exported, name: object, others: tuple[str, ...]) -> ExchangeOrder:
    """Return the order of an exchange; `others` are further names that the user may choose."""
    network = exported.network
    if name == CONTENTION_FREE:
        is_complete = network.nodes == exported.design.network.nodes
        return contention_free_order(network, None if is_complete else range(network.nodes))
    if name == SEARCHED:
        *_, best = search_order(network, evaluations=check_count("evaluations", exported.option("evaluations"), 1))
        return best.order
    if isinstance(name, str) and name.endswith(SUFFIX):
        order = read_order(Path(name), "order")
        if order.processes != network.nodes:
            raise InputError(f"order={name}: an order of {order.processes} processes; expected {network.nodes}")
        return order
    if name not in order_names():
        names = ", ".join(sorted({*order_names(), *others, CONTENTION_FREE, SEARCHED}))
        raise InputError(f"order={name}: expected {names}, or a file that ends in {SUFFIX}")
    return order_named(name, range(network.nodes))
