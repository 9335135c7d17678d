"""The jobs of a machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from isoplane.models.arrays import Bools, Floats, Ints

UNKNOWN = -1
PARTS = (2, 3, 4)  # states of lines about a part of a job, between being swapped in and out
CANCELLED = 5
MODEL = "synthetic"  # how the computer of a log is named if a model has made it


@dataclass(frozen=True, eq=False)
class JobLog:
    """The jobs of a machine, in the order of its log.

    Attributes
    ----------
    name
        The name of the log.
    submit_s
        Times at which jobs are submitted, in seconds after the start of the log.
    run_s
        Times for which they run, in seconds.
    allocated, requested
        Processors that they get, and that they ask for.
    status
        1 completed, 0 failed, 5 cancelled; 2 to 4 for lines about a part of a job, which another line sums up.
    header
        Comments ``; Key: value`` at the start of the log; of a key given twice, the first.
    node_processors
        Processors of a node; None if they are not known or differ.

    Notes
    -----
    All arrays are int64[jobs], with -1 where a value is not known.

    References
    ----------
    Chapin et al., Benchmarks and Standards for the Evaluation of Parallel Job Schedulers, 1999; the format is defined
    in the Parallel Workloads Archive.
    """

    name: str
    submit_s: Ints
    run_s: Ints
    allocated: Ints
    requested: Ints
    status: Ints
    header: Mapping[str, str] = field(default_factory=dict)
    node_processors: int | None = None

    @property
    def processors(self) -> Ints:
        """Processors of each job: those that it got or, where these are not known, asked for; 0 if neither is."""
        sizes = np.where(self.allocated > 0, self.allocated, self.requested)
        return np.maximum(sizes, 0)

    @property
    def ran(self) -> Bools:
        """Whether a line is about a whole job that ran on a known number of processors.

        Jobs that were cancelled before they ran send no packets.
        """
        never_ran = (self.status == CANCELLED) & (self.run_s <= 0)
        ran: Bools = (self.processors > 0) & ~np.isin(self.status, PARTS) & ~never_ran
        return ran

    @property
    def is_model(self) -> bool:
        """Whether a model made this log, not a machine."""
        return self.header.get("Computer", "").startswith(MODEL)

    def sizes(self, *, in_nodes: bool) -> tuple[Ints, Floats]:
        """Return the sizes of the jobs that ran, and how long each occupies that many.

        Parameters
        ----------
        in_nodes
            Count nodes, which `node_processors` must state: a job on p processors has ceil(p / processors of a node).

        Returns
        -------
        sizes
            Processors or nodes of each job.
        hours
            Processor-hours or node-hours: size times run time; 0 where the run time is not known.

        Examples
        --------
        >>> five = [np.array(values) for values in ([0], [7200], [9], [9], [1])]
        >>> sizes, hours = JobLog("one job", *five, node_processors=8).sizes(in_nodes=True)
        >>> sizes.tolist(), hours.tolist()
        ([2], [4.0])
        """
        sizes = self.processors[self.ran]
        if in_nodes:
            assert self.node_processors is not None
            sizes = -(-sizes // self.node_processors)
        return sizes, sizes * np.maximum(self.run_s[self.ran], 0) / 3600
