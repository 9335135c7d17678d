"""`isoplane search nodes=1000 ports=36`: every size of the families that can be searched, one run after another."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from isoplane.models import InputError, family_named, family_names
from isoplane.models.checks import check_int
from isoplane.models.family_kinds.sized import Sized
from isoplane.runs.comparison.request import MAX_NODES, MAX_PORTS
from isoplane.runs.config.config_values import SIZES
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.messages import print_message

RUN = "hydra.run.dir"
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
        stated = [f"{key}={value}" for key, value in network.items()]
        ended.append(run([*stated, *others, f"{RUN}='{folder / name}'"]))
        if ended[-1] == codes.INTERRUPTED:
            break
    if any(folder.glob("*/summary.json")):
        from isoplane.runs.folder.sweep_table import sweep_rows, sweep_tables
        from isoplane.runs.report.sweep import write_sweep_page

        rows = sweep_rows(folder)
        print(sweep_tables(rows)[0])
        print(f"report: {write_sweep_page(folder, rows)}")
    return max([code for code in ended if code != codes.NOTHING_FEASIBLE] or ended)


def networks_of(given: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the options of every minimal network with some nodes and ports whose design can be searched, by name.

    Parameters
    ----------
    given
        Options, ``nodes``, ``ports`` and perhaps ``network`` among them: text as on a command line, or values.

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
    kinds = _searched_kinds()
    names = [name for name in kinds if given.get("network", name) == name]
    if not names:
        raise InputError(
            f"network={given['network']}: expected {', '.join(kinds)}, which have sizes that can be searched"
        )
    sizes = [size.write() for name in names for size in kinds[name].fitting(nodes, ports) or ()]
    if not sizes:
        raise InputError(
            f"nodes={nodes}, ports={ports}: no {' or '.join(names)} has them; expected fewer nodes or more ports"
        )
    return {
        f"{network['family']}-n{network['n']}": {
            "network": network["family"],
            "network.n": network["n"],
            "network.nodes_per_switch": size["nodes_per_switch"],
        }
        for size in sizes
        for network in (size["network"],)
    }


def _searched_kinds() -> dict[str, type[Sized]]:
    """Return the families whose sizes have connection sets to search for, by name."""
    kinds = {name: family_named(name) for name in family_names()}
    return {
        name: kind
        for name, kind in kinds.items()
        if issubclass(kind, Sized) and any("generators" in size.variables for size in kind.fitting(8, 64) or ())
    }


def _integer(key: str, given: Mapping[str, object], most: int, example: int) -> int:
    if key not in given:
        raise InputError(f"{key}=null: expected nodes and ports, such as {key}={example}")
    value = given[key]
    return check_int(key, int(value) if isinstance(value, str) and value.isdecimal() else value, 2, most)
