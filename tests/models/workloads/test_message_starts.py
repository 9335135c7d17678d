"""Messages that begin with their senders, or with their receivers, too."""

import numpy as np

from isoplane.models.workloads import MappedWorkload, PhasedWorkload, TraceWorkload, npb, stencil
from isoplane.models.workloads.message_starts import messages_begun_by
from tests.cases import for_each, require_refusal
from tests.models.process_programs.interpreter import arrivals

LATENCY_PS = 7
# 0 sends to 1, 1 to 2, 2 to 3, and 0 to 2, which posts that receive once the message of 1 has arrived.
CHAIN = PhasedWorkload("chain", 4, np.arange(4), *map(np.array, ([0, 1, 2, 0], [1, 2, 3, 2], [8] * 4)))


def begins(workload, start):
    messages = messages_begun_by(workload, start)
    begun, _ = arrivals(messages, lambda message: LATENCY_PS * ~messages.local[message])
    return [begin for begin, local in zip(begun, messages.local, strict=True) if not local]


TRACE = TraceWorkload("trace", CHAIN.message_list(), lambda: messages_begun_by(CHAIN, "both"))


@for_each("workload", [CHAIN, CHAIN.scaled(4), TRACE.scaled(4), MappedWorkload(CHAIN, (4, 0, 3, 1), 5)])
def test_a_message_awaits_the_receive_that_its_receiver_posts_later(workload):
    steps = [sorted(begin // LATENCY_PS for begin in begins(workload, start)) for start in ("sender", "both")]
    assert steps == [[0, 1, 1, 2], [0, 1, 2, 2]]
    both = messages_begun_by(workload, "both")
    assert set(both.source.tolist()) == set(workload.message_list().source.tolist())
    assert both.length_bytes.sum() == workload.message_list().length_bytes.sum()


def test_without_other_waits_both_rules_are_the_same():
    work = stencil((4, 4), 1000, iterations=3)
    assert sorted(begins(work, "both")) == sorted(begins(work, "sender"))


@for_each(
    ("call", "message"),
    [
        (lambda: messages_begun_by(CHAIN, "neither"), "messages_start=neither: expected sender, both"),
        (
            lambda: messages_begun_by(TraceWorkload("a", npb("cg", "S", 4).message_list()), "both"),
            "workload=a: messages",
        ),
    ],
)
def test_unknown_rules_and_orders_are_refused(call, message):
    require_refusal(call, message)
