"""Instances of the public benchmark, their bounds, and searches whose graphs `check.py` counts."""

import csv
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import yaml

from isoplane.models import Family, Network
from isoplane.models.arrays import Ints
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.family_kinds.uniform import least_hops, moore_diameter
from isoplane.models.files.output_file import write_atomically
from isoplane.models.network import NO_SITE
from isoplane.objectives.bounds.distance_bound import least_host_hops
from isoplane.runs.cli.keywords import config_from
from isoplane.runs.cli.sized_search import networks_of
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.config.search_setup import SearchSetup, search_setup
from isoplane.search import solve

HOME = Path(__file__).with_name("instances")
CHECK = HOME / "check.py"


@dataclass(frozen=True)
class Instance:
    """A problem of the table, with its parameters and the best known values."""

    problem: str
    name: str
    row: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The problem and the name."""
        return f"{self.problem}/{self.name}"

    @property
    def file(self) -> str:
        """The beginning of the names of its files."""
        return self.title.replace("/", "-")

    @property
    def options(self) -> dict[str, Any]:
        """The options of `isoplane search`."""
        row = self.row
        if self.problem == "order_degree":
            network = {"family": "free_graph", "switches": row["switches"], "degree": row["degree"]}
            return {"network": network, "objective": "min diameter, then aspl"}
        if self.problem == "order_radix":
            network = {"family": "host_graph", "nodes": row["hosts"], "ports": row["ports"]}
            return {"network": network, "objective": "aspl"}
        if self.problem == "relabelled":
            return {"network": {"family": "relabelled", "planes": 2, "plane": row["plane"]}, "objective": "aspl"}
        given = {key: row[key] for key in ("nodes", "ports", "planes", "throughput")}
        found = networks_of({**given, "network": HostGraph.name})[HostGraph.name]
        return {**found, "throughput": row["throughput"]}

    def setup(self, **options: object) -> SearchSetup:
        """Return the search with some options."""
        return search_setup(config_from("search", {**self.options, **options})[0], None)

    def mean(self, hops: int, vertices: int) -> Fraction:
        """Return the mean distance of different vertices; hosts have a hop more at each end."""
        return Fraction(hops, vertices * (vertices - 1)) + (2 if self.problem == "order_radix" else 0)

    @cached_property
    def bound(self) -> Fraction:
        """The lower bound of the value: ASPL, or US$ per node."""
        row = self.row
        if self.problem == "order_degree":
            return self.mean(row["switches"] * least_hops(row["switches"], row["degree"]), row["switches"])
        if self.problem == "order_radix":
            return self.mean(least_host_hops(row["hosts"], row["ports"], 1), row["hosts"])
        if self.problem == "relabelled":
            setup = self.setup()
            (hops,) = setup.space.bounds(setup.objective)
            return self.mean(hops or 0, setup.space.baseline.network.nodes)
        given = {"nodes": row["nodes"], "ports": row["ports"], "node_ports": row["planes"]}
        request = request_of(config_from("compare", {**given, "throughput": row["throughput"]})[0])
        return Fraction(price_bound(request, request.throughputs[0]), 100 * row["nodes"])

    @property
    def least_diameter(self) -> int | None:
        """The lower bound of the diameter, where that counts."""
        return moore_diameter(self.row["switches"], self.row["degree"]) if "diameter" in self.row else None

    @property
    def known(self) -> Fraction | None:
        """The best known value; of listed gaps, which have more digits than the values beside them."""
        if "gap" in self.row:
            return self.bound * (1 + Fraction(str(self.row["gap"])) / 100)
        value = self.row.get("usd", self.row.get("aspl"))
        return None if value is None else Fraction(value)

    def text(self, value: Fraction | float | None) -> str:
        """Return a value with its digits."""
        return "" if value is None else f"{float(value):,.{0 if self.problem == 'price' else 4}f}"


@dataclass(frozen=True)
class Result:
    """What a search has found; `value` is None if nothing meets the limits."""

    instance: str
    seed: int
    seconds: float
    workers: int
    diameter: int | None
    value: float | None
    after_seconds: float
    evaluations: int

    @classmethod
    def read(cls, cells: Mapping[str, str]) -> Self:
        """Return the result of a line of CSV."""
        kinds = {"instance": str, "seconds": float, "value": float, "after_seconds": float}
        return cls(**{key: kinds.get(key, int)(cell) if cell else None for key, cell in cells.items()})  # type: ignore[arg-type]

    @property
    def order(self) -> tuple[float, float]:
        """Diameter and value, which are minimised in this order."""
        return self.diameter or 0, float("inf") if self.value is None else self.value


def instances() -> list[Instance]:
    """Return all instances of the table."""
    data = yaml.safe_load((HOME / "instances.yaml").read_text(encoding="utf-8"))
    return [Instance(problem, str(name), row) for problem, rows in data.items() for name, row in rows.items()]


def results_in(file: Path) -> list[Result]:
    """Return the results of a CSV file; none if it is absent."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return [Result.read(cells) for cells in csv.DictReader(lines)]


def graph_files(family: Family) -> dict[str, str]:
    """Return the texts of the edge lists of a design, by the ends of their names, and of the places of a plane."""
    if isinstance(family, Relabelled):
        places = family.places or (range(family.plane.switches),)  # None: identical planes
        return {".edges": _lines(_edges(Network(family.plane, NO_SITE))[0]), ".places": _lines(np.array(places))}
    planes = _edges(Network(family, NO_SITE))
    if isinstance(family, HostGraph):
        at_switches = family.nodes + np.repeat(np.arange(len(family.host_counts)), family.host_counts)
        hosts = np.stack([np.arange(family.nodes), at_switches], axis=1)
        planes = [np.concatenate([hosts, family.nodes + edges]) for edges in planes]
    return {f"{f'.{plane}' if len(planes) > 1 else ''}.edges": _lines(edges) for plane, edges in enumerate(planes)}


def _edges(network: Network) -> list[Ints]:
    found = []
    for plane in network.cabling:
        lower, port = plane.topology.cable_ends()
        found.append(np.stack([lower, plane.topology.peer[lower, port]], axis=1))
    return found


def _lines(rows: Ints) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows.tolist())


def checked(instance: Instance, files: Sequence[Path]) -> tuple[int, Fraction]:
    """Return diameter and ASPL as `check.py` counts them in edge lists."""
    words = [str(file) for file in files if file.suffix == ".edges"]
    words += [word for file in files if file.suffix == ".places" for word in ("--places", str(file))]
    hosts = instance.row.get("hosts", instance.row.get("nodes"))
    sizes = {"degree": instance.row.get("degree"), "hosts": hosts, "ports": instance.row.get("ports")}
    words += [f"--{key}={size}" for key, size in sizes.items() if size is not None]
    run = subprocess.run([sys.executable, CHECK, *words], capture_output=True, text=True)
    found = re.search(r"diameter ([0-9]+), ASPL ([0-9]+/[0-9]+)", run.stdout)
    if found is None:
        raise ValueError(f"{instance.title}: {run.stderr.strip()}")
    return int(found[1]), Fraction(found[2])


def search(instance: Instance, seed: int, seconds: float, workers: int, folder: Path) -> Result:
    """Search an instance, write the edges of the best graph, and return the result as `check.py` counts it."""
    setup = instance.setup(seed=seed, stop={"seconds": seconds}, workers=workers)
    *_, last = solve(setup.space, setup.objective, setup.strategy, setup.limits, seed, workers)
    metrics, network = last.evaluation.metrics, last.design.network
    files = []
    for end, text in graph_files(network.family).items():
        files.append(folder / f"{instance.file}-{seed}{end}")
        write_atomically(files[-1], text)
    diameter, aspl = checked(instance, files)
    hops = 2 if "hosts" in instance.row or "nodes" in instance.row else 0
    own = Fraction(int(metrics["total_hops"]), network.nodes * (network.nodes - 1)) + hops
    if aspl != own:
        raise ValueError(f"{instance.title}: an ASPL of {float(own)}; {CHECK.name} counts {float(aspl)}")
    is_price, is_met = instance.problem == "price", setup.objective.meets_limits(last.evaluation.score)
    value = None if not is_met else float(metrics["cost_usd_per_node"] if is_price else aspl)
    counts = None if instance.least_diameter is None else diameter
    return Result(instance.title, seed, seconds, workers, counts, value, round(last.seconds, 1), last.evaluations)
