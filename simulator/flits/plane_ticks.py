"""Rates and delays of a plane in ticks, as the plane states them, or the defaults of the hardware."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network, Plane
from isoplane.models.arrays import Ints
from isoplane.models.checks import fraction_of

from ..hardware import MAX_DELAY_TICKS, MAX_GBPS, MAX_OUTPUT_TICKS, Hardware

Ticks = NDArray[np.int32]
MAX_SPEEDUP = 16


@dataclass(frozen=True, eq=False)
class PlaneTicks:
    """Times of the links and switches of a plane, in ticks; None if all are the defaults of the hardware.

    Attributes
    ----------
    cable : int32[switches, ports]
        Delay of the link at each port.
    flit_ticks : int32[switches, ports]
        Flit time on the link at each port.
    switch_delay : int32[switches]
        Delay from the first bit of a flit at an input to its first bit at the output.
    node_cable, node_flit_ticks : int32[node links]
        Delay and flit time of the links between nodes and switches.
    """

    cable: Ticks
    flit_ticks: Ticks | None = None
    switch_delay: Ticks | None = None
    node_cable: Ticks | None = None
    node_flit_ticks: Ticks | None = None


def plane_ticks(plane: Plane, hardware: Hardware) -> PlaneTicks:
    """Return the rates and delays of a plane in ticks.

    The flit time of a link of rate r, `speedup` · `link_gbps` / r ticks, must be whole. Delays are rounded to the
    nearest tick, that of a link together with that of the switch at its end.

    Raises
    ------
    InputError
        If a flit time is not a whole number of ticks, a time exceeds the horizon of the engine, or rates or delays of
        node links are given for a direct network, which has none.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> times = plane_ticks(dual_cube(3, (3, 5, 7)).planes[0], Hardware())
    >>> times.cable.shape, times.flit_ticks is None
    ((8, 3), True)
    """
    timing, topology = plane.timing, plane.topology
    if hardware.switch.cache is not None and timing.switch_delay_ps is not None:
        raise InputError("plane.switch_delay_ps: without the part that switch.cache changes; expected null")
    if plane.node_cable_mm is None:
        for name in ("node_rate_mbps", "node_delay_ps"):
            if getattr(timing, name) is not None:
                raise InputError(f"plane.{name}: given in a direct network, whose nodes have no links; expected none")
    given = [rates for rates in (timing.rate_mbps, timing.node_rate_mbps) if rates is not None]
    rates = sorted({int(rate) for link_rates in given for rate in np.unique(link_rates) if rate})
    # Ports without a cable state the rate 0: no flit ever asks for their time.
    ticks = {rate: _flit_ticks(rate, rates, hardware) for rate in rates} | {0: hardware.speedup}
    node_cable = None
    differs = plane.node_cables_mm is not None or timing.switch_delay_ps is not None
    if timing.node_delay_ps is not None or (differs and plane.node_cable_mm is not None):
        node_cable = _delays(plane, hardware, plane.node_lengths_mm, timing.node_delay_ps, plane.node_switch)
    return PlaneTicks(
        _delays(plane, hardware, plane.cable_mm, timing.delay_ps, np.maximum(topology.peer, 0)),
        _to_ticks(timing.rate_mbps, ticks),
        _switch_delays(timing.switch_delay_ps, hardware),
        node_cable,
        _to_ticks(timing.node_rate_mbps, ticks),
    )


def max_node_rate(network: Network, hardware: Hardware) -> Fraction:
    """Return the largest total rate of the links of a node, in units of `link_gbps`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> max_node_rate(dual_cube(3, (3, 5, 7)), Hardware())
    Fraction(2, 1)
    """
    stated = [plane_ticks(plane, hardware).node_flit_ticks for plane in network.planes]
    intervals = np.concatenate(
        [
            np.full(len(plane.node), hardware.speedup) if ticks is None else ticks
            for plane, ticks in zip(network.planes, stated, strict=True)
        ]
    )
    nodes = np.concatenate([plane.node for plane in network.planes])
    unique, index = np.unique(intervals, return_inverse=True)
    count = np.zeros((network.nodes, len(unique)), dtype=np.int64)
    np.add.at(count, (nodes, index), 1)
    rates = [Fraction(hardware.speedup, int(flit_ticks)) for flit_ticks in unique]
    distinct: list[list[int]] = np.unique(count, axis=0).tolist()
    return max(sum((n * rate for n, rate in zip(row, rates, strict=True)), Fraction(0)) for row in distinct)


def _to_ticks(values: Ints | None, ticks: dict[int, int]) -> Ticks | None:
    """Replace values by their ticks; None remains None."""
    if values is None:
        return None
    unique, index = np.unique(values, return_inverse=True)
    return np.array([ticks[int(value)] for value in unique], dtype=np.int32)[index].reshape(values.shape)


def _flit_ticks(rate: int, rates: list[int], hardware: Hardware) -> int:
    """Return the flit time on a link of the given rate, in ticks."""
    default_mbps = fraction_of(hardware.link_gbps) * 1000
    ticks = hardware.speedup * default_mbps / rate
    if ticks.denominator != 1:
        raise InputError(
            f"plane.rate_mbps={rate}: a flit takes {float(ticks):g} ticks of {float(hardware.tick_ns):g} ns; expected "
            f"whole ticks: {float(hardware.speedup * default_mbps):g} over an integer, or {_remedy(rates, hardware)}"
        )
    flits = hardware.output + hardware.packet_flits + 4
    if flits * ticks > MAX_OUTPUT_TICKS:
        least = float(hardware.speedup * default_mbps / (MAX_OUTPUT_TICKS // flits))
        raise InputError(
            f"plane.rate_mbps={rate}: a flit takes {int(ticks)} ticks of {float(hardware.tick_ns):g} ns; expected at "
            f"least {least:.6g} Mbit/s with hardware.link_gbps={float(default_mbps / 1000):g}"
        )
    return int(ticks)


def _remedy(rates: list[int], hardware: Hardware) -> str:
    """Return a change of the hardware that makes flit times whole ticks at all of these rates, for a message."""
    default_mbps = fraction_of(hardware.link_gbps) * 1000
    for speedup in range(1, MAX_SPEEDUP + 1):
        if all((speedup * default_mbps / rate).denominator == 1 for rate in rates):
            return f"hardware.speedup={speedup}"
    gbps = Fraction(lcm(*rates), 1000 * hardware.speedup)
    return f"hardware.link_gbps={float(gbps):g}" if gbps <= MAX_GBPS else "other rates"


def _switch_delays(delay_ps: Ints | None, hardware: Hardware) -> Ticks | None:
    if delay_ps is None:
        return None
    ticks = {int(delay): _switch_ticks(int(delay), hardware) for delay in np.unique(delay_ps)}
    for delay, found in ticks.items():
        _require_horizon(f"plane.switch_delay_ps={delay}", found, hardware)
    return _to_ticks(delay_ps, ticks)


def _switch_ticks(delay_ps: int, hardware: Hardware) -> int:
    """Return the delay of a switch in ticks, at least the time to receive a flit."""
    return max(hardware.ticks(Fraction(delay_ps, 1000) + hardware.reception_ns), hardware.speedup)


def _delays(
    plane: Plane, hardware: Hardware, length: Ints, delay: Ints | None, end_switch: NDArray[np.integer]
) -> Ticks:
    """Return the delays of links, stated or by their lengths in mm; `end_switch` is the switch at the end of each."""
    switch_delay = plane.timing.switch_delay_ps
    if delay is None and switch_delay is None:
        ticks = {int(mm): hardware.cable_ticks(int(mm) / 1000) for mm in np.unique(length)}
        found = _to_ticks(length, ticks)
        assert found is not None
        return found
    values = length if delay is None else delay
    switch = np.full(values.shape, -1) if switch_delay is None else switch_delay[end_switch]
    pairs, index = np.unique(np.stack([values.ravel(), switch.ravel()]), axis=1, return_inverse=True)
    ticks_of = []
    for value, switch_ps in pairs.T.tolist():
        link_ns = Fraction(value, 1000) if delay is not None else hardware.cable_ns(Fraction(value, 1000))
        ticks_of.append(_link_ticks(link_ns, switch_ps, hardware))
        _require_horizon(f"plane.{'cable_mm' if delay is None else 'delay_ps'}={value}", ticks_of[-1], hardware)
    return np.array(ticks_of, dtype=np.int32)[index].reshape(values.shape)


def _link_ticks(link_ns: Fraction, switch_ps: int, hardware: Hardware) -> int:
    """Return the ticks of a link and the switch at its end less those of the switch; `switch_ps`=-1 is the default."""
    switch_ns, switch_ticks = hardware.switch_delay_ns, hardware.switch_ticks
    if switch_ps >= 0:
        switch_ns, switch_ticks = Fraction(switch_ps, 1000) + hardware.reception_ns, _switch_ticks(switch_ps, hardware)
    return max(hardware.ticks(switch_ns + link_ns) - switch_ticks, 0)


def _require_horizon(name: str, ticks: int, hardware: Hardware) -> None:
    if ticks > MAX_DELAY_TICKS:
        raise InputError(f"{name}: {ticks} ticks of {float(hardware.tick_ns):g} ns; expected at most {MAX_DELAY_TICKS}")
