"""What is to be compared: the machine, the limits of its parts, and the throughput that designs must reach."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from isoplane.models import InputError, PriceList, Site
from isoplane.models.checks import check_int, exact_number, shown
from isoplane.models.family import is_own
from isoplane.models.family_kinds.host_sizes import least_switches
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.site.prices import SWITCH_RULES, multiplied
from isoplane.runs.config.config_values import choice_of, group
from isoplane.runs.config.designs import site_of
from isoplane.runs.inputs.named_families import sized_families, sized_family
from isoplane.runs.records import layout_json, prices_json, switch_json

from .existing import Existing

MAX_NODES, MAX_PORTS, MAX_NODE_PORTS = 1 << 17, 1024, 8
DEFAULT_NODE_PORTS, DEFAULT_PLANES = 2, (1, 2)
ROUNDING = Fraction(1, 1000)  # 0.333 stands for 1/3
LEAST_SEARCHED = 3  # nodes, and ports of a switch
FAILURES = ("front", "all", "none")
# Of several designs, the one that sets the limit, and an example.
SIZES: Mapping[str, tuple[Callable[..., int], int]] = {"nodes": (min, 1024), "ports": (max, 36), "node_ports": (max, 2)}


@dataclass(frozen=True)
class Request:
    """A machine to build, and the designs to consider for it.

    Parameters
    ----------
    nodes
        Least number of nodes.
    ports
        Ports of a switch.
    node_ports
        Ports of a node over all planes: every design has the same injection bandwidth.
    planes
        Numbers of planes to consider; each divides `node_ports`.
    throughputs
        Least all-to-all throughputs of a node, as fractions of the rate of its ports.
    families
        Names of the families to consider.
    taper
        Uplinks per node of a leaf in trees; None for any that suffices.
    budget_cents, cable_mm
        Highest price of the network, and length of the longest allowed cable; None for any.
    site
        Layout, catalogue and switch model.
    seed
        Seed of random graphs and of sampled measures.
    failures
        Designs whose parts fail: ``all`` for the highest throughput, those on a Pareto front of price against delay or
        throughput (``front``), or ``none``.
    existing
        Files of existing designs, which are measured alike.
    diameter
        Largest allowed distance between two nodes in hops, in the plane nearest to both; None for any.
    search
        Seconds of a search for any network, beside the families; None for no search.
    switches
        Most switches in all planes together; None for any number.
    own
        Classes of the user's own among the families: a process that is sent a request imports them with it.
    """

    nodes: int
    ports: int
    node_ports: int
    planes: tuple[int, ...]
    throughputs: tuple[Fraction, ...]
    families: tuple[str, ...]
    taper: Fraction | None
    budget_cents: int | None
    cable_mm: int | None
    site: Site
    seed: int
    failures: str = "front"
    existing: tuple[str, ...] = ()
    diameter: int | None = None
    search: Fraction | None = None
    switches: int | None = None
    own: tuple[type[Sized], ...] = field(default=(), repr=False)

    def usd_per_node(self, price_cents: int) -> str:
        """Return the price per requested node of a network as text."""
        return f"{price_cents / 100 / self.nodes:,.2f}".removesuffix(".00")


def request_of(config: Mapping[str, Any], existing: Sequence[Existing] = ()) -> Request:
    """Return the request of a config; numbers that it leaves out are those of existing designs."""
    given = {name: _size(config, name, existing) for name in SIZES}
    nodes = check_int("nodes", given["nodes"], 2, MAX_NODES)
    node_ports = check_int("node_ports", given["node_ports"], 1, MAX_NODE_PORTS)
    ports = check_int("ports", given["ports"], 2, MAX_PORTS)
    given_prices = group(config, "prices")
    site = site_of({**config, "prices": _prices(given_prices, ports)})
    if site.layout is None:
        raise InputError("layout=none: expected a layout, from which lengths and prices of cables follow")
    families = _families(config["families"])
    site = replace(site, prices=_multiplied(site.prices, _multiples(given_prices.get("multiples"), site.prices)))
    found = Request(
        nodes,
        ports,
        node_ports,
        _planes(config["planes"], node_ports, (each.planes for each in existing)),
        _throughputs(config["throughput"]),
        tuple(families),
        None if config["taper"] is None else _taper(config["taper"], ports),
        _budget_cents(config, nodes),
        None if config["cable_m"] is None else int(exact_number("cable_m", config["cable_m"]) * 1000),
        site,
        check_int("seed", config["seed"], 0, (1 << 64) - 1),
        choice_of("failures", config["failures"], FAILURES),
        tuple(each.file for each in existing),
        None if config.get("diameter") is None else check_int("diameter", config["diameter"], 1),
        None if config.get("search") is None else exact_number("search", config["search"], above=True),
        None if config.get("switches") is None else check_int("switches", config["switches"], 1),
        own=tuple(family for family in families.values() if is_own(family)),
    )
    for each in existing:
        _require_fit(found, each)
    if found.search is not None:
        _require_searchable(found, f"search={float(found.search):g}")
    return found


def is_searchable(request: Request) -> bool:
    """Return whether a search can be asked for beside the families."""
    try:
        _require_searchable(request, "search")
    except InputError:
        return False
    return True


def _require_searchable(request: Request, word: str) -> None:
    """Require that there are networks to search: those in which a node has one link to each plane."""
    if request.node_ports not in request.planes:
        raise InputError(
            f"planes={list(request.planes)}: {word} has a link of a node in each plane; expected {request.node_ports} "
            f"among them, or node_ports={max(request.planes)}"
        )
    for name in ("nodes", "ports"):
        if getattr(request, name) < LEAST_SEARCHED:
            raise InputError(f"{name}={getattr(request, name)}: expected at least {LEAST_SEARCHED} with {word}")
    least_switches(request.nodes, request.ports, "ports")


def _size(config: Mapping[str, Any], name: str, existing: Sequence[Existing]) -> object:
    """Return a size of the config, or that which all existing designs reach or keep."""
    if config[name] is not None:
        return config[name]
    least_or_most, example = SIZES[name]
    sizes = [each.sizes[name] for each in existing]
    if not sizes and name == "node_ports":
        return DEFAULT_NODE_PORTS
    if not sizes:
        raise InputError(f"{name}=null: expected a number, such as {name}={example}")
    return least_or_most(sizes)


def _require_fit(request: Request, existing: Existing) -> None:
    """Require that an existing design is of the requested size, so that all designs of a comparison are alike."""
    for name, (least_or_most, _) in SIZES.items():
        own, limit = existing.sizes[name], getattr(request, name)
        if least_or_most(own, limit) != limit:
            word = "at least" if least_or_most is min else "at most"
            raise InputError(f"existing={existing.file}: {name}={own}; expected {word} {name}={limit}")


def _prices(prices: Mapping[str, Any], ports: int) -> dict[str, Any]:
    """Return a price list whose whole switches have the requested ports, unless it says how many they have.

    Raises
    ------
    InputError
        If the rule is unknown, or its switches have fewer ports than requested.
    """
    prices = {key: value for key, value in prices.items() if key != "multiples"}
    by = choice_of("prices.by", prices.get("by", "port"), SWITCH_RULES)
    stated = prices.get("switch_ports")
    if by == "port" and stated is not None:
        raise InputError(
            f"prices.switch_ports={shown(stated)}: no effect with prices.by=port; expected prices.by=switch"
        )
    if by == "port":
        return {**prices, "by": by, "switch_ports": None}
    bought = ports if stated is None else check_int("prices.switch_ports", stated, ports)
    return {**prices, "by": by, "switch_ports": bought}


def _multiples(value: object, prices: PriceList) -> dict[str, Fraction]:
    """Return the multiples of the prices of classes of parts."""
    given = {} if value is None else value
    if not isinstance(given, Mapping) or not set(given) <= set(prices.classes):
        raise InputError(f"prices.multiples={shown(value)}: expected multiples of {', '.join(prices.classes)}")
    return {name: exact_number(f"prices.multiples.{name}", factor, high=100) for name, factor in given.items()}


def _multiplied(prices: PriceList, multiples: Mapping[str, Fraction]) -> PriceList:
    """Return a catalogue with other prices, whose name says so."""
    changes = [f"{name} prices x {float(factor):g}" for name, factor in multiples.items()]
    return replace(multiplied(prices, multiples), name=", ".join([prices.name, *changes]))


def _budget_cents(config: Mapping[str, Any], nodes: int) -> int | None:
    """Return the highest price of the network: the lower one of that given as a whole and that given per node."""
    given = {"budget_usd": 1, "budget_usd_per_node": nodes}
    limits = [
        int(exact_number(name, config[name]) * 100 * times)
        for name, times in given.items()
        if config.get(name) is not None
    ]
    return min(limits, default=None)


def _planes(value: object, node_ports: int, existing: Iterable[int]) -> tuple[int, ...]:
    divisors = [number for number in range(1, node_ports + 1) if node_ports % number == 0]
    if value is None:
        return tuple(number for number in sorted({*DEFAULT_PLANES, *existing}) if number in divisors)
    given = value if isinstance(value, list) else [value]
    for number in given:
        if isinstance(number, bool) or number not in divisors:
            raise InputError(f"planes={shown(value)}: expected divisors of node_ports={node_ports}, such as {divisors}")
    if not given:
        raise InputError(f"planes=[]: expected at least one of {divisors}")
    return tuple(dict.fromkeys(given))


def _throughputs(value: object) -> tuple[Fraction, ...]:
    given = value if isinstance(value, list) else [value]
    found = tuple(exact_number("throughput", each, high=1, above=True) for each in given)
    if not found:
        raise InputError("throughput=[]: expected at least one fraction of the rate of a node, such as 0.9")
    return tuple(sorted(set(found), reverse=True))


def _families(value: object) -> dict[str, type[Sized]]:
    given = sized_families() if value is None else value if isinstance(value, list) else [value]
    if not given:
        raise InputError(f"families=[]: expected null for all, or some of {', '.join(sized_families())}")
    kinds = [sized_family(f"families={shown(value)}", name) for name in given]
    return {kind.name: kind for kind in kinds}


def _taper(value: object, ports: int) -> Fraction:
    """Return the taper, of a leaf with whole numbers of uplinks and nodes, that a decimal number stands for.

    Raises
    ------
    InputError
        If no leaf within the ports has it; the message names the nearest ones.
    """
    taper = exact_number("taper", value, high=1, above=True)
    allowed = {Fraction(up, down) for down in range(1, ports) for up in range(1, min(down, ports - down) + 1)}
    nearest_ratio = min(allowed, key=lambda ratio: abs(ratio - taper))
    if abs(nearest_ratio - taper) <= ROUNDING:
        return nearest_ratio
    below = max((each for each in allowed if each < taper), default=None)
    above = min(each for each in allowed if each > taper)
    nearest = " or ".join(f"{each} = {float(each):.4g}" for each in (below, above) if each is not None)
    raise InputError(f"taper={value}: no leaf of {ports} ports has it; expected a ratio such as {nearest}")


def request_json(request: Request) -> dict[str, Any]:
    """Return a request as options of `isoplane compare`, with layout, catalogue and switch model in full."""
    site = request.site
    assert site.layout is not None  # required by requests
    return {
        "nodes": request.nodes,
        "ports": request.ports,
        "node_ports": request.node_ports,
        "planes": list(request.planes),
        "throughput": [float(least) for least in request.throughputs],
        "families": list(request.families),
        "taper": None if request.taper is None else float(request.taper),
        "budget_usd": None if request.budget_cents is None else request.budget_cents / 100,
        "cable_m": None if request.cable_mm is None else request.cable_mm / 1000,
        "diameter": request.diameter,
        "failures": request.failures,
        "existing": list(request.existing),
        "seed": request.seed,
        "layout": layout_json(site.layout),
        "prices": prices_json(site.prices),
        "switch": switch_json(site.switch),
        **({} if request.switches is None else {"switches": request.switches}),
        **({} if request.search is None else {"search": float(request.search)}),
    }
