"""Writes logs of jobs in the Standard Workload Format."""

from collections.abc import Iterator

from isoplane.models.arrays import rows_of

from .job_log import JobLog


def swf_lines(log: JobLog) -> Iterator[str]:
    """Yield the lines of a log, each with its line break: the header, then a job each with 18 fields.

    Fields that a `JobLog` does not have are -1, unknown.

    Examples
    --------
    >>> import numpy as np
    >>> five = [np.array(values) for values in ([60], [7200], [9], [16], [1])]
    >>> print(*swf_lines(JobLog("one job", *five, {"MaxProcs": "16"})), sep="", end="")
    ; MaxProcs: 16
    1 60 -1 7200 9 -1 -1 16 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
    """
    for key, value in log.header.items():
        yield f"; {key}: {value}\n"
    jobs = rows_of(log.submit_s, log.run_s, log.allocated, log.requested, log.status)
    for number, (submit_s, run_s, allocated, requested, status) in enumerate(jobs, 1):
        yield f"{number} {submit_s} -1 {run_s} {allocated} -1 -1 {requested} -1 -1 {status} -1 -1 -1 -1 -1 -1 -1\n"
