"""The messages of a workload as a schedule in GOAL, the language of LogGOPSim."""

from isoplane.runs.inputs.process_traces import goal_lines

from ..exporter import Exported, Exporter, Files


def files(exported: Exported) -> Files:
    """Yield the schedule.

    Raises
    ------
    InputError
        If there is no workload, or a message depends on one between other processes.
    """
    lines = goal_lines(exported.workload("goal").message_list())
    yield "workload.goal", (f"{line}\n".encode() for line in lines)


EXPORTER = Exporter("messages of a workload in GOAL, for LogGOPSim", None, files)
