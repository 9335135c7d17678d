"""`isoplane check-cables`: the cables of a fabric against those of a design."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, shown
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.models.files.output_file import write_atomically
from isoplane.models.steps import step
from isoplane.runs.cable_check.check import IDENTIFY, check_cables
from isoplane.runs.cable_check.comparison import PORTS
from isoplane.runs.cable_check.fabric_file import fabric_in
from isoplane.runs.cable_check.output import csv_of, json_text, names_csv, refused_names
from isoplane.runs.cable_check.sentences import terminal_lines
from isoplane.runs.config.config_values import Config, choice_of, given_words, path_of, paths_of, plain
from isoplane.runs.config.designs import network_of_config
from isoplane.runs.exports.kept_ports import built_design, require_unnamed_nodes, rewired
from isoplane.runs.inputs.name_file import read_names
from isoplane.runs.records import network_of, read_record
from isoplane.runs.terminal import codes

FORMATS = {".csv": csv_of, ".json": json_text}


def run(config: DictConfig) -> int:
    """Print every difference between the cables of a fabric and those of a design, and the moves that mend it."""
    data = Config(plain(config))
    save, names_file = _new_file("save", data["save"], FORMATS), _new_file("save_names", data["save_names"], (".csv",))
    if save is not None and names_file is not None and save.resolve() == names_file.resolve():
        raise InputError(f"save_names={names_file}: is the file of save={save}; expected another one")
    paths = paths_of("found", data["found"])
    identify, ports = choice_of("identify", data["identify"], IDENTIFY), choice_of("ports", data["ports"], PORTS)
    if identify == "cables" and data["names"] is not None:
        raise InputError(f"names={data['names']}: has no effect with identify=cables; expected identify=auto or names")
    names = {} if data["names"] is None else read_names("names", path_of("names", data["names"]))
    every = _network(data)
    network = _as_built(data, every, ports)
    sources, racks = [str(path) for path in paths], _racks(data["racks"])
    data.require_effects(given_words())
    with step("reading"):
        fabrics = [fabric_in("found", path) for path in paths]
    with step("comparing cables"):
        check = check_cables(network, sources, fabrics, names, identify, ports, racks)
    if data["rewired_from"] is None and network.nodes < every.nodes and check.at_other_switches:
        check = replace(check, notes=(*check.notes, _note_of_places(check.at_other_switches, network.nodes)))
    if save is not None:
        write_atomically(save, FORMATS[save.suffix](check))
    if names_file is not None:
        write_atomically(names_file, names_csv(check))
        for line in refused_names(check):
            print(f"save_names={names_file}: {line}")
    print("\n".join(terminal_lines(check, ", ".join(map(str, paths)), None if save is None else str(save))))
    return codes.DONE if check.agrees else codes.VERIFICATION_FAILED


def _network(data: Mapping[str, Any]) -> Network:
    """Return the network of the record `design`, or of the config."""
    if data["design"] is None:
        return network_of_config(data)
    return network_of(read_record(path_of("design", data["design"]), option="design"))


def _note_of_places(cables: int, nodes: int) -> str:
    are = "cable of a node is at a switch" if cables == 1 else "cables of nodes are at switches"
    return (
        f"{cables} {are} with fewer nodes by nodes={nodes}, which spreads them evenly: if so on purpose, import this "
        "fabric with the names of save_names= and give its record as rewired_from=, which leaves nodes where they are"
    )


def _as_built(data: Mapping[str, Any], network: Network, ports: str) -> Network:
    """Return the network with the nodes that are bought, at the ports of the fabric whose cables were moved, if any.

    Devices have the names of that fabric.
    """
    given = data["rewired_from"]
    nodes = network.nodes if data["nodes"] is None else check_int("nodes", data["nodes"], 1, network.nodes)
    require_unnamed_nodes(network, nodes)
    if given is not None:
        built = built_design(given, data["nodes"]).network
        if ports == "ignore" and built.names is None:
            raise InputError(
                f"rewired_from={given}: has no names of devices, and no other effect with ports=ignore; "
                "allowed with ports=exact"
            )
        network = rewired(network, built, nodes)
    return spread_nodes(network, nodes)


def _racks(given: Any) -> list[str] | None:
    """Return the names of racks."""
    names = [given] if isinstance(given, str) else given
    is_list = isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)
    if names is not None and not is_list:
        raise InputError(f"racks={shown(given)}: expected a list of racks, such as [R1-1,R1-2]")
    return names


def _new_file(option: str, given: Any, suffixes: Collection[str]) -> Path | None:
    """Return the file to write."""
    if given is None:
        return None
    path = path_of(option, given)
    if path.suffix not in suffixes:
        raise InputError(f"{option}={path}: expected a file that ends in {' or '.join(suffixes)}")
    if path.exists():
        raise InputError(f"{option}={path}: exists; expected a new file")
    return path
