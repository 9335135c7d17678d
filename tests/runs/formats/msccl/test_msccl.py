"""Collectives in MSCCL XML: an interpreter of the format finds every chunk where it belongs."""

from collections import defaultdict
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.exchanges.all_gather import direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.exchanges.gather_orders import gather_order_named
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.torus import Torus
from isoplane.runs.exports.exporters.msccl import Target, all_gather, all_to_all, document
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config
from tests.runs.formats.exported import exported, texts

from .interpreter import COPIES_LAST, SENDS_FIRST, BadFileError, WrongRunError, read, require_result, run

SCHEDULES = {
    "shift": lambda ranks: all_to_all(order_named("shift", range(ranks))),
    "xor": lambda ranks: all_to_all(order_named("xor", range(ranks))),
    "gather in the order of xor": lambda ranks: all_gather(direct_gather(order_named("xor", range(ranks)))),
    "gather on a ring": lambda ranks: all_gather(gather_order_named("ring", ranks)),
    "gather by recursive doubling": lambda ranks: all_gather(gather_order_named("recursive_doubling", ranks)),
}


def text_of(schedule, **options):
    return "\n".join(document(schedule, Target(**options)))


def require_right(text, limits=None, **options):
    program = read(text, limits)
    outputs, taken = run(program, **options)
    require_result(program, outputs)
    return taken


def require_right_either_way(text):
    for policy in (SENDS_FIRST, COPIES_LAST):
        require_right(text, policy=policy)


def with_idle_phases(ranks, seed):
    """An exchange in more phases than necessary, in which some processes are idle: messages placed at random."""
    chosen = np.random.default_rng(seed)
    pairs = [(source, other) for source in range(ranks) for other in range(ranks) if source != other]
    phases = []
    for source, other in chosen.permutation(pairs).tolist():
        free = (each for each in phases if each[source] < 0 and other not in each)
        place = next(free, None)
        if place is None:
            phases.append(place := [-1] * ranks)
        place[source] = other
    return ExchangeOrder("at random", range(ranks), phases)


@for_each("ordered", [True, False])
@for_each("schedule", SCHEDULES.values())
def test_whatever_the_order_of_steps_that_may_be_taken(schedule, ordered):
    text = text_of(schedule(16), ordered=ordered)
    for seed in (None, *range(5)):
        require_right(text, seed=seed)


@given(st.integers(2, 9), st.integers(0, 1 << 32), st.booleans(), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_orders_with_idle_processes_share_thread_blocks_without_deadlock(ranks, seed, ordered, most):
    order = with_idle_phases(ranks, seed)
    for schedule in (all_to_all(order), all_gather(direct_gather(order))):
        text = text_of(schedule, ordered=ordered, max_blocks_per_channel=most)
        for each in (None, seed):
            require_right(text, {"channel": most}, seed=each)


def phases_of(schedule, text):
    """The phase of each send and receive, by rank, thread block and step; copies have none."""
    phase = {
        (source, other, offset): number
        for number, source, other, offset in zip(
            schedule.phase.tolist(),
            schedule.source.tolist(),
            schedule.destination.tolist(),
            schedule.destination_offset.tolist(),
            strict=True,
        )
    }
    found = {}
    for rank, blocks in enumerate(read(text).blocks):
        for number, block in enumerate(blocks):
            for position, step in enumerate(block.steps):
                ends = {"s": (rank, block.send), "r": (block.receive, rank)}.get(step.kind)
                if ends:
                    found[rank, number, position] = phase[(*ends, step.destination[1])]
    return found


def out_of_order(schedule, text, seed):
    """The ranks that begin a phase before one before it has ended."""
    phases, seen, found = phases_of(schedule, text), defaultdict(int), set()
    for rank, block, position in require_right(text, seed=seed):
        phase = phases.get((rank, block, position), seen[rank])
        if phase < seen[rank]:
            found.add(rank)
        seen[rank] = max(seen[rank], phase)
    return found


@for_each("name", ["shift", "xor", "idle", "gather by recursive doubling"])
def test_ranks_keep_the_order_of_phases_if_asked_and_only_then(name):
    schedule = all_to_all(with_idle_phases(16, 1)) if name == "idle" else SCHEDULES[name](16)
    ordered, free = (text_of(schedule, ordered=each) for each in (True, False))
    for seed in (None, *range(5)):
        assert not out_of_order(schedule, ordered, seed)
    if not name.startswith("gather"):  # whose messages wait for the chunks that they have
        assert any(out_of_order(schedule, free, seed) for seed in (None, *range(5)))


def test_a_searched_order_and_one_of_the_network_are_exported():
    for network, order, ranks in (
        (Network(Torus(shape=(3, 3))), "searched", 9),
        (Network(FullMesh()), "contention_free", 32),
    ):
        for collective in ("all_to_all", "all_gather"):
            options = {"collective": collective, "order": order, "evaluations": 500}
            (text,) = texts("msccl", exported(network, **options)).values()
            assert text.count("<gpu ") == ranks
            require_right(text)


def test_names_of_orders_that_would_need_escapes_are_changed():
    schedule = replace(SCHEDULES["shift"](4), name='a<"&\n\x00\u00e9b' + "c" * 100)
    text = text_of(schedule)
    require_right(text)
    assert ElementTree.fromstring(text).get("name") == ("a______b" + "c" * 100)[:63]


def test_messages_longer_than_a_step_are_split():
    schedule = SCHEDULES["gather by recursive doubling"](16)
    text = text_of(schedule, max_chunks=3)
    assert max(step.count for rank in read(text).blocks for block in rank for step in block.steps) == 3
    for seed in (None, 1, 2):
        require_right(text, {"count": 4}, seed=seed)


@for_each(
    ("name", "ranks", "options", "message"),
    [
        ("shift", 217, {}, "needs 217 thread blocks for each of 217 ranks; expected at most 216, msccl.max_blocks"),
        ("shift", 9, {"max_blocks": 8}, "needs 9 thread blocks for each of 9 ranks; expected at most 8, msccl.max_b"),
        ("shift", 131, {}, "needs to wait for thread block 128; expected at most 127, msccl.max_awaited_block"),
        ("gather on a ring", 130, {}, "needs 258 steps in a thread block of rank 0; expected at most 256, msccl.max_s"),
        ("shift", 34, {"max_channels": 1}, "needs 2 channels; expected at most 1, msccl.max_channels"),
    ],
)
def test_what_the_format_cannot_say_is_refused_with_the_number(name, ranks, options, message):
    def write(ranks):
        collective, order = ("all_gather", "ring") if name.startswith("gather") else ("all_to_all", name)
        limits = vars(Target(ordered=ranks < 200, **options))
        ring = Network(Torus(shape=(ranks,)))
        (text,) = texts("msccl", exported(ring, collective=collective, order=order, msccl=limits)).values()
        return text

    require_refusal(lambda: write(ranks), f"^format=msccl: {message}")
    if ranks < 200:
        require_right(write(ranks - 1))


def test_every_missing_wait_for_a_chunk_is_found():
    text = text_of(SCHEDULES["gather by recursive doubling"](8))
    count = sum(node.get("depid") != "-1" for node in ElementTree.fromstring(text).iter("step"))
    for number in range(count):
        algo = ElementTree.fromstring(text)
        steps = list(algo.iter("step"))
        waiting = [each for each, node in enumerate(steps) if node.get("depid") != "-1"][number]
        step, after = steps[waiting : waiting + 2]
        lost = step.get("type") != "nop"  # a nop must wait: it waits for what the next step waits for as well
        for key in ("depid", "deps"):
            step.set(key, "-1" if lost else after.get(key))
        with pytest.raises((WrongRunError, BadFileError), match="before it is written|nop that precedes"):
            require_right_either_way(ElementTree.tostring(algo, encoding="unicode"))


def test_the_runtimes_of_the_config_have_their_limits():
    default, executor = (
        Target(**composed_config("export", f"msccl={name}")["msccl"]) for name in ("msccl", "executor")
    )
    assert default == Target()
    assert executor == Target(max_steps=64, max_blocks=1024)
