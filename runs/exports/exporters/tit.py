"""The operations of a workload as time-independent traces, which SimGrid replays."""

from isoplane.runs.inputs.process_traces import trace_files
from isoplane.runs.inputs.process_traces.trace_writer import operations_of

from ..exporter import Exported, Exporter, Files


def files(exported: Exported) -> Files:
    """Yield a file with the names of the others, and one for each process."""
    workload = exported.workload("tit")
    for name, lines in trace_files(workload.processes, operations_of(workload)):
        yield name, [f"{line}\n".encode() for line in lines]


EXPORTER = Exporter("operations of a workload as time-independent traces", "SimGrid", files)
