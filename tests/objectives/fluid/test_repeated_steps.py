"""Completion of programs that repeat their steps: the same as that of all steps, or within a stated interval."""

from statistics import mean

import numpy as np
import pytest

from isoplane.models import Network
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import ProgramWorkload, npb
from isoplane.models.workloads.programs import COMPUTE, SEND, WAIT, Operations, Program
from isoplane.objectives.fluid import NetworkFluidModel, plane_runs_ns, step_runs

from .sample_networks import random_network

DEFAULT = ("sender", "equal")


def workload_of(program, eager_bytes=0):
    # Equal workloads have equal parameters.
    return ProgramWorkload("test", program, (("kind", "test"), ("number", id(program))), eager_bytes)


def random_program(seed, processes, steps):
    """Return a program whose processes compute for different times, and exchange messages of different lengths."""
    random = np.random.default_rng(seed)
    program = Program(processes)
    program.collective("bcast", 100)
    with program.repeated(steps):
        for _ in range(int(random.integers(1, 4))):
            program.wavefront(random.permutation(processes), [], [], [], int(random.integers(0, 3_000_000)))
            order = random.permutation(processes)
            lengths = random.integers(1, 20_000, processes)
            program.exchange(order, np.roll(order, 1), lengths, blocking=bool(random.integers(2)))
        if random.integers(3) == 0:
            program.collective("allreduce", int(random.integers(1, 100)))
    program.exchange([0, 1], [1, 0], 1000)
    return program


def whole_runs(network, workload, rules=DEFAULT):
    """Return the completion of all steps, with the jitter of repeated ones."""
    listed = workload.step_list(workload.steps, rules[0])
    return NetworkFluidModel(network, listed.messages, sharing=rules[1], jitter=listed.place).runs_ns


@pytest.mark.parametrize(
    ("seed", "rules"),
    [
        *((seed, DEFAULT) for seed in (0, 4, 11, 21, 35, 37, 44, 51)),
        *((seed, ("both", "cm02")) for seed in (1, 2, 9)),
    ],
)
def test_steps_that_recur_take_as_long_as_all_of_them(seed, rules):
    network = random_network(seed)
    steps = int(np.random.default_rng(seed).integers(30, 60))
    work = workload_of(random_program(seed, network.nodes, steps), eager_bytes=(0, 1 << 20)[seed % 2])
    runs = step_runs(network, work, rules=rules)
    assert set(runs.methods) == {"periodic"}
    assert max(runs.steps) < steps / 2
    assert list(runs.runs_ns) == whole_runs(network, work, rules)
    # Without jitter nothing depends on the numbers of messages.
    assert runs.runs_ns[0] == plane_runs_ns(network, work, *rules)[0]


def test_a_state_of_two_steps_recurs():
    """Two processes answer each other after 1 and 3 ms: the gaps between steps alternate, with a period of 2."""
    program = Program(2)
    program.add(Operations(*np.zeros((3, 0), dtype=np.int64), *np.array([[0], [COMPUTE], [10**9]])))
    with program.repeated(31):
        program.add(
            Operations(
                *np.array([[0, 1], [1, 0], [8, 8]]),
                process=np.array([0, 1, 0, 1, 0, 1]),
                kind=np.array([SEND, SEND, WAIT, WAIT, COMPUTE, COMPUTE]),
                value=np.array([0, 1, 1, 0, 10**9, 3 * 10**9]),
            )
        )
    work, network = workload_of(program, eager_bytes=8), Network(Torus(shape=(2,), node_cable_m=2.0))
    runs = step_runs(network, work)
    assert set(runs.methods) == {"periodic"}
    assert list(runs.runs_ns) == whole_runs(network, work)


def test_runs_whose_steps_recur_keep_their_times_where_others_are_simulated_whole():
    network = random_network(45)
    work = workload_of(random_program(45, network.nodes, 200), eager_bytes=1 << 20)
    runs = step_runs(network, work)
    assert set(runs.methods) == {"periodic", "whole"}
    assert list(runs.runs_ns) == whole_runs(network, work)


def test_a_process_that_never_waits_is_simulated_whole():
    """Its messages of all steps begin at once, so that fewer steps are another program from the start on."""
    program = Program(2)
    with program.repeated(24):
        program.exchange([0], [1], 1000)
    work = workload_of(program, eager_bytes=1000)
    runs = step_runs(Network(Torus(shape=(2,), node_cable_m=2.0)), work)
    assert set(runs.methods) == {"whole"}
    assert runs.text == "whole (24 steps)"


def test_processes_of_different_paces_are_simulated_whole():
    """Two pairs exchange messages, every 1 and 2 µs: the mean of their steps is not that of the last arrival."""
    program = Program(4)
    with program.repeated(100):
        for processes, delay_ps in (([0, 1], 10**6), ([2, 3], 2 * 10**6)):
            none = np.zeros((3, 0), dtype=np.int64)
            program.add(Operations(*none, *np.array([processes, [COMPUTE] * 2, [delay_ps] * 2])))
        program.exchange([0, 1, 2, 3], [1, 0, 3, 2], 1000)
    work = workload_of(program)
    assert not work.step_list(9).has_one_pace
    network = Network(Torus(shape=(4,), node_cable_m=2.0))
    runs = step_runs(network, work)
    assert set(runs.methods) == {"whole"}
    assert list(runs.runs_ns) == plane_runs_ns(network, work)


def test_a_loop_that_only_computes_is_not_the_main_one():
    program = Program(2)
    program.exchange([0], [1], 1000)
    with program.repeated(100):
        program.compute(1000)
    assert program.steps == 1
    assert step_runs(Network(Torus(shape=(2,), node_cable_m=2.0)), workload_of(program)).text == "whole (1 step)"


def test_means_of_chaotic_steps_are_within_their_interval():
    """Processes of BT that do not wait for what they send run out of step, more from step to step."""
    network = Network(Torus(shape=(4, 4), node_cable_m=2.0))
    work = npb("bt", "W", 16, gflops=5)
    runs, whole = step_runs(network, work), NetworkFluidModel(network, work.message_list()).runs_ns
    assert runs.methods.count("batch means") >= 5
    assert max(runs.half_widths) <= 0.002
    assert abs(mean(runs.runs_ns) / mean(whole) - 1) <= 0.002
    assert runs.runs_ns[0] == whole[0]


def test_a_message_has_the_same_place_in_every_step():
    listed = random_program(3, 5, 12).step_list(12)
    messages, settled = listed.messages, range(2, 11)
    of_steps = {step: np.flatnonzero(listed.step == step) for step in settled}
    for numbers in of_steps.values():
        order, first = (of[np.argsort(listed.place[of])] for of in (numbers, of_steps[2]))
        assert len(set(listed.place[numbers].tolist())) == len(numbers)
        for column in (listed.place, messages.source, messages.destination, messages.length_bytes, messages.delay_ps):
            assert column[order].tolist() == column[first].tolist()
        for message, other in zip(order, first, strict=True):
            assert dependencies(listed, message) == dependencies(listed, other)


def dependencies(listed, message):
    """Return the places of the messages that one waits for, with the numbers of steps between them."""
    start = listed.messages.dependency_start
    awaited = listed.messages.dependency[start[message] : start[message + 1]]
    return sorted(
        zip((listed.step[awaited] - listed.step[message]).tolist(), listed.place[awaited].tolist(), strict=True)
    )
