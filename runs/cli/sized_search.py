"""`isoplane search nodes=1000 ports=36`: every size of the families that can be searched, one run after another."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from yaml import safe_load

from isoplane.models import InputError, family_named, family_names
from isoplane.models.checks import check_int
from isoplane.models.families.host_graph import MAX_PLANES, HostGraph
from isoplane.models.family_kinds.host_sizes import least_switches
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.comparison.request import MAX_NODES, MAX_PORTS, Request, request_of
from isoplane.runs.config.config_values import SIZES, plain
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.table import Table

from .keywords import config_from

RUN = "hydra.run.dir"
SUMMARY, GIVEN = "summary.json", "sizes.json"  # of a run, and of the options of all of them, from which pages follow
PRICED = ("cost_usd_per_node", "delay_ns")
SITE = ("layout", "prices", "switch")  # options that comparisons have, too
CUBE_PLANES = 2  # of the cubes that can be searched
RACK_SWITCHES, RACK_NODES = 8, 64  # of layout=floor, as comparisons fill its racks
STATED = ("network", *SIZES, RUN)  # the words that are replaced in each run


def search_sizes(words: Sequence[str], run: Callable[[list[str]], int]) -> int:
    """Search every size with some nodes and ports, print a table of the results, and return the largest exit code.

    Sizes without a design that meets all limits count only if there is no other size.

    Parameters
    ----------
    words
        The overrides of the command line.
    run
        Runs a search with other overrides, and returns its exit code.
    """
    given = {key: value for key, _, value in (word.partition("=") for word in words)}
    networks = networks_of(given)
    default = f"outputs/search-{datetime.now():%Y%m%d-%H%M%S-%f}"
    folder = Path(given.get(RUN, default).strip("'\""))
    print_message(f"isoplane search: {len(networks)} networks, one after another: {', '.join(networks)}")
    others, ended = [word for word in words if word.partition("=")[0] not in STATED], list[int]()
    for name, network in networks.items():
        chosen = {key: value for key, value in network.items() if key in STATED or not _is_given(key, given)}
        stated = [f"{key}={'null' if value is None else value}" for key, value in chosen.items()]
        ended.append(run([*stated, *others, f"{RUN}='{folder / name}'"]))
        if (folder / name / SUMMARY).is_file():
            options = {key: word for key, word in given.items() if key != RUN}
            write_atomically(folder / GIVEN, f"{json.dumps(options, indent=2)}\n")
        if ended[-1] == codes.INTERRUPTED:
            break
    if (folder / GIVEN).is_file():
        _conclude(folder, networks, given)
    return max([code for code in ended if code != codes.NOTHING_FEASIBLE] or ended)


def _conclude(folder: Path, names: Container[str], given: Mapping[str, str]) -> None:
    """Print what was found, the cheapest design first, and write it as a page."""
    from isoplane.runs.folder.sweep_table import sweep_rows, sweep_tables

    rows = [row for row in sweep_rows(folder) if row["run"] in names]  # others may be there from before
    table, said, page = _written_page(folder, rows, given)
    without = [f"{row['run']}: {row['words']}" for row in rows if "family" not in row and table is not None]
    print(table or sweep_tables(rows)[0], *without, *said, f"report: {page}", sep="\n")


def rewrite_page(folder: Path, rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], Path] | None:
    """Write the page of a search of several sizes again, as that search wrote it, and return its conclusions.

    Parameters
    ----------
    folder
        The folder of any sweep; None is returned if it is of another one.
    rows
        Its rows, as of `sweep_rows`.

    Raises
    ------
    InputError
        If the file with the options of the search is damaged.
    """
    path = folder / GIVEN
    if not path.is_file():
        return None
    try:
        given = {str(key): str(value) for key, value in json.loads(read_input(path)).items()}
    except (ValueError, AttributeError) as error:
        raise InputError(f"{path}: damaged ({error}); expected the options of a search of sizes") from error
    names = networks_of(given)
    _, said, page = _written_page(folder, [row for row in rows if row["run"] in names], given)
    return said, page


def _written_page(
    folder: Path, rows: Sequence[Mapping[str, Any]], given: Mapping[str, str]
) -> tuple[Table | None, list[str], Path]:
    """Write the page of the runs of all sizes, and return their table and conclusions, without prices None and none."""
    from isoplane.runs.comparison.found_sizes import conclusions_of_sizes, found_sizes, table_of_sizes
    from isoplane.runs.folder.resume import shown_folder
    from isoplane.runs.report.sweep import write_sweep_page

    try:
        request = request_of_sizes(given)
        asked = None if given.get("throughput", "null") == "null" else Fraction(given["throughput"])
        found = found_sizes(request, folder, rows, asked)
    except InputError as error:  # such as without a layout
        print_message(f"isoplane search: without prices as of isoplane compare: {error}")
        return None, [], write_sweep_page(folder, rows)
    others = [row for row in rows if "family" not in row]
    table = table_of_sizes(found)
    said = conclusions_of_sizes(request, found, shown_folder(folder), asked is not None)
    title = f"{counted(len(rows), 'size')} for {request.nodes:,} nodes and switches of {request.ports} ports"
    # On the page, too, prices and delays are those of the table.
    priced = [{**run, **{key: row.values[key] for key in PRICED if key in row.values}} for run, row in found]
    return table, said, write_sweep_page(folder, [*priced, *others], title, said, table)


def request_of_sizes(given: Mapping[str, object]) -> Request:
    """Return the request of a comparison of the networks of `networks_of`, by which they are priced.

    Raises
    ------
    InputError
        If they have no prices as of comparisons, such as without a layout.
    """
    planes = _integer("planes", {"planes": 2, **given}, MAX_PLANES, 2, least=1)
    stated = {key: value for key, value in given.items() if key.partition(".")[0] in SITE}
    site = {key: safe_load(value) if isinstance(value, str) else value for key, value in stated.items()}
    sizes = {size: _integer(size, given, MAX_NODES, 2) for size in ("nodes", "ports")}
    if "layout" not in given and (held := _rack_nodes(sizes["nodes"], sizes["ports"])) != RACK_NODES:
        site = {"layout.nodes_per_rack": held, **site}
        print_message(f"isoplane search: racks hold {held} nodes, all of a switch, in place of {RACK_NODES}")
    return request_of(plain(config_from("compare", {**sizes, "node_ports": planes, "planes": planes, **site})[0]))


def networks_of(given: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the options of every minimal network with some nodes and ports whose design can be searched, by name.

    Parameters
    ----------
    given
        Options, ``nodes``, ``ports`` and perhaps ``planes``, ``network`` and ``throughput`` among them: text as on a
        command line, or values. With a throughput, networks are searched for the lowest price.

    Examples
    --------
    >>> networks_of({"nodes": "1000", "ports": "20", "network": "hypercube"})["hypercube-n7"]
    {'network': 'hypercube', 'network.n': 7, 'network.nodes_per_switch': 8}
    """
    for key in given:
        if key.startswith("network."):
            stated = f"nodes={given.get('nodes', 'null')}, {key}={given[key]}"
            raise InputError(f"{stated}: expected a size, or nodes and ports, from which sizes follow")
    nodes, ports = _integer("nodes", given, MAX_NODES, 1000), _integer("ports", given, MAX_PORTS, 36)
    planes = _integer("planes", {"planes": 2, **given}, MAX_PLANES, 2, least=1)
    kinds = _searched_kinds() if planes == CUBE_PLANES else {}
    names = [HostGraph.name, *kinds]
    chosen = [name for name in names if given.get("network", name) == name]
    if not chosen:
        raise InputError(
            f"network={given['network']}: expected {', '.join(names)}, which have sizes that can be searched"
        )
    found: dict[str, dict[str, object]] = {}
    if HostGraph.name in chosen and ports > 2:
        least_switches(nodes, ports, "ports")  # which refuses more nodes than any have
        sizes = {"network.nodes": nodes, "network.ports": ports, "network.planes": planes}
        found[HostGraph.name] = {"network": HostGraph.name, **sizes}
    for name in chosen:
        for size in (member.write() for member in kinds[name].fitting(nodes, ports) or ()) if name in kinds else ():
            network = size["network"]
            found[f"{network['family']}-n{network['n']}"] = {
                "network": network["family"],
                "network.n": network["n"],
                "network.nodes_per_switch": size["nodes_per_switch"],
            }
    if not found:
        raise InputError(
            f"nodes={nodes}, ports={ports}: no {' or '.join(chosen)} has them; expected fewer nodes or more ports"
        )
    if given.get("throughput") not in (None, "null"):
        for options in found.values():
            options |= _by_price(options, nodes, ports, planes)
    return found


def _is_given(key: str, given: Mapping[str, object]) -> bool:
    """Whether an option of a search is given: itself, its group, or an objective in words, which has its own key."""
    group = key.partition(".")[0]
    return key in given or (group != "network" and group in given) or (key == "objective" and "objective.name" in given)


def _rack_nodes(nodes: int, ports: int) -> int:
    """Return the nodes of a rack: of `layout=floor`, or all of a switch if nodes on the fewest switches need more."""
    fits = ports <= RACK_NODES or -(-nodes // least_switches(nodes, ports, "ports")) <= RACK_NODES
    return RACK_NODES if fits else ports


def _by_price(options: Mapping[str, object], nodes: int, ports: int, planes: int) -> dict[str, object]:
    """Return the options of a search for the lowest price of a network, by the prices and racks of comparisons."""
    per_switch = options.get("network.nodes_per_switch")  # of cubes, whose racks are filled by switches alone
    switches = RACK_SWITCHES // planes
    if isinstance(per_switch, int):
        switches = min(switches, RACK_NODES // per_switch)
    return {
        "objective": "cost",
        "layout": "floor",
        "layout.assignment": "in_order",
        "layout.switches_per_rack": max(1, switches),
        "layout.nodes_per_rack": _rack_nodes(nodes, ports) if per_switch is None else None,
        "prices": "infiniband_edr_ranges",
        "prices.by": "switch",
        "prices.switch_ports": ports,
    } | ({"network.assumed_cable_m": None} if per_switch is None else {})


def _searched_kinds() -> dict[str, type[Sized]]:
    """Return the families whose sizes have connection sets to search for, by name."""
    kinds = {name: family_named(name) for name in family_names()}
    return {
        name: kind
        for name, kind in kinds.items()
        if issubclass(kind, Sized) and any("generators" in size.variables for size in kind.fitting(8, 64) or ())
    }


def _integer(key: str, given: Mapping[str, object], most: int, example: int, least: int = 2) -> int:
    if key not in given:
        raise InputError(f"{key}=null: expected nodes and ports, such as {key}={example}")
    value = given[key]
    return check_int(key, int(value) if isinstance(value, str) and value.isdecimal() else value, least, most)
