"""From a composed config to a network, and to a design of it."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from isoplane.models import Design, Family, Network, Site
from isoplane.models.cabling.assumed_lengths import assumed_length_key
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.family import plane_count
from isoplane.models.workloads import MappedWorkload, Workload
from isoplane.runs.inputs.named_families import TARGET, family_of
from isoplane.runs.records import (
    Record,
    design_content,
    design_of_record,
    layout_from,
    prices_from,
    read_record,
    switch_from,
    workload_from,
)

from .assignments import PARTS, assigned_design, order_of, workload_of
from .config_values import IN_PLACE, SPRAY, Config, group, path_of, plain, values_of
from .placements import on_nodes

SITE = ("layout", "prices", "switch")
# Options whose values are read only with a workload.
OF_WORKLOADS = ("placement", "placement_seed", "placement_evaluations", "messages_start", "sharing")
LINK_RATE = "switch.link_gbps"  # for the times of a workload; simulated hardware has its own link rate
GRAPH_KEYS = ("file", "edges")  # not repeated in provenance: the record itself has edges or planes


def site_of(config: Mapping[str, Any], family: Family | None = None) -> Site:
    """Return layout, price list and switch model, for a family if it is known.

    Without a layout, cost and delay are not known, so prices and switch model are kept but have no effect. Where
    cables have an assumed length, it only makes cost and delay known; where all lengths are stated, it has the racks.
    """
    use = plain if config.get("layout") is None else values_of
    prices, switch = prices_from(use(group(config, "prices"))), switch_from(use(group(config, "switch")))
    if config.get("layout") is None:
        return Site(None, prices, switch)
    layout = group(config, "layout")
    key = None if family is None else assumed_length_key(family)
    if key is None:
        return Site(layout_from(values_of(layout)), prices, switch)
    if isinstance(config, Config):
        config.note_lack("layout", f"{key}=null with it, because cables have an assumed length otherwise")
    return Site(layout_from(plain(layout)), prices, switch)


@dataclass(frozen=True, eq=False)
class Loaded:
    """The design that a verb works on, read once.

    Parameters
    ----------
    design
        The design.
    record
        The record that it comes from; None for that of a config or program.
    is_configured
        Whether its site is that of the config.
    """

    design: Design
    record: Record | None = None
    is_configured: bool = False

    def workload(self, config: Mapping[str, Any]) -> Workload | None:
        """Return the workload for which it is evaluated: that of its record, else that of the config; None without.

        Its processes are on the nodes that the config names.
        """
        network, workload = self.design.network, self._recorded_workload
        if workload is None and config.get("workload") is not None:
            workload = workload_of(config, network)
            if self.is_configured and network.family.uses_site:
                values_of(group(config, "switch"))  # the times of messages follow from its latency and rate
        return None if workload is None else on_nodes(workload, config, network)

    def exchange_order(self, config: Mapping[str, Any], workload: Workload | None) -> ExchangeOrder | None:
        """Return the order of the workload of a config, if it is an all-to-all exchange over routes alone.

        Parameters
        ----------
        config
            The composed config.
        workload
            Its workload, whose processes may have separate nodes.
        """
        given = None if self._recorded_workload is not None else config.get("workload")
        if workload is None or not isinstance(given, Mapping) or given.get("order") is None:
            return None  # also of a workload made in Python, which has no options
        if given.get("processes_per_node", 1) > 1:
            return None
        order = order_of(given["order"], given["processes"], self.design.network)
        return replace(order, nodes=np.array(workload.nodes)) if isinstance(workload, MappedWorkload) else order

    def described_keys(self) -> tuple[str, ...]:
        """Return the groups of a config, beside ``network``, that describe it."""
        return SITE if self.design.network.family.uses_site else ()

    @property
    def _recorded_workload(self) -> Workload | None:
        given = None if self.record is None else self.record.get("workload")
        return None if given is None else workload_from(given)


class _WithCircuits(Loaded):
    """A design with circuits, which are for a workload, and with a placement of its own."""

    def workload(self, config: Mapping[str, Any]) -> Workload | None:
        return workload_of(config) if self.record is None else self._recorded_workload

    def exchange_order(self, config: Mapping[str, Any], workload: Workload | None) -> ExchangeOrder | None:
        return None

    def described_keys(self) -> tuple[str, ...]:
        return ("workload", *super().described_keys())


LOADED: Mapping[str, type[Loaded]] = {"circuits": _WithCircuits}  # by kind of design, where it is more than a network


def network_of_config(config: Mapping[str, Any]) -> Network:
    """Return the network of the given program, or else that of the config."""
    if config.get("program") is not None:
        from ..inputs.program_files import network_in  # only programs need the simulator

        return network_in(path_of("program", config["program"]))
    keys = group(config, "network")
    kind = family_of(keys.get("family"))
    family = kind.read(values_of(keys, (TARGET, *PARTS.keys() & {*kind.design_keys})))
    if not family.uses_site:
        return Network(family)
    return Network(family, site_of(config, family))


def loaded(config: Mapping[str, Any]) -> Loaded:
    """Return the design of the given record or program, or else that of the config, with what is known of it."""
    if config.get("record") is not None:
        path = path_of("record", config["record"])
        record = read_record(path)
        design = design_of_record(record)
        if isinstance(config, Config):
            _note_lack_of_network(config, path, design.network.family)
            for name in SITE:
                config.note_lack(name, f"a record made with it, by search or evaluate: {path} has its own {name}")
            if "workload" in record:
                config.note_lack("workload", f"a record of a search without a workload: {path} has its own")
            else:
                _note_lack_of_workload(config)
        return loaded_design(design, record)
    if isinstance(config, Config):
        _note_lack_of_workload(config)
    design = assigned_design(network_of_config(config), config)
    return loaded_design(design, is_configured=config.get("program") is None)


def _note_lack_of_network(config: Config, path: Path, family: Family) -> None:
    expected = IN_PLACE.format(record=f"record={path}")
    config.note_lack("network", expected)
    if plane_count(family) > 1 and family.optical is None:
        words = [f"existing={path}", f"nodes={family.nodes}", f"ports={family.ports}", "failures=none", SPRAY]
        config.note_lack("network.policy", f"{expected}; under spray: {shlex.join(['isoplane', 'compare', *words])}")


def _note_lack_of_workload(config: Config) -> None:
    for name in OF_WORKLOADS if plain(config).get("workload") is None else ():
        config.note_lack(name, "workload=NAME with it, as there are no processes without a workload")


def loaded_design(design: Design, record: Record | None = None, *, is_configured: bool = False) -> Loaded:
    """Return a design with what is known of it, such as the record that it comes from."""
    return LOADED.get(design.network.family.kind, Loaded)(design, record, is_configured)


def described_config(config: Mapping[str, Any], design: Design) -> dict[str, Any]:
    """Return the part of a config that describes a design: its network, and its workload or its site.

    For a program it is the same as for the config of the same network.
    """
    config = plain(config)
    if config.get("program") is not None:
        content = design_content(design)
        network = {key: value for key, value in content["network"].items() if key not in GRAPH_KEYS}
        network["nodes_per_switch"] = content["nodes_per_switch"]
        return {"network": network, **{name: content[name] for name in SITE}}
    network = {key: value for key, value in group(config, "network").items() if key not in (TARGET, *GRAPH_KEYS)}
    return {"network": network, **{name: config[name] for name in loaded_design(design).described_keys()}}


def warm_start_of(config: Mapping[str, Any]) -> Design | None:
    """Return the design of the record to start from, if there is one."""
    path = config.get("warm_start")
    return None if path is None else design_of_record(read_record(path_of("warm_start", path), option="warm_start"))
