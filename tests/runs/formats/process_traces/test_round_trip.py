"""What is written as a trace is read back as the same messages."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.workloads import expert_parallel, pipeline, tree_all_reduce
from isoplane.models.workloads.npb import skeleton
from isoplane.models.workloads.programs import message_list_of
from isoplane.runs.inputs.process_traces import goal_lines, read_goal, read_trace, trace_files
from tests.cases import for_each
from tests.models.process_programs.test_dependencies import programs

SKELETONS = [("cg", 16), ("ft", 8), ("lu", 6)]


def written_trace(folder, processes, operations):
    """Write a trace into a folder, and return the file that lists its files."""
    for name, lines in trace_files(processes, operations):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder / "traces.txt"


def written_goal(folder, messages):
    """Write a schedule into a folder, and return its file."""
    (folder / "work.goal").write_text("".join(f"{line}\n" for line in goal_lines(messages)))
    return folder / "work.goal"


def times(messages):
    """Return when messages between processes are created if each takes a ps per byte, with their ends and lengths."""
    created, arrived, found = [], [], []
    for i in range(messages.messages):
        on = messages.dependency[messages.dependency_start[i] : messages.dependency_start[i + 1]].tolist()
        created.append(max([0, *(arrived[j] for j in on)]) + int(messages.delay_ps[i]))
        ends = int(messages.source[i]), int(messages.destination[i])
        arrived.append(created[i] + (ends[0] != ends[1]) * int(messages.length_bytes[i]))
        if ends[0] != ends[1]:
            found.append((*ends, int(messages.length_bytes[i]), created[i]))
    return sorted(found), max(arrived)


@settings(max_examples=150, deadline=None)
@given(programs(), st.sampled_from([0, 5, 100]))
def test_a_trace_of_any_program_has_its_messages_at_the_same_times(tmp_path_factory, program, eager_bytes):
    processes, operations, _ = program
    if (operations.source == operations.destination).all():
        return
    path = written_trace(tmp_path_factory.mktemp("trace"), processes, operations)
    again = read_trace(path, gflops=1, eager_bytes=eager_bytes).message_list()
    assert times(again) == times(message_list_of(processes, operations, eager_bytes))


@for_each("eager_bytes", [0, 1 << 20])
@for_each(("benchmark", "processes"), SKELETONS)
def test_a_schedule_of_a_skeleton_has_its_messages_at_the_same_times(tmp_path, benchmark, processes, eager_bytes):
    # No delays, since schedules count whole ns.
    messages = skeleton(benchmark, "S", processes, 1).message_list(eager_bytes)
    assert times(read_goal(written_goal(tmp_path, messages), eager_bytes).message_list()) == times(messages)


@for_each("work", [pipeline(4, 6, 1000, 3, 5), tree_all_reduce(7, 1000), expert_parallel(5, 10, 8)])
def test_a_schedule_of_a_workload_has_its_messages_at_the_same_times(tmp_path, work):
    again = read_goal(written_goal(tmp_path, work.message_list()), 0)
    assert times(again.message_list()) == times(work.message_list())
    assert (again.matrix() == work.matrix()).all()


@for_each("schedule", ["gpipe", "1f1b"])
def test_a_schedule_computes_each_pass_once(tmp_path, schedule):
    messages = pipeline(4, 5, 8, 3, 7, schedule).message_list()
    computed = [line.split()[-1] for line in goal_lines(messages) if "calc" in line]
    assert sum(map(int, computed)) == 4 * 5 * (3 + 7) * 1000


def test_delays_of_schedules_are_whole_ns(tmp_path):
    messages = pipeline(2, 1, 8, 0.0016, 0).message_list()  # 1.6 ns
    assert set(np.unique(read_goal(written_goal(tmp_path, messages)).message_list().delay_ps).tolist()) == {0, 2000}
