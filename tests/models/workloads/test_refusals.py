"""What is no workload: one line that names the key, the value and what is allowed."""

from dataclasses import replace

import numpy as np

from isoplane.models import MessageList
from isoplane.models.exchanges.all_gather import GatherOrder, direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.exchanges.gather_orders import gather_order_named
from isoplane.models.installed.entry_points import WORKLOAD_POINTS
from isoplane.models.workloads import (
    PhasedWorkload,
    all_to_all,
    doubling_all_gather,
    expert_parallel,
    from_matrix,
    installed_workloads,
    pipeline,
    recursive_doubling,
    ring_all_gather,
    sparse,
    stencil,
    tree_all_reduce,
)
from isoplane.models.workloads.npb import skeleton
from isoplane.models.workloads.programs import SEND, WAIT, Operations, Program, message_list_of
from isoplane.models.workloads.programs.operations import computing, exchange, joined
from tests.cases import for_each, require_refusal
from tests.tools import install_package

GENERATED = [
    (lambda: from_matrix(np.zeros((2, 2))), "no traffic between processes"),
    (lambda: from_matrix(np.array([[0, -1], [0, 0]])), "matrix=-1 from process 0 to 1: expected an integer"),
    (lambda: from_matrix(np.array([[0, 1 << 31], [0, 0]])), "0 to 1: expected an integer from 0 to 1073741824"),
    (lambda: from_matrix(np.array([[0, 0.5], [0, 0]])), "workload.matrix=0.5 from process 0 to 1"),
    (lambda: from_matrix(np.array([["a", "b"], ["c", "d"]])), "entries of type <U1"),
    (lambda: from_matrix(np.zeros((2, 3))), "of shape (2, 3)"),
    (lambda: stencil((8, 1)), "workload.shape=1: expected an integer from 2"),
    (lambda: stencil((1 << 11, 1 << 10)), "2097152 positions; expected at most 1048576"),
    (lambda: all_to_all(64, iterations=65536).message_list(), "264241152 messages; expected at most 33554432"),
    (lambda: stencil((2, 2), 0), "workload.message_bytes=0"),
    (lambda: sparse(4, 4), "workload.partners=4"),
    (lambda: recursive_doubling(6), "workload.processes=6"),
    (lambda: phased([0], [0], [0], [1]), "process 0 sends to itself"),
    (lambda: phased([0], [0], [2], [1]), "workload.destination=2"),
    (lambda: phased([0], [0], [1], [1, 2]), "workload.length_bytes"),
    (lambda: replace(all_to_all(3), synchronised="yes"), "workload.synchronised=yes: expected true or false"),
    (lambda: doubling_all_gather(6), "workload.processes=6: expected a power of two for doubling all gather"),
    (lambda: ring_all_gather(4, 0), "workload.vector_bytes=0"),
    (lambda: tree_all_reduce(4, trees=3), "workload.trees=3: expected an integer from 1 to 2"),
    (lambda: tree_all_reduce(4, chunks=0), "workload.chunks=0"),
    (lambda: tree_all_reduce(4096, chunks=4096), "workload: 67092480 messages; expected at most 33554432"),
    (lambda: pipeline(4096, 65536), "workload: 536739840 messages; expected at most 33554432"),
    (lambda: expert_parallel(4, choices=17), "workload.choices=17: expected an integer from 1 to 16"),
    (lambda: expert_parallel(4, skew=-1), "workload.skew=-1"),
    (lambda: pipeline(4, schedule="2f"), "workload.schedule='2f': expected gpipe, 1f1b"),
    (lambda: pipeline(4, forward_us=-1), "workload.forward_us=-1"),
]
BENCHMARKS = [
    (lambda: skeleton("xy", "A", 4), "workload.benchmark='xy': expected bt, cg, dt, ep, ft, is, lu, mg, sp"),
    (lambda: skeleton("cg", "E", 4), "workload.problem_class='E': expected S, W, A, B, C, D"),
    (lambda: skeleton("cg", "A", 6), "workload.processes=6: expected for cg of class A 2, 4, 8, 16"),
    (lambda: skeleton("bt", "S", 25), "workload.processes=25: expected for bt of class S 4, 9, 16"),
    (lambda: skeleton("ep", "S", 257), "workload.processes=257: expected for ep of class S 2 to 256"),
    (lambda: skeleton("is", "S", 256), "processes=256: expected for is of class S 2, 4, 8, 16, 32, 64, 128"),
    (lambda: skeleton("is", "D", 2), "workload.processes=2: expected for is of class D 4, 8"),
    (lambda: skeleton("lu", "S", 10), "processes=10: expected for lu of class S 2, 4, 6, 8, 9, 12, 16"),
    (lambda: skeleton("cg", "A", 4.0), "workload.processes=4.0: expected for cg of class A 2, 4, 8"),
    (lambda: skeleton("cg", "A", 4, 0), "workload.iterations=0"),
    (lambda: skeleton("ep", "A", 4, 2), "workload.iterations=2: expected 1"),
    (lambda: skeleton("cg", "A", 4, 1, -1), "workload.gflops=-1"),
    (lambda: skeleton("cg", "A", 4, 1, "1e-300"), "gflops=1e-300: computing for more than 1000000 s at once; expected"),
    (lambda: skeleton("dt", "A", 21), "workload.graph=None: expected BH, WH, SH"),
    (lambda: skeleton("dt", "A", 20, None, 0, "BH"), "processes=20: expected for dt of class A 21 to 1024"),
    (lambda: skeleton("ep", "S", 4, operations_per_count="x"), "per_count='x': expected a number above 0, code, or"),
    (lambda: skeleton("ep", "S", 4, operations_per_count={"ep": 0}), "per_count=0: expected a number above 0"),
    (lambda: skeleton("ep", "S", 4, operations_per_count={"cg": 0}), "per_count=0: expected a number above 0"),
    (lambda: skeleton("ep", "S", 4, operations_per_count={"pe": 1}), "per_count={pe: ...}: expected bt, cg"),
    (lambda: skeleton("dt", "A", 21, None, 0, "BH", 2), "per_count=2: expected 1, since dt computes nothing"),
    (lambda: skeleton("dt", "A", 21, None, 1, "BH"), "workload.gflops=1: expected 0"),
    (lambda: skeleton("cg", "A", 4, None, 0, "BH"), "workload.graph='BH': allowed with workload.benchmark=dt"),
]
EXCHANGES = [
    (lambda: ExchangeOrder("x", [0, 0], [[1, 0]]), "nodes repeated"),
    (lambda: ExchangeOrder("x", [0], [[0]]), "order: processes=1"),
    (lambda: ExchangeOrder("x", [0, 1], [[1, 0, 2]]), "destinations of 3 processes; expected 2"),
    (lambda: ExchangeOrder("x", [0, 1], [[1, 2]]), "destination 2; expected -1 to 1"),
    (lambda: ExchangeOrder("x", [0, 1], [[1, 1]]), "process 1 receives twice in phase 0"),
    (lambda: ExchangeOrder("x", [0, 1], [[1, 0], [1, -1]]), "2 messages from process 0 to 1; expected 1"),
    (lambda: ExchangeOrder("x", [0, 1], [[1, -1]]), "0 messages from process 1 to 0; expected 1"),
    (lambda: ExchangeOrder("x", [0, 1], [[0, -1], [1, 0]]), "1 messages from process 0 to 0; expected 0"),
    (lambda: ExchangeOrder("x", [0, 1], [[1.0, 0.0]]), "expected 2-D integers"),
    (lambda: order_named("xor", range(6)), "expected a power of two"),
    (lambda: gather(phase=[0, 0, 0, 2, 1, 1]), "phases out of order; expected ascending ones"),
    (lambda: gather(source=[0, 1, 2, 0, 1, 3]), "order: source=3: expected an integer from 0 to 2"),
    (lambda: gather(chunks=[1, 1, 1, 1, 1, 2]), ", which it has; expected each chunk once"),
    (lambda: gather(chunks=[1, 1, 2, 1, 1, 1]), "order: last chunk=3: expected an integer from 0 to 2"),
    (lambda: gather(first=[0, 1, 2, 1, 0, 1]), "process 0 sends chunk 1 before it has it; expected chunks of earlier"),
    (lambda: gather(first=[0, 1, 2, 0, 0, 1]), "process 1 receives chunk 0, which it has; expected each chunk once"),
    (lambda: gather(destination=[1, 1, 0, 1, 2, 0]), "process 1 receives twice in phase 0; expected at most one"),
    (lambda: gather(source=[1, 1, 2, 0, 1, 2]), "process 1 sends twice in phase 0; expected at most one message"),
    (lambda: gather(chunks=[1] * 5), "columns of different lengths, or no messages; expected a value for each"),
    (lambda: GatherOrder("x", 3, *(column[:3] for column in ring())), "process 0 ends without chunk 1; expected all"),
    (lambda: gather_order_named("tree", 4), "order='tree': expected recursive_doubling, ring"),
    (lambda: gather_order_named("recursive_doubling", 6), "6 processes; expected a power of two"),
    (lambda: gather_order_named("ring", 1), "order: processes=1: expected an integer from 2 to 1024"),
    (lambda: direct_gather(ExchangeOrder("job", [1, 2], [[1, 0]])), "a job on some of the nodes; expected proc"),
]
MESSAGES = [
    (lambda: message_list(nodes=1), "nodes=1: expected an integer from 2 to"),
    (lambda: message_list(source=[0, 1]), "messages: destination of shape (3,); expected (2,)"),
    (lambda: message_list(dependency_start=[0, 0, 2]), "messages: dependency_start of shape (3,); expected (4,)"),
    (lambda: message_list(dependency_start=[0, 1, 0, 2]), "dependency_start; expected ascending integers from 0 to 2"),
    (lambda: message_list(source=[0, 1, 3]), "source=3; expected 0 to 2"),
    (lambda: message_list(source=[0, 1, 1 << 32]), "source=4294967296; expected 0 to 2"),
    (lambda: message_list(destination=[1, 2, -1]), "destination=-1; expected 0 to 2"),
    (
        lambda: message_list(destination=[0, 2, 0], length_bytes=[0, 0, 8]),
        "1: length_bytes=0; expected 1 to 1073741824",
    ),
    (lambda: message_list(length_bytes=[8, -1, 8]), "length_bytes=-1; expected 0 to 1073741824"),
    (lambda: message_list(delay_ps=[0, 0, -1]), "delay_ps=-1; expected 0 to"),
    (lambda: message_list(dependency=[0, 3]), "dependency=3; expected 0 to 2"),
    (lambda: message_list(dependency=[2, 1]), "message 1 after 2 after 1; expected no cycle"),
    (lambda: message_list(**NO_MESSAGES), "messages: none; expected at least one"),
    (lambda: message_list_of(2, WAITING), "expected no cycle"),
    (lambda: repeated(1 << 26).message_list(), "67108864 messages; expected at most 33554432"),
    # A message is sent and awaited at both ends, and two processes compute three times: 9 · 2^24.
    (lambda: repeated(1 << 24, 3).message_list(), "150994944 operations that send, wait or compute; expected at most"),
    (lambda: repeated(9, 3).step_list(1 << 24), "150994944 operations that send, wait or compute; expected at most"),
    # 1.9 · 10^19 modulo 2^64 would be a valid delay
    (
        lambda: message_list_of(2, joined([*[computing(2, 10**18)] * 19, exchange([0], [1], 8)])),
        "a process computes for 1.9e+07 s; expected at most 4611686",
    ),
]
CHAIN = {
    "source": [0, 1, 2],
    "destination": [1, 2, 0],
    "length_bytes": [8, 8, 1 << 30],
    "delay_ps": [0, 10**18, 5],
    "dependency": [0, 1],
}
NO_MESSAGES = {"dependency_start": [0], **{key: [] for key in CHAIN}}
KINDS = [WAIT, SEND, WAIT, SEND]
WAITING = Operations(*map(np.array, ([0, 1], [1, 0], [8, 8], [0, 0, 1, 1], KINDS, [1, 0, 0, 1])))


def phased(*columns):
    return PhasedWorkload("w", 2, *map(np.array, columns))


def ring():
    """The columns of an all-gather on a ring of three."""
    order = gather_order_named("ring", 3)
    return [getattr(order, name) for name in ("phase", "source", "destination", "first", "chunks")]


def gather(**changes):
    names = ("phase", "source", "destination", "first", "chunks")
    return GatherOrder("x", 3, *(np.array(changes.get(name, own)) for name, own in zip(names, ring(), strict=True)))


def message_list(nodes=3, dependency_start=(0, 0, 1, 2), **changes):
    fields = CHAIN | changes | {"dependency_start": dependency_start}
    return MessageList(nodes=nodes, **{name: np.array(value) for name, value in fields.items()})


def repeated(times, computing_times=0):
    program = Program(2)
    with program.repeated(times):
        program.exchange([0], [1], 8)
        for _ in range(computing_times):
            program.compute(1)
    return program


@for_each(("make", "says"), GENERATED + BENCHMARKS + EXCHANGES + MESSAGES)
def test_what_is_no_workload_is_named(make, says):
    require_refusal(make, says)


def typed(processes: int = 9, shares: tuple[float, ...] = (1.0,), other=None):
    """A workload of a package, which returns none."""


def test_a_parameter_of_a_package_has_the_type_that_is_stated(tmp_path, monkeypatch):
    install_package(tmp_path, monkeypatch, WORKLOAD_POINTS, own=f"{__name__}:typed")
    own = installed_workloads()["own"]
    require_refusal(lambda: own(processes="abc"), "^workload.processes='abc': expected a whole number$")
    require_refusal(
        lambda: own(shares=[1, "b"]), "^workload.shares=[1, 'b']: expected a list, of which each is a number$"
    )
    require_refusal(lambda: own(processes=4, shares=[1], other="any"), "^workload=own: returned NoneType; expected")
