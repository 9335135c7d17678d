"""Traces and schedules: what their formats mean, what is damaged, and what is written is read back."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.workloads import expert_parallel, pipeline, tree_all_reduce
from isoplane.models.workloads.message_starts import messages_begun_by
from isoplane.models.workloads.npb import skeleton
from isoplane.models.workloads.programs import message_list_of
from isoplane.runs.inputs.process_traces import goal_lines, read_goal, read_trace, trace_files
from tests.cases import for_each, require_refusal
from tests.models.process_programs.interpreter import arrivals
from tests.models.process_programs.test_program import programs


def trace(folder, text):
    """Write a trace of all processes, and return its file."""
    (folder / "trace.txt").write_text(text)
    return folder / "trace.txt"


@for_each(
    ("text", "message"),
    [
        ("0 send 1 0 8\n1 recv 0 0 8\n0 jump 3", "trace.txt, line 3: action jump; expected compute, sleep, send"),
        ("0 send 1 0\n1 recv 0 0 8", "line 1: send with 2 arguments; expected 3 to 4"),
        ("0 send 1 0 8x\n1 recv 0 0 8", "line 1: count 8x; expected a whole number from 0"),
        ("0 send 7 0 8\n1 recv 0 0 8", "line 1: process 7; expected a whole number from 0 to 1"),
        ("0 send 1 0 8 99\n1 recv 0 0 8", "line 1: data type 99; expected a number from 0 to 10"),
        ("0 send 1 0 8\n0 send 1 0 8\n1 recv 0 0 8", "line 2: 2 sends from 0 to 1 with tag 0, and 1 receives"),
        ("0 send 1 0 8\n1 recv 0 0 4", "line 2: 4 bytes received; expected 8, as sent"),
        ("0 isend 1 0 8\n1 recv 0 0 8\n0 wait 0 1 5", "line 3: wait 0 1 5; expected an isend or irecv"),
        ("0 bcast 8\n1 bcast 9", "line 2: bcast of 9 bytes from 0; expected bcast of 8 bytes from 0, as of process 0"),
        ("0 bcast 8\n1 compute 1", "0 collective operations of process 1; expected 1, as of process 0"),
        ("0 gather 8\n1 gather 8", "line 1: gather with 1 arguments; expected 2 to 5"),
        ("0 alltoallv 8 0 8 8 0\n1 alltoallv 8 8 0 8", "line 1: alltoallv with 5 arguments; expected 6 to 8"),
        ("0 alltoallv 8 0 8 8 0 8\n1 alltoallv 8 8 0 8 7 0", "line 2: alltoallv with 7 bytes received from process"),
        ("0 reducescatter 1 2 0\n1 reducescatter 2 1 0", "line 2: reducescatter of [2, 1] bytes; expected"),
        ("0 gatherv 1 1 2 0\n1 gatherv 3 0 0 0", "line 1: gatherv with 2 bytes received from process 1; expected 3,"),
        ("0 scatterv 1 2 1 0\n1 scatterv 0 0 3 0", "line 2: scatterv with 3 bytes received from process 0; expected 2"),
        ("0 scatterv 1 2 1 0\n1 scatterv 1 2 2 1", "line 2: scatterv with root 1; expected scatterv with root 0, as"),
        ("0 allgatherv 1 1 2\n1 allgatherv 2 1 3", "line 2: allgatherv of [1, 3] bytes; expected"),
        ("0 allgatherv 1 1 2\n1 allgatherv 3 1 2", "line 1: allgatherv with 2 bytes received from process 1;"),
        ("0 init\n0 finalize", "1 processes; expected actions of at least two"),
        ("0 compute 1\n1 compute 1", "no messages between processes; expected at least one"),
        ("0 recv 1 0 8\n0 send 1 0 8\n1 recv 0 0 8\n1 send 0 0 8", "line 1: process 0 waits forever for process 1;"),
        (
            "2 recv 1 0 8\n0 bcast 4 1\n1 recv 2 1 8\n1 bcast 4 1\n2 bcast 4 1\n1 send 2 0 8\n2 send 1 1 8",
            "line 3: process 1 waits forever for process 2; expected no cycle",
        ),
        ("0 compute 1/0\n1 recv 0 0 4", "line 1: compute 1/0; expected a number from 0 to 1e+15"),
        ("9" * 5000 + " compute 1", f"line 1: process {'9' * 40}; expected a whole number from 0 to"),
        ("0 sleep 1e7\n1 recv 0 0 4", "line 1: sleep 1e7; expected a time of at most 1000000 s"),
        ("0 send 1 0 1e9 1\n1 recv 0 0 -1", "line 1: 4000000000 bytes; expected at most 1073741824"),
        ("0 bcast 2e9\n1 bcast 2e9", "line 1: 2000000000 bytes; expected at most 1073741824"),
        ("0 send 3 0 8\n3 recv 0 0 8", "no actions of process 1; expected some of each from 0 to 3"),
    ],
)
def test_a_damaged_trace_is_rejected_with_its_line(tmp_path, text, message):
    require_refusal(lambda: read_trace(trace(tmp_path, text)), message)


def test_a_list_of_files_is_read_and_a_missing_one_named(tmp_path):
    (tmp_path / "list.txt").write_text("a.txt\nb.txt\n")
    (tmp_path / "a.txt").write_text("0 send 1 0 1e3\n")
    require_refusal(lambda: read_trace(tmp_path / "list.txt"), "b.txt: No such file or directory; expected a file")
    (tmp_path / "b.txt").write_text("# the other one\n1 recv 0 0 -1\n")
    assert read_trace(tmp_path / "list.txt").length_bytes.tolist() == [1000]
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    require_refusal(lambda: read_trace(tmp_path / "list.txt"), "not text")


@for_each(("datatype", "size"), [("0", 800), ("1", 400), ("3", 200), ("6", 100), ("", 100)])
def test_counts_are_of_elements_of_a_type_or_of_doubles_if_init_says_so(tmp_path, datatype, size):
    work = read_trace(trace(tmp_path, f"0 send 1 0 100 {datatype}\n1 recv 0 0 100 {datatype}"))
    assert work.length_bytes.tolist() == [size]
    actions = ["{0} init 1", "{0} allgather 2 2", "{0} barrier", "{0} alltoall 3 3 1 1", "{0} finalize"]
    work = read_trace(trace(tmp_path, "\n".join(line.format(process) for line in actions for process in (0, 1))))
    assert sorted(work.length_bytes.tolist()) == [1, 1, 12, 12, 16, 16]


@for_each("action", ["bcast 0", "allreduce 0 0", "alltoall 0 0\n{0} barrier", "allgather 0 0"])
def test_collectives_of_no_bytes_are_read(tmp_path, action):
    actions = [f"{process} {action.format(process)}" for process in range(4)]
    assert (read_trace(trace(tmp_path, "\n".join(actions))).length_bytes == 1).all()


def test_computing_takes_time_at_a_rate_and_sleeping_at_any(tmp_path):
    path = trace(tmp_path, "0 compute 5000\n0 sleep 0.000001\n0 send 1 0 8\n1 recv 0 0 8")
    for gflops, delay in ((0, 1_000_000), (2, 3_500_000)):
        assert read_trace(path, gflops).message_list().delay_ps.tolist() == [delay]


def test_waitall_waits_for_all_that_is_pending(tmp_path):
    text = "0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitall\n0 send 1 1 8\n1 send 0 0 8\n2 send 0 0 8\n1 recv 0 1 8"
    messages = read_trace(trace(tmp_path, text)).message_list()
    (reply,) = np.flatnonzero(messages.source == 0)
    assert np.diff(messages.dependency_start)[reply] == 2


def test_each_process_gathers_and_scatters_its_own_part(tmp_path):
    for name, types in (("gather", "1 3"), ("scatter", "3 1")):
        actions = [f"{process} {name} 5 5 2 {types}" for process in range(7)]
        work = read_trace(trace(tmp_path, "\n".join(actions)))
        net = work.matrix().sum(axis=0) - work.matrix().sum(axis=1)
        gathered = [-20] * 2 + [120] + [-20] * 4
        assert net.tolist() == (gathered if name == "gather" else [-one for one in gathered])
        assert work.messages == 6


def test_a_poll_takes_no_time_and_does_not_end_a_request(tmp_path):
    polled = "0 irecv 1 0 1e6\n0 test 1 0 0\n0 wait 1 0 0\n0 send 1 1 8\n1 isend 0 0 1e6\n1 wait 1 0 0\n1 recv 0 1 8"
    lists = [
        read_trace(trace(tmp_path, text)).message_list() for text in (polled, polled.replace("0 test 1 0 0\n", ""))
    ]
    for column in ("source", "length_bytes", "delay_ps", "dependency_start", "dependency"):
        assert getattr(lists[0], column).tolist() == getattr(lists[1], column).tolist()


@for_each("root", [0, 2, 4])
def test_parts_of_different_lengths_are_gathered_and_scattered(tmp_path, root):
    parts, others = [8 * (process + 1) for process in range(5)], [p for p in range(5) if p != root]
    counts, unknown = "1 2 3 4 5", "0 0 0 0 0"
    for name in ("gatherv", "scatterv"):
        rows = [counts if p == root else unknown for p in range(5)]
        words = [f"{p + 1} {rows[p]}" if name == "gatherv" else f"{rows[p]} {p + 1}" for p in range(5)]
        actions = [f"{process} {name} {words[process]} {root} 0 0" for process in range(5)]
        matrix = read_trace(trace(tmp_path, "\n".join(actions))).matrix()
        towards = matrix if name == "gatherv" else matrix.T
        assert towards[others, root].tolist() == [parts[process] for process in others]
        assert matrix.sum() == sum(parts) - parts[root]


def test_all_processes_gather_parts_of_different_lengths(tmp_path):
    work = read_trace(trace(tmp_path, "0 allgatherv 10 10 20 0 0\n1 allgatherv 20 10 20 0 0"))
    assert work.matrix().tolist() == [[0, 80], [160, 0]]


@for_each("processes", [3, 4])
def test_exchanges_with_a_length_for_each_process_are_read(tmp_path, processes):
    matrix = np.arange(1, processes**2 + 1).reshape(processes, processes)
    rows = [[" ".join(map(str, one)) for one in counts] for counts in (matrix.tolist(), matrix.T.tolist())]
    actions = [f"{p} alltoallv 99 {rows[0][p]} 99 {rows[1][p]} 1 1" for p in range(processes)]
    expected = 4 * (matrix - np.diag(np.diag(matrix)))
    assert (read_trace(trace(tmp_path, "\n".join(actions))).matrix() == expected).all()
    actions = [f"{p} reducescatter {rows[0][0]} 1e6 1" for p in range(processes)]
    received = read_trace(trace(tmp_path, "\n".join(actions))).matrix().sum(axis=0)
    assert received.tolist() == [4 * (processes - 1) * part for part in range(1, processes + 1)]


@for_each(
    ("text", "message"),
    [
        ("rank 0 {", "line 1: rank 0 {; expected num_ranks and their number"),
        ("num_ranks 1", "line 1: num_ranks 1; expected a whole number from 2"),
        ("num_ranks 2\nl0: send 8b to 1", "line 2: l0: send 8b to 1; expected rank RANK {"),
        ("num_ranks 2\nrank 0 {\nl0: send 8b to 1", "ends early; expected ranks"),
        ("num_ranks 2\nrank 2 {\n}", "line 2: rank 2; expected a whole number from 0 to 1"),
        ("num_ranks 2\nrank 0 {\nl0: push 8b to 1\n}", "line 3: l0: push 8b to 1; expected label: send SIZEb"),
        ("num_ranks 2\nrank 0 {\nl0: send 8b from 1\n}", "line 3: l0: send 8b from 1; expected label: send SIZEb to"),
        ("num_ranks 2\nrank 0 {\nl0: send 2000000000b to 1\n}", "line 3: size 2000000000; expected a whole number"),
        ("num_ranks 2\nrank 0 {\nl0: calc 1000000000000000\n}\nrank 0 {\n}", "line 5: rank 0 twice; expected each"),
        (f"num_ranks 2\nrank 0 {{\nl0: send 8b to 1 tag {'9' * 5000}\n}}", "line 3: tag 9999"),
        ("num_ranks 2\nrank 0 {\nl0: send 8b to 1\n}", "line 3: 1 sends from 0 to 1 with tag 0, and 0 receives"),
        ("num_ranks 2\nrank 0 {\nl0: calc 1\nl0: calc 1\n}", "line 4: label l0 twice"),
        ("num_ranks 2\nrank 0 {\nl0: calc 1\nl0 requires l9\n}", "line 4: label l9; expected that of an operation"),
        (
            "num_ranks 2\nrank 0 {\nl0: calc 1\nl1: calc 1\nl0 requires l1\nl1 requires l0\n}",
            "line 3: operations require each other in a cycle; expected no cycle",
        ),
        (
            "// of two\nnum_ranks 2\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 1\ns requires r\nt: calc 5\n"
            "t requires s\n}\nrank 1 {\nr: recv 8b from 0\ns: send 8b to 0\ns requires r\n}",
            "line 5: operations require each other in a cycle; expected no cycle",
        ),
        ("num_ranks 2\nrank 0 {\nl0: send 8b to 1\n}\nrank 1 {\nl0: recv 4b from 0\n}", "line 6: 4 bytes received;"),
    ],
)
def test_a_damaged_schedule_is_rejected_with_its_line(tmp_path, text, message):
    (tmp_path / "work.goal").write_text(text)
    require_refusal(lambda: read_goal(tmp_path / "work.goal"), message)


def test_irequires_waits_for_the_beginning_and_requires_for_the_end(tmp_path):
    text = (
        "num_ranks 2\nrank 0 {{\na: calc 100\nb: calc 50\nc: send 8b to 1 tag 4 cpu 1\n"
        "b requires a\nc {} b\n}}\nrank 1 {{\nr: recv 8b from 0 tag 4 // comment\n}}\n"
    )
    found = {}
    for word in ("requires", "irequires"):
        (tmp_path / "work.goal").write_text(text.format(word))
        messages = read_goal(tmp_path / "work.goal").message_list()
        found[word] = arrivals(messages)[1][int(np.flatnonzero(~messages.local)[0])]
    assert found == {"requires": 150_000, "irequires": 100_000}


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
    lengths = np.where(messages.local, 0, messages.length_bytes).tolist()
    created, arrived = arrivals(messages, lengths.__getitem__)
    rows = zip(messages.source.tolist(), messages.destination.tolist(), lengths, created, strict=True)
    return sorted(row for row in rows if row[0] != row[1]), max(arrived)


@settings(max_examples=150, deadline=None)
@given(programs(), st.sampled_from([0, 5, 100]))
def test_a_trace_of_any_program_has_its_messages_at_the_same_times(tmp_path_factory, program, eager_bytes):
    processes, operations, _ = program
    if (operations.source == operations.destination).all():
        return
    path = written_trace(tmp_path_factory.mktemp("trace"), processes, operations)
    again = read_trace(path, gflops=1, eager_bytes=eager_bytes)
    assert times(again.message_list()) == times(message_list_of(processes, operations, eager_bytes))
    try:
        expected = times(message_list_of(processes, operations, eager_bytes, "both"))
    except InputError:  # two processes each await the other's receive
        require_refusal(lambda: messages_begun_by(again, "both"), "expected no cycle")
        return
    assert times(messages_begun_by(again, "both")) == expected


@for_each(
    ("actions", "begins_ps"),
    [
        # 0 computes for 4 ps, and 1 for 1 ps before it sends.
        ("0 compute 4\n0 recv 1 0 10\n1 compute 1\n1 send 0 0 10", 4),
        ("0 irecv 1 0 10\n0 compute 4\n0 wait 1 0 0\n1 compute 1\n1 send 0 0 10", 1),
        ("0 compute 3\n0 irecv 1 0 10\n0 compute 1\n0 wait 1 0 0\n1 compute 1\n1 send 0 0 10", 3),
        # The receive is posted once 0 has received the first message, of 7 bytes and so of 7 ps.
        ("0 recv 1 1 7\n0 recv 1 0 10\n1 isend 0 1 7\n1 isend 0 0 10\n1 waitall", 7),
        ("0 irecv 1 0 10\n0 recv 1 1 7\n0 wait 1 0 0\n1 isend 0 1 7\n1 isend 0 0 10\n1 waitall", 0),
    ],
)
def test_a_message_awaits_the_action_that_posts_its_receive(tmp_path, actions, begins_ps):
    messages = messages_begun_by(read_trace(trace(tmp_path, actions), gflops="1000"), "both")
    created = [row[3] for row in times(messages)[0] if row[2] == 10]
    assert created == [begins_ps]


def test_a_message_of_a_schedule_awaits_what_its_receive_requires(tmp_path):
    text = (
        "num_ranks 2\nrank 0 {\na: calc 5\nb: send 8b to 1\nb requires a\n}\n"
        "rank 1 {\na: calc 9\nb: recv 8b from 0\nb requires a\n}\n"
    )
    (tmp_path / "work.goal").write_text(text)
    work = read_goal(tmp_path / "work.goal")
    begins = [times(messages_begun_by(work, start))[0][0][3] for start in ("sender", "both")]
    assert begins == [5000, 9000]


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
