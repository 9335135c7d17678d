"""Batch evaluation: metrics of many connection sets as numpy arrays, computed by the kernels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import (
    ConnectionSet,
    InputError,
    Layout,
    Network,
    PriceList,
    Site,
    SwitchModel,
    cable_table,
    dual_cube,
)
from isoplane.models.checks import check_bool
from isoplane.models.family_kinds.cube import cubes_of

from .. import _native
from .costs import fixed_cents
from .exact import longest_of_generators
from .range import check_range


@dataclass(frozen=True, eq=False)
class CubeMetrics:
    """Metrics of a batch of dual-plane cubes, named as in a record.

    Attributes
    ----------
    sum_of_distances, max_load : int64[batch]
        Σ over the 2^n offsets of the smaller distance; packets over the busiest generator at two packets per offset.
    cable_length_m, delay_ns, delay_paper_ns, cost_usd_per_node : float64[batch] or None
        None without a layout.
    """

    n: int
    sum_of_distances: NDArray[np.int64]
    max_load: NDArray[np.int64]
    cable_length_m: NDArray[np.float64] | None = None
    delay_ns: NDArray[np.float64] | None = None
    delay_paper_ns: NDArray[np.float64] | None = None
    cost_usd_per_node: NDArray[np.float64] | None = None

    @cached_property
    def aspl(self) -> NDArray[np.float64]:
        """Average shortest distance in hops, sum_of_distances / 2^n."""
        return self.sum_of_distances / (1 << self.n)

    @cached_property
    def max_traffic(self) -> NDArray[np.float64]:
        """All-to-all maximum traffic of the nodes of a switch together in link capacities, 2·2^n / max_load."""
        return (2 << self.n) / self.max_load


def evaluate_batch(
    generators: NDArray[np.uint32],
    folded: bool = False,
    layout: Layout | None = None,
    prices: PriceList | None = None,
    switch: SwitchModel | None = None,
    nodes_per_switch: int = 4,
) -> CubeMetrics:
    """Evaluate dual-plane cubes whose plane 0 is the unit basis.

    Parameters
    ----------
    generators
        ``uint32[batch, n]``: the generators of plane 1, one basis per row; n = 2..16.
    folded
        Whether both planes are folded.
    layout
        The racks; without a layout, lengths, delays and costs are None.
    prices, switch
        Those of the paper by default.
    nodes_per_switch
        Affects the cost, and how many destinations a cache must hold.

    Raises
    ------
    ValueError
        If the array has the wrong shape or type, or a row, named in the message, is not a basis or needs a cable that
        the price list lacks.

    References
    ----------
    Hosomi et al. 2021, sections 2.3, 3.2.1 and 3.3.1.

    Examples
    --------
    >>> evaluate_batch(np.array([[3, 5, 7]], dtype=np.uint32)).aspl.tolist()
    [1.0]
    """
    if not isinstance(generators, np.ndarray):
        raise InputError(f"generators: {type(generators).__name__}; expected an array uint32[batch, n]")
    check_bool("folded", folded)
    if generators.ndim != 2 or generators.dtype != np.uint32 or not 2 <= generators.shape[1] <= 16:
        raise InputError(
            f"generators: {generators.dtype}{list(generators.shape)}; expected uint32[batch, n] with n from 2 to 16"
        )
    generators = np.ascontiguousarray(generators)
    batch, n = generators.shape
    sums, max_loads = np.empty(batch, dtype=np.int64), np.empty(batch, dtype=np.int64)
    loads = np.empty((batch if layout else 0, 2, n + folded), dtype=np.int32)
    first_bad = _native.evaluate(generators, folded, sums, max_loads, loads)
    if first_bad >= 0:
        raise InputError(f"row {first_bad}: {_basis_error(n, generators[first_bad])}")
    if layout is None:
        return CubeMetrics(n, sums, max_loads)
    cables = _cable_metrics(
        generators, folded, layout, prices or PriceList(), switch or SwitchModel(), nodes_per_switch, sums, loads
    )
    return CubeMetrics(n, sums, max_loads, **cables)


def exact_batch(network: Network, generators: NDArray[np.uint32]) -> dict[str, NDArray[np.int64]]:
    """Return exact integers of the bases of plane 1 of a network of two cubes, if no packet misses a cache.

    Parameters
    ----------
    network
        Two planes of cubes on their site; the generators of plane 1 do not matter.
    generators : uint32[batch, n]
        The bases.

    Returns
    -------
    dict
        Integers of `ExactMetrics` by their names in scores; with a layout also those about cables, delays and cost.

    Examples
    --------
    >>> found = exact_batch(dual_cube(3, (1, 2, 4)), np.array([[3, 5, 7], [1, 2, 4]], dtype=np.uint32))
    >>> found["sum_of_distances"].tolist(), found["delay"].tolist()
    ([8, 12], [29568000, 35648000])
    """
    cubes, site = cubes_of(network), network.site
    (batch, n), switches, links = generators.shape, cubes.plane_switches, cubes.n + cubes.folded
    sums, max_loads, diameters = (np.empty(batch, dtype=np.int64) for _ in range(3))
    loads, generators = np.empty((batch, 2, links), dtype=np.int32), np.ascontiguousarray(generators)
    _native.evaluate(generators, cubes.folded, sums, max_loads, loads)
    _native.diameters(generators, cubes.folded, diameters)
    found = {"sum_of_distances": sums, "max_load": max_loads, "diameter": diameters}
    if site.layout is None:
        return found
    table, units = cable_table(n, site.layout, site.prices), network.delay_units
    unit = np.array([1 << i for i in range(n)] + [switches - 1] * cubes.folded, dtype=np.int64)
    other = generators.astype(np.int64)
    if cubes.folded:
        other = np.concatenate([other, np.bitwise_xor.reduce(other, axis=1, keepdims=True)], axis=1)
    mm, cents, longest = table.length_mm, table.price_cents, longest_of_generators(network)
    load_mm = (loads[:, 0] * mm[unit]).sum(axis=1) + (loads[:, 1] * mm[other]).sum(axis=1)
    total_mm, ends = mm[unit].sum() + mm[other].sum(axis=1), 2 * units.endpoint * switches**2
    return found | {
        "cable_length": total_mm,
        "delay": load_mm * units.cable_mm + 2 * sums * units.hop * switches + ends,
        "delay_paper": (total_mm * units.cable_mm + 2 * links * units.hop * switches) * sums + ends * links,
        "cost": fixed_cents(network) + cents[unit].sum() + cents[other].sum(axis=1),
        "longest_cable": np.maximum(longest[unit].max(), longest[other].max(axis=1)),
    }


def _basis_error(n: int, row: NDArray[np.uint32]) -> str:
    try:
        ConnectionSet.basis(n, row.tolist())
    except InputError as error:
        return str(error)
    raise AssertionError(f"the kernel rejected a basis: {row.tolist()}")


def _cable_metrics(
    generators: NDArray[np.uint32],
    folded: bool,
    layout: Layout,
    prices: PriceList,
    switch: SwitchModel,
    nodes_per_switch: int,
    sums: NDArray[np.int64],
    loads: NDArray[np.int32],
) -> dict[str, NDArray[np.float64]]:
    n = generators.shape[1]
    switches = 1 << n
    switch.require_hits(switches * nodes_per_switch - 1, "kernels of cubes take")
    table = cable_table(n, layout, prices)
    units = Site(layout, prices, switch).delay_units
    check_range(n, folded, table, units)
    plane0 = np.array([1 << i for i in range(n)] + [switches - 1] * folded, dtype=np.int64)
    plane1 = generators.astype(np.int64)
    if folded:
        plane1 = np.concatenate([plane1, np.bitwise_xor.reduce(plane1, axis=1, keepdims=True)], axis=1)
    for generator in plane0:
        table.require_cable(int(generator), prices)
    for row, k in np.argwhere(table.length_mm[plane1] < 0)[:1]:
        try:
            table.require_cable(int(plane1[row, k]), prices)
        except InputError as error:
            raise InputError(f"row {row}: {error}") from error
    length0, length1 = table.length_mm[plane0], table.length_mm[plane1]
    mean_mm = (length0.sum() + length1.sum(axis=1)) / (2 * len(plane0) * switches)
    load_mm = (loads[:, 0] * length0).sum(axis=1) + (loads[:, 1] * length1).sum(axis=1)
    delay = (load_mm * units.cable_mm / switches + 2 * sums * units.hop) / (2 * switches) + units.endpoint
    delay_paper = (mean_mm * units.cable_mm + units.hop) * sums / switches + units.endpoint
    fixed = fixed_cents(
        dual_cube(
            n, tuple(1 << i for i in range(n)), folded, layout=layout, prices=prices, nodes_per_switch=nodes_per_switch
        )
    )
    cost = fixed + table.price_cents[plane0].sum() + table.price_cents[plane1].sum(axis=1)
    return {
        "cable_length_m": mean_mm / 1000,
        "delay_ns": delay / units.per_ns,
        "delay_paper_ns": delay_paper / units.per_ns,
        "cost_usd_per_node": cost / (100 * switches * nodes_per_switch),
    }
