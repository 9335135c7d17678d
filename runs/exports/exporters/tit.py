"""The operations of a workload as time-independent traces, which SimGrid replays."""

from isoplane.runs.inputs.process_traces import trace_files
from isoplane.runs.inputs.process_traces.trace_writer import operations_of

from ..exporter import HOSTS, Exported, Exporter, Files, as_bytes


def files(exported: Exported) -> Files:
    """Yield a file with the names of the others, one for each process, and the hosts of processes that share them."""
    workload, hosts = exported.job("tit")
    for name, lines in trace_files(workload.processes, operations_of(workload)):
        yield name, [f"{line}\n".encode() for line in lines]
    if hosts:
        yield HOSTS, as_bytes(hosts)


EXPORTER = Exporter("operations of a workload as time-independent traces", "SimGrid", files)
