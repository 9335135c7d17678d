"""Traces on the command line: written, read, evaluated, searched for and recorded."""

import json

RING = ("network=torus", "network.shape=[4]")
PIPELINE = ("workload=pipeline", "workload.processes=4", "workload.micro_batches=3", "workload.message_bytes=20000")


def completion(result):
    """Return the printed completion."""
    return next(line.split()[1] for line in result.out.splitlines() if line.startswith("completion_ns"))


def test_a_workload_takes_as_long_as_the_trace_that_is_written_of_it(isoplane):
    assert isoplane("export", *RING, *PIPELINE, "format=[tit,goal]", "hydra.run.dir=out").code == 0
    direct = isoplane("evaluate", *RING, *PIPELINE)
    trace = isoplane("evaluate", *RING, "workload=trace", "workload.file=out/tit/traces.txt", "workload.gflops=1")
    schedule = isoplane("evaluate", *RING, "workload=goal", "workload.file=out/goal/workload.goal")
    assert completion(direct) == completion(trace) == completion(schedule)


def test_a_record_holds_the_messages_of_a_trace_and_is_verified_without_it(isoplane, tmp_path):
    (tmp_path / "trace.txt").write_text(
        "".join(f"{i} send {i ^ 1} 0 9000\n{i} recv {i ^ 1} 0 9000\n" for i in range(4))
    )
    network = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "network.ports_per_node=1")
    words = ("workload=trace", "workload.file=trace.txt", "stop.evaluations=20", "hydra.run.dir=out")
    assert isoplane("search", *network, *words).code == 0
    (record,) = (tmp_path / "out" / "records").glob("*.json")
    assert json.loads(record.read_text())["workload"]["kind"] == "messages"
    (tmp_path / "trace.txt").unlink()
    assert isoplane("verify", f"record={record}").code == 0
