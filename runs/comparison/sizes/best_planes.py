"""The best known second planes of dual-plane cubes."""

from functools import cache

from isoplane.models import Cube
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.records import best_folder, network_of, read_record

OBJECTIVE = "aspl_and_traffic"


@cache
def best_known_plane(family: str, n: int) -> Cube | None:
    """Return plane 1 of the best known dual-plane cube by ASPL times load; None if there is no record.

    Examples
    --------
    >>> best_known_plane("hypercube", 3).connections.generators
    (3, 5, 7)
    """
    with best_folder() as folder:
        found = sorted(folder.glob(f"{family}-n{n}-{OBJECTIVE}-*.json"))
        return cubes_of(network_of(read_record(found[0]))).planes[1] if found else None
