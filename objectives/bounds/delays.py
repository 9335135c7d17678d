"""Bounds on the published delay, a product of hops and cable lengths, and on the delay over the real routes."""

from functools import lru_cache
from hashlib import sha256
from math import ceil

from isoplane.models import CableTable, DelayUnits

from .cable_bounds import link_weight_bounds, plane1_weight_bound
from .certificates import proven, read_certificate, write_certificate
from .distance_bound import sum_bound
from .load_inequalities import load_inequalities, load_ranges
from .loads import load_length_bound
from .solver import multipliers
from .tradeoff import length_unit, min_product, tradeoff_program

_HOPS_WEIGHT = 64  # weights are integers, so a large one allows fine steps in its ratio to the weight of the length


def delay_paper_bound(
    table: CableTable, units: DelayUnits, n: int, folded: bool, enumerated: bool = True
) -> int | None:
    """Return a lower bound on `ExactMetrics.delay_paper`; None if the catalogue lacks cables for every network.

    delay_paper = (cable · (L_0 + L) + hop · G · 2^n) · S + endpoint · G · 4^n with the total cable lengths L_0 of plane
    0 and L of plane 1 and the sum of distances S. L and S are bounded separately and, if a certificate for these cables
    is stored, also a weighted sum of the two. `enumerated` is as in `sum_bound`.

    References
    ----------
    Hosomi et al. 2021, section 3.2.1.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, SwitchModel, cable_table
    >>> units = SwitchModel().units()
    >>> found = delay_paper_bound(cable_table(3, Layout(), PriceList()), units, 3, folded=False)
    >>> round(found / (6 * 4**3 * units.per_ns), 2)  # ns; the exact search proves 231
    230.87
    """
    length = plane1_weight_bound(table.length_mm, table, n, folded)
    if length is None:
        return None
    switches, links, unit = 1 << n, 2 * (n + folded), length_unit(table)
    slope = units.cable_mm * unit
    fixed = units.cable_mm * _plane0_length(table, n, folded) + units.hop * links * switches
    # Without a certificate for these cables S >= 0 takes its place, which excludes nothing.
    inequality = _kept_cut(table, n, folded) or (1, 0, 0)
    product = min_product((slope, fixed), (length // unit, sum_bound(n, folded, enumerated)), inequality)
    return ceil(product) + units.endpoint * links * switches**2


def delay_bound(table: CableTable, units: DelayUnits, n: int, folded: bool, enumerated: bool = True) -> int | None:
    """Return a lower bound on `ExactMetrics.delay`; None if the catalogue lacks cables for every network.

    delay = Σ load_k · (hop · 2^n + cable · length_k) + 2 · endpoint · 4^n. For each sum of distances S the loads add up
    to 2S, and the total load of k links of a plane lies in a range that depends on S. The bound is the minimum over all
    S; the loop stops at the first S whose hops alone take at least as long as the best so far. `enumerated` is as in
    `sum_bound`.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, SwitchModel, cable_table
    >>> units = SwitchModel().units()
    >>> found = delay_bound(cable_table(3, Layout(), PriceList()), units, 3, folded=False)
    >>> found / (2 * 4**3 * units.per_ns)  # ns; the exact search proves 231
    228.5
    """
    lengths = link_weight_bounds(table.length_mm, table, n, folded)
    if lengths is None:
        return None
    switches, inequalities = 1 << n, load_inequalities(n, folded)
    planes = lengths[: n + folded], lengths[n + folded :]
    # Each of the 2S hops of packets crosses a switch and a cable no shorter than the shortest of all.
    per_hop = 2 * (units.hop * switches + units.cable_mm * min(lengths))
    best: int | None = None
    smallest, largest = (
        sum_bound(n, folded, enumerated),
        n * switches // 2,
    )  # identical plain planes have the largest sum
    for hops in range(smallest, largest + 1):
        # Load inequalities may make a larger sum cheaper, so a rise of the delay does not end the loop.
        if best is not None and hops * per_hop >= best:
            break
        load_mm = load_length_bound(hops, planes, load_ranges(n, folded, inequalities, hops))
        if load_mm is not None:
            delay = units.cable_mm * load_mm + 2 * hops * units.hop * switches
            best = delay if best is None else min(best, delay)
    assert best is not None
    return best + 2 * units.endpoint * switches**2


def certify_delay(table: CableTable, units: DelayUnits, n: int, folded: bool) -> None:
    """Solve the trade-off tangent to the delay at the bounds of both factors, and store its certificate."""
    length, unit, hops = (
        plane1_weight_bound(table.length_mm, table, n, folded),
        length_unit(table),
        sum_bound(n, folded),
    )
    assert length is not None
    total_length = _plane0_length(table, n, folded) + length
    delay_per_hop = units.cable_mm * total_length + units.hop * 2 * (n + folded) * (1 << n)
    length_weight = max(1, round(_HOPS_WEIGHT * units.cable_mm * unit * hops / delay_per_hop))
    groups = cable_groups(table, n, folded)
    duals = multipliers(tradeoff_program((_HOPS_WEIGHT, length_weight), groups, table, n, folded))
    parameters = {"hops": _HOPS_WEIGHT, "length": length_weight, "groups": groups, "cables": _hash(table)}
    write_certificate("tradeoff", n, folded, duals, **parameters)


def cable_groups(table: CableTable, n: int, folded: bool) -> tuple[int, ...]:
    """Return the sizes of three groups of links, omitting empty ones: short cables, long cables, and the folded link.

    A cable is short if its length is at most a third of the greatest length of a unit vector. Any grouping gives a
    valid bound; of those tried, this one gave the best bounds or nearly so.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, cable_table
    >>> cable_groups(cable_table(12, Layout(), PriceList()), 12, folded=True)
    (8, 4, 1)
    """
    lengths = [int(table.length_mm[1 << k]) for k in range(n)]
    short = sum(3 * length <= max(lengths) for length in lengths)
    return tuple(size for size in (short, n - short, int(folded)) if size)


def _plane0_length(table: CableTable, n: int, folded: bool) -> int:
    bounds = link_weight_bounds(table.length_mm, table, n, folded)
    assert bounds is not None
    return sum(bounds[: n + folded])


def _hash(table: CableTable) -> str:
    """Return a hash that identifies the cable lengths."""
    # Little-endian on every machine, so that a certificate is recognised wherever it was made.
    return sha256(table.length_mm.astype("<i8").tobytes()).hexdigest()[:16]


@lru_cache(maxsize=64)
def _kept_cut(table: CableTable, n: int, folded: bool) -> tuple[int, int, int] | None:
    """Return (p, q, r) with p · S + q · L ≥ r, L in length units, if a certificate for these cables is stored."""
    certificate = read_certificate("tradeoff", n, folded)
    if certificate is None or certificate["cables"] != _hash(table):
        return None
    hops, length, groups = certificate["hops"], certificate["length"], certificate["groups"]
    assert isinstance(hops, int)
    assert isinstance(length, int)
    assert isinstance(groups, list)
    # Rebuilt from this catalogue: of the file only the multipliers are used, and they cannot prove too much.
    program = tradeoff_program((hops, length), tuple(groups), table, n, folded)
    return hops, length, proven(program, certificate["multipliers"])
