"""Hybrid networks in records: network, circuits, placement and workload as JSON holds them."""

from dataclasses import fields
from typing import Any

import numpy as np

from isoplane.models import Circuits, Design, HybridNetwork, InputError, Placement
from isoplane.models.workloads import Workload

from .surroundings import number

Json = dict[str, Any]

OWN_FIELD = "nodes_per_group"  # it has a place of its own in a record: nodes_per_switch
ARRAYS = ("phase", "source", "destination", "length_bytes")


def hybrid_content(design: Design) -> Json:
    """Return the fields of a record that say what a hybrid design is.

    Examples
    --------
    >>> content = hybrid_content(Design(HybridNetwork(2, 2), Circuits(((0, 3),)), Placement((0, 1, 2, 3))))
    >>> content["network"]["groups"], content["nodes_per_switch"], content["circuits"]
    (2, 2, [[0, 3]])
    """
    hybrid, (circuits, placement) = design.hybrid, design.assigned
    numbers = {
        field.name: number(f"network.{field.name}", getattr(hybrid, field.name))
        for field in fields(HybridNetwork)
        if field.name != OWN_FIELD
    }
    return {
        "network": {"family": "hybrid", **numbers},
        "nodes_per_switch": hybrid.nodes_per_group,
        "layout": None,
        "prices": None,
        "switch": None,
        "circuits": [list(pair) for pair in circuits.pairs],
        "placement": list(placement.nodes),
    }


def hybrid_design(record: Json) -> Design:
    """Rebuild the hybrid design of a record that keeps to the schema.

    Raises
    ------
    InputError
        If circuits are not in ascending order, or the models refuse a value.

    Examples
    --------
    >>> design = Design(HybridNetwork(2, 2), Circuits(((0, 3),)), Placement((0, 1, 2, 3)))
    >>> hybrid_design(hybrid_content(design)) == design
    True
    """
    numbers = {key: value for key, value in record["network"].items() if key != "family"}
    hybrid = HybridNetwork(nodes_per_group=record["nodes_per_switch"], **numbers)
    circuits = Circuits(tuple((a, b) for a, b in record["circuits"]))
    ascending = [list(pair) for pair in circuits.pairs]
    if record["circuits"] != ascending:
        raise InputError(f"circuits={record['circuits']}: allowed is the ascending list {ascending}")
    return Design(hybrid, circuits, Placement(tuple(record["placement"])))


def workload_json(workload: Workload) -> Json:
    """Return a workload as a record holds it: every message of an iteration, by columns.

    Examples
    --------
    >>> from isoplane.models.workloads import from_matrix
    >>> workload_json(from_matrix(np.array([[0, 5], [0, 0]])))["length_bytes"]
    [5]
    """
    columns = {name: getattr(workload, name).tolist() for name in ARRAYS}
    return {
        "name": workload.name,
        "processes": workload.processes,
        "iterations": workload.iterations,
        **columns,
    }


def workload_from(data: Json) -> Workload:
    """Rebuild a workload.

    Raises
    ------
    InputError
        If the columns do not fit together.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> workload_from(workload_json(stencil())) == stencil()
    True
    """
    phase, source, destination, length_bytes = (np.array(data[name], dtype=np.int64) for name in ARRAYS)
    return Workload(
        data["name"], data["processes"], phase, source, destination, length_bytes, iterations=data["iterations"]
    )


def require_fit(design: Design, workload: Workload) -> None:
    """Raise unless a workload has a process for each node of a design.

    Raises
    ------
    InputError
        If it has not.
    """
    if workload.processes != design.hybrid.nodes:
        raise InputError(
            f"workload.processes={workload.processes}: allowed is one for each of {design.hybrid.nodes} nodes"
        )
