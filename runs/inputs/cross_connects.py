"""The cross-connects of an optical switch as comma-separated values."""

import csv
from collections import Counter
from io import StringIO
from pathlib import Path

from isoplane.models import Circuits, Design, InputError, OpticalSwitch
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically

CROSS_CONNECTS = "cross_connects.csv"
HEADER = "circuit,node_a,port_a,node_b,port_b,group_a,group_b"


def cross_connects(optical: OpticalSwitch, circuits: Circuits) -> str:
    """Return one line per circuit, with node and port of both ends.

    Circuits are in ascending order; ports of a node are assigned in that order, starting at 0.

    Examples
    --------
    >>> print(cross_connects(OpticalSwitch((0, 0, 1, 1)), Circuits(((1, 2),))), end="")
    circuit,node_a,port_a,node_b,port_b,group_a,group_b
    0,1,0,2,0,0,1
    """
    used: Counter[int] = Counter()
    lines = [HEADER]
    for number, (a, b) in enumerate(circuits.pairs):
        lines.append(f"{number},{a},{used[a]},{b},{used[b]},{optical.group[a]},{optical.group[b]}")
        used.update((a, b))
    return "".join(f"{line}\n" for line in lines)


def write_cross_connects(folder: Path, design: Design) -> None:
    """Write the cross-connects of a design with circuits into a folder; other designs have none."""
    for optical, circuits in design.optical_switches:
        write_atomically(folder / CROSS_CONNECTS, cross_connects(optical, circuits))


def read_cross_connects(path: Path) -> Circuits:
    """Return the circuits of a file of cross-connects, or of any CSV file with columns ``node_a`` and ``node_b``."""
    try:
        lines = csv.DictReader(StringIO(read_input(path).decode("utf-8"), newline=""))
        if not {"node_a", "node_b"} <= set(lines.fieldnames or ()):
            raise InputError(f"network.circuits={path}: no header; expected columns node_a and node_b")
        return Circuits(tuple((int(line["node_a"]), int(line["node_b"])) for line in lines))
    except OSError as error:
        raise InputError(f"network.circuits={path}: {error.strerror}; expected a file of cross-connects") from error
    except InputError:
        raise
    except (TypeError, ValueError, csv.Error) as error:
        raise InputError(
            f"network.circuits={path}: no two nodes in a line ({error}); expected columns node_a and node_b"
        ) from error
