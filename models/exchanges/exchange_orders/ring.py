"""The ring order, as MPI libraries call it: the shift order, since processes on a ring send one step further each time.

References
----------
Faraj and Yuan, Automatic Generation and Tuning of MPI Collective Communication Routines, 2005. SMPI of SimGrid,
selector ``alltoall:ring``.
"""

from .shift import destinations

__all__ = ["destinations"]
