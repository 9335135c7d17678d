"""The content of a record: the network and its site, and the two hashes that identify it.

What makes a network of it is imported where it is used: `best` has records for their values alone.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from isoplane import models
from isoplane.models import InputError

from ..inputs.named_families import family_of

if TYPE_CHECKING:
    from isoplane.models import Design, Network, Site

Record = dict[str, Any]
NAMES = "names"  # of devices, beside the content: they do not change what a design is
CONTENT = ("network", "nodes_per_switch", "layout", "prices", "switch", "circuits", "placement")


def design_content(design: Design) -> Record:
    """Return the fields of a record that define a design.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> design_content(Design(dual_cube(3, (3, 5, 7))))["network"]["planes"]
    [{'generators': [1, 2, 4]}, {'generators': [3, 5, 7]}]
    """
    circuits, placement = design.circuits, design.placement
    return {
        **design.network.family.write(),
        **_site_json(design.network),
        "circuits": None if circuits is None else [list(pair) for pair in circuits.pairs],
        "placement": None if placement is None else list(placement.nodes),
    }


def names_content(design: Design) -> Record:
    """Return the field of a record with the names of devices; none if the design has no names."""
    names = design.network.family.names
    return {} if names is None else {NAMES: names.write()}


def design_of_record(record: Record) -> Design:
    """Rebuild the design of a record that satisfies the schema.

    Raises
    ------
    InputError
        If the generators of a plane or the circuits are not ascending, or the models reject a value.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> design = Design(dual_cube(3, (3, 5, 7)))
    >>> design_of_record(design_content(design)) == design
    True
    """
    network = network_of(record)
    if record["circuits"] is None:
        return models.Design(network)
    circuits = models.Circuits(tuple((a, b) for a, b in record["circuits"]))
    ascending = [list(pair) for pair in circuits.pairs]
    if record["circuits"] != ascending:
        raise InputError(f"circuits={record['circuits']}: expected the ascending list {ascending}")
    return models.Design(network, circuits, models.Placement(tuple(record["placement"])))


def has_losses(record: Record, need: str = "losses") -> bool:
    """Whether a record states metrics after losses, or its objective or limits have one; or of ``racks`` alone."""
    from isoplane.objectives import METRIC_TABLE
    from isoplane.objectives.scoring.metric_scopes import needing

    words = " ".join([*record["metrics"], *record["score_names"], record["objective"]])
    names = {name for name, metric in METRIC_TABLE.items() if need in metric.needs} | needing(need, "switches")
    return not names.isdisjoint(re.findall(r"\w+", words))


def has_generators(record: Record) -> bool:
    """Whether the planes of a record are given by generators.

    Examples
    --------
    >>> has_generators({"network": {"family": "torus", "shape": [4, 4]}})
    False
    """
    planes = record["network"].get("planes")
    return isinstance(planes, list) and all(isinstance(plane, dict) and "generators" in plane for plane in planes)


def network_of(record: Record) -> Network:
    """Rebuild the network of a record that satisfies the schema; errors as in `design_of_record`."""
    keys = {**record["network"], "nodes_per_switch": record["nodes_per_switch"]}
    if NAMES in record:
        keys[NAMES] = record[NAMES]
    family = family_of(keys.pop("family")).read(keys)
    return models.Network(family, _site_of(record)) if family.uses_site else models.Network(family)


def with_ascending_generators(record: Record) -> Record:
    """Return a record whose generators, if any, are in the order that `network_of` requires."""
    if not has_generators(record):
        return record
    planes = [{"generators": sorted(plane["generators"])} for plane in record["network"]["planes"]]
    return {**record, "network": {**record["network"], "planes": planes}}


def _site_json(network: Network) -> Record:
    """Return layout, prices and switch; null where they do not apply."""
    from .site import layout_json, prices_json, switch_json

    if not network.family.uses_site:
        return {"layout": None, "prices": None, "switch": None}
    site = network.site
    return {
        "layout": None if site.layout is None else layout_json(site.layout),
        "prices": prices_json(site.prices),
        "switch": switch_json(site.switch),
    }


def _site_of(record: Record) -> Site:
    from .site import layout_from, prices_from, switch_from

    layout = None if record["layout"] is None else layout_from(record["layout"])
    return models.Site(layout, prices_from(record["prices"]), switch_from(record["switch"]))


def id_of(record: Record) -> str:
    """Return the content hash: SHA-256 of the compact UTF-8 JSON, with sorted keys, of the `CONTENT` fields.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> len(id_of(design_content(Design(dual_cube(3, (3, 5, 7))))))
    64
    """
    return _sha256({key: record[key] for key in CONTENT})


def class_id_of(network: Network) -> str | None:
    """Return a hash that is equal for isomorphic networks; None for families without a canonical form.

    SHA-256 of the compact JSON of the family's `class_key`: for cubes the list of the family, n, and the canonical form
    of each plane after plane 0.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> class_id_of(dual_cube(3, (3, 5, 7))) == class_id_of(dual_cube(3, (5, 6, 7)))
    True
    """
    key = network.family.class_key()
    return None if key is None else _sha256(key)


def _sha256(data: object) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    # JSON escapes can spell half of a surrogate pair, which UTF-8 has no bytes for.
    except UnicodeEncodeError as error:
        raise InputError(f"{text[error.start : error.end]!r}: expected text that UTF-8 can encode") from error
