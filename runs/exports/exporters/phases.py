"""Phases of an all-to-all exchange or an all-gather among all nodes, in a known order or in one that is searched."""

from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.models.files.exact_text import as_csv
from isoplane.models.planes.links import link_titles
from isoplane.objectives.exchanges import find_collisions
from isoplane.runs.inputs.order_file import gather_csv, order_csv

from ..exported_order import order_of
from ..exporter import Exported, Exporter, Files

COLLISIONS = ("phase", "link", "messages")


def files(exported: Exported) -> Files:
    """Yield the messages of each phase, and the links that several of them take."""
    network, order = exported.network, order_of(exported)
    _, (phase, link, messages), _ = find_collisions(network, order)
    yield "phases.csv", gather_csv(order) if isinstance(order, GatherOrder) else order_csv(order)
    rows = zip(phase.tolist(), link_titles(network.plane_links, link.tolist()), messages.tolist(), strict=True)
    yield "collisions.csv", as_csv(COLLISIONS, rows)


EXPORTER = Exporter("phases of an all-to-all exchange or an all-gather", "isoplane", files)
