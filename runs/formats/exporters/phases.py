"""Phases of an all-to-all exchange among all nodes: in a known order, or in one that is searched."""

from isoplane.models import InputError, Network
from isoplane.models.contention_free_order import CONTENTION_FREE, contention_free_order
from isoplane.models.exchange_order import ExchangeOrder
from isoplane.models.exchange_orders import order_named, order_names
from isoplane.objectives.exchanges import check_order
from isoplane.search.orders import search_order

from ..exporter import Exported, Exporter, Files
from ..order_file import order_csv
from ..text import as_csv

SEARCHED = "searched"
COLLISIONS = ("phase", "link", "messages")


def files(exported: Exported) -> Files:
    """Yield the messages of each phase, and the links that several of them take.

    Raises
    ------
    InputError
        If the order is unknown, the network has none, or it has circuits.
    """
    order = _order(exported.options.order, exported.network, exported.options.evaluations)
    found = check_order(exported.network, order)
    yield "phases.csv", order_csv(order)
    rows = zip(found.collisions.phase.tolist(), found.titles(), found.collisions.messages.tolist(), strict=True)
    yield "collisions.csv", as_csv(COLLISIONS, rows)


def _order(name: object, network: Network, evaluations: int) -> ExchangeOrder:
    """Return the order with a name."""
    if name == CONTENTION_FREE:
        return contention_free_order(network)
    if name == SEARCHED:
        *_, best = search_order(network, evaluations=evaluations)
        return best.order
    if name not in order_names():
        names = ", ".join(sorted([*order_names(), CONTENTION_FREE, SEARCHED]))
        raise InputError(f"order={name}: expected {names}")
    return order_named(name, range(network.nodes))


EXPORTER = Exporter("phases of an all-to-all exchange", "isoplane", files)
