"""Collectives in MSCCL XML, for runtimes that execute them on GPUs: chunks, thread blocks of ranks, the document."""

from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.runs.config.config_values import values_of
from isoplane.runs.exports.exported_order import order_of
from isoplane.runs.exports.exporter import Exported, Exporter, Files, as_bytes

from .document import document
from .schedule import all_gather, all_to_all
from .target import Target
from .thread_blocks import require_thread_blocks


def files(exported: Exported) -> Files:
    """Yield the schedule of the collective among all nodes, each of which is a rank."""
    order, target = order_of(exported), Target(**values_of(exported.option("msccl")))
    schedule = all_gather(order) if isinstance(order, GatherOrder) else all_to_all(order)
    require_thread_blocks(schedule, target)
    yield f"{schedule.collective}.xml", as_bytes(document(schedule, target))


EXPORTER = Exporter("schedule of a collective in MSCCL XML", None, files)
