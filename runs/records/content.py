"""The content of a record: the network with all that surrounds it, and the two hashes that identify it."""

import hashlib
import json
from typing import Any

from isoplane.models import ConnectionSet, Cube, Design, InputError, Network, canonical_form

from .hybrid import hybrid_content, hybrid_design
from .surroundings import layout_from, layout_json, prices_from, prices_json, switch_from, switch_json

Record = dict[str, Any]
CONTENT = ("network", "nodes_per_switch", "layout", "prices", "switch", "circuits", "placement")


def design_content(design: Design) -> Record:
    """Return the fields of a record that say what a design is, whatever its family; errors as for `content_of`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> design_content(Design(dual_cube(3, (3, 5, 7))))["network"]["family"]
    'hypercube'
    """
    return content_of(design.network) if isinstance(design.network, Network) else hybrid_content(design)


def design_of_record(record: Record) -> Design:
    """Rebuild the design of a record that keeps to the schema, whatever its family.

    Raises
    ------
    InputError
        If the generators of a plane or the circuits are not ascending, or the models refuse a value.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> design = Design(dual_cube(3, (3, 5, 7)))
    >>> design_of_record(design_content(design)) == design
    True
    """
    return hybrid_design(record) if is_hybrid(record) else Design(network_of(record))


def is_hybrid(record: Record) -> bool:
    """Whether a record is of a hybrid network.

    Examples
    --------
    >>> is_hybrid({"network": {"family": "hypercube"}})
    False
    """
    return bool(record["network"]["family"] == "hybrid")


def content_of(network: Network) -> Record:
    """Return the fields of a record that say what the design is; the models come back by `network_of`.

    Raises
    ------
    InputError
        If nodes have several ports in a plane: records hold designs, and Port-Aggregate is a baseline.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> content_of(dual_cube(3, (3, 5, 7)))["network"]["planes"]
    [{'generators': [1, 2, 4]}, {'generators': [3, 5, 7]}]
    """
    if network.ports_per_node != 1:
        raise InputError(f"network.ports_per_node={network.ports_per_node}: allowed in a record is 1")
    return {
        "network": {
            "family": network.family,
            "n": network.n,
            "folded": network.folded,
            "planes": [{"generators": list(plane.connections.generators)} for plane in network.planes],
        },
        "nodes_per_switch": network.nodes_per_switch,
        "layout": None if network.layout is None else layout_json(network.layout),
        "prices": prices_json(network.prices),
        "switch": switch_json(network.switch),
        "circuits": None,
        "placement": None,
    }


def network_of(record: Record) -> Network:
    """Rebuild the network of a record that keeps to the schema.

    Raises
    ------
    InputError
        If it is no network of cubes, the generators of a plane are not ascending, or the models refuse a value.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(3, (3, 5, 7))
    >>> network_of(content_of(network)) == network
    True
    """
    if is_hybrid(record):
        raise InputError("network.family=hybrid: allowed here are cubes, hypercube or folded_hypercube")
    for index, plane in enumerate(record["network"]["planes"]):
        ascending = sorted(plane["generators"])
        if plane["generators"] != ascending:
            raise InputError(
                f"network.planes[{index}].generators={plane['generators']}: allowed is the ascending list {ascending}"
            )
    return build(record)


def build(record: Record) -> Network:
    """Rebuild the network of a record, whatever the order of its generators."""
    network, layout = record["network"], record["layout"]
    planes = (ConnectionSet(network["n"], tuple(plane["generators"])) for plane in network["planes"])
    return Network(
        tuple(Cube(connections, network["folded"]) for connections in planes),
        nodes_per_switch=record["nodes_per_switch"],
        layout=None if layout is None else layout_from(layout),
        prices=prices_from(record["prices"]),
        switch=switch_from(record["switch"]),
    )


def id_of(record: Record) -> str:
    """Return the content hash: SHA-256 of the compact UTF-8 JSON, with sorted keys, of the `CONTENT` fields.

    Raises
    ------
    InputError
        If a text in it cannot be encoded.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> len(id_of(content_of(dual_cube(3, (3, 5, 7)))))
    64
    """
    return _sha256({key: record[key] for key in CONTENT})


def class_id_of(network: Network) -> str:
    """Return the hash of the family and the canonical form: the same for isomorphic connection sets.

    SHA-256 of the compact JSON list of the family, n, and the canonical form of each plane after plane 0.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> class_id_of(dual_cube(3, (3, 5, 7))) == class_id_of(dual_cube(3, (5, 6, 7)))
    True
    """
    others = [canonical_form(plane.connections, network.folded) for plane in network.planes[1:]]
    return _sha256([network.family, network.n, others])


def _sha256(data: object) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError as error:
        raise InputError(f"{text[error.start : error.end]!r}: allowed is text that UTF-8 can encode") from error
