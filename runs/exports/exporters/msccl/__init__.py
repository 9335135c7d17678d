"""Collectives in MSCCL XML, for runtimes that execute them on GPUs: chunks, thread blocks of ranks, the document."""

import re
from collections.abc import Iterator

from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.runs.config.config_values import values_of
from isoplane.runs.exports.exported_order import order_of
from isoplane.runs.exports.exporter import Exported, Exporter, Files, as_bytes

from .schedule import Schedule, all_gather, all_to_all
from .target import Target
from .thread_blocks import Step, channels_of, require_thread_blocks, thread_blocks

NAME_LENGTH = 63  # of the name of an algorithm, in runtimes
MAX_BYTES = 1 << 40  # of the buffers for which a runtime may use the algorithm; the default is 128 MiB


def files(exported: Exported) -> Files:
    """Yield the schedule of the collective among all nodes, each of which is a rank."""
    order, target = order_of(exported), Target(**values_of(exported.option("msccl")))
    schedule = all_gather(order) if isinstance(order, GatherOrder) else all_to_all(order)
    require_thread_blocks(schedule, target)
    yield f"{schedule.collective}.xml", as_bytes(document(schedule, target))


def document(schedule: Schedule, target: Target) -> Iterator[str]:
    """Yield the lines of the document.

    Examples
    --------
    >>> from isoplane.models.exchanges.all_to_all import ExchangeOrder
    >>> lines = list(document(all_to_all(ExchangeOrder("by hand", [0, 1], [[1, 0]])), Target()))
    >>> len(lines), lines[2].strip()
    (20, '<tb id="0" send="1" recv="1" chan="0">')
    """
    channels = max(channels_of(schedule, target).values()) + 1
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", schedule.name)[:NAME_LENGTH]  # runtimes do not decode XML escapes
    yield (
        f'<algo name="{name}" proto="{target.protocol}" nchannels="{channels}" '
        f'nchunksperloop="{schedule.outputs}" ngpus="{schedule.ranks}" '
        f'coll="{schedule.collective}" inplace="0" outofplace="1" minBytes="0" maxBytes="{MAX_BYTES}">'
    )
    for rank, blocks in enumerate(thread_blocks(schedule, target)):
        yield f'  <gpu id="{rank}" i_chunks="{schedule.inputs}" o_chunks="{schedule.outputs}" s_chunks="0">'
        for number, (send, receive, channel, steps) in enumerate(blocks):
            yield f'    <tb id="{number}" send="{send}" recv="{receive}" chan="{channel}">'
            yield from (f"      {_line(index, step)}" for index, step in enumerate(steps))
            yield "    </tb>"
        yield "  </gpu>"
    yield "</algo>"


def _line(index: int, step: Step) -> str:
    block, last = (-1, -1) if step.waits_for is None else step.waits_for
    return (
        f'<step s="{index}" type="{step.kind}" srcbuf="{step.source[0]}" srcoff="{step.source[1]}" '
        f'dstbuf="{step.destination[0]}" dstoff="{step.destination[1]}" cnt="{step.chunks}" '
        f'depid="{block}" deps="{last}" hasdep="{int(step.awaited)}"/>'
    )


EXPORTER = Exporter("schedule of a collective in MSCCL XML", None, files)
