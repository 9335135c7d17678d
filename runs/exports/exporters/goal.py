"""The messages of a workload as a schedule in GOAL, the language of LogGOPSim."""

from isoplane.runs.inputs.process_traces import goal_lines

from ..exporter import HOSTS, Exported, Exporter, Files, as_bytes


def files(exported: Exported) -> Files:
    """Yield the schedule, and the hosts of processes that share them.

    Raises
    ------
    InputError
        If there is no workload, or a message depends on one between other processes.
    """
    workload, hosts = exported.job("goal")
    yield "workload.goal", as_bytes(goal_lines(workload.message_list()))
    if len(set(hosts)) < len(hosts):
        yield HOSTS, as_bytes(hosts)


EXPORTER = Exporter("messages of a workload in GOAL, for LogGOPSim", None, files)
