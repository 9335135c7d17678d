"""The plane choice of cubes as a rule: the routing value of an offset in each plane, and its weight."""

import json

import numpy as np

from isoplane.models import InputError
from isoplane.models.cubes.cube import Cube
from isoplane.models.family_kinds.cube import cubes_of_record

from ..exporter import Exported, Exporter, Files, as_bytes

RULE = [
    "switch(node) = node // nodes_per_switch, in every plane",
    "x = switch(source) XOR switch(destination)",
    "plane p: bit k of the routing value r_p is the parity of (rows[k] AND x); w is the number of its set bits",
    "distance d_p = w, in a folded cube the lesser of w and n + 1 - w",
    "policy nearest: the planes with the least d_p, in turn or in equal parts, and so spill while no queue is long; "
    "spray and adaptive: all planes; a list: all planes in proportion to its numbers",
    "route in plane p: the links of the set bits of r_p, ascending; in a folded cube with w > (n + 1) / 2 link n, "
    "then the links of the other bits; link k is port k + 1 of every switch",
]


def files(exported: Exported) -> Files:
    """Yield the rule."""
    _require_ports_of_rule(exported)
    written, policy = exported.network.family.write(), exported.network.policy
    network = written["network"]
    content = {
        "nodes": exported.network.nodes,
        "nodes_per_switch": written["nodes_per_switch"],
        "policy": policy if isinstance(policy, str) else list(policy),
        "n": network["n"],
        "folded": network["folded"],
        "planes": [{"links": list(cube.links), "rows": _rows(cube)} for cube in cubes_of_record(network)],
        "rule": RULE,
    }
    yield "rule.json", as_bytes([json.dumps(content, indent=1)])


def _require_ports_of_rule(exported: Exported) -> None:
    """Raise an `InputError` if cables keep ports of a built design at which the rule does not find its links."""
    for number, (own, wired) in enumerate(zip(exported.network.cabling, exported.wired.cabling, strict=True)):
        if not np.array_equal(own.topology.peer, wired.topology.peer):
            raise InputError(
                f"format=plane_rule: cables of plane {number} keep their ports of the built design of rewired_from, "
                "where link k is not at port k + 1 of every switch; expected format=plane_table or source_routes"
            )


def _rows(cube: Cube) -> list[int]:
    """Return, for each bit of a routing value, the bits of the offset whose parity it is."""
    of_bit = [int(cube.connections.routing_values()[1 << j]) for j in range(cube.n)]
    return [sum((value >> k & 1) << j for j, value in enumerate(of_bit)) for k in range(cube.n)]


EXPORTER = Exporter("plane choice of cubes as a rule", None, files, kinds=("cubes",))
