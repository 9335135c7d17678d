"""The analytical network of ASTRA-sim: a product of rings, full meshes and switches, with rates and delays."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int, exact_number
from isoplane.models.device_names import node_name
from isoplane.runs.inputs.yaml_files import read_yaml

from ..importer import CableEntry, Importer, Listing, Source

KEYS = ("topology", "npus_count", "bandwidth", "latency")
MAX_NPUS = 1 << 14  # those of a forwarding table
MAX_LINKS = 1 << 21
BITS_PER_BYTE = 8
Pair = tuple[str, str]


def read(source: Source) -> Listing:
    """Return every NPU as a switch with one node, and every block ``Switch`` as a switch without nodes.

    The first dimension varies fastest. A node has as much bandwidth as all links of its NPU together and no delay, so
    that it limits nothing. Bandwidths are in GB/s of 10^9 bytes.

    References
    ----------
    ASTRA-sim, astra-network-analytical: the parser of network files and the topologies.
    """
    try:
        data = read_yaml(source.path)
    except InputError as error:
        raise InputError(f"file={error}") from error
    dimensions = _dimensions(source, data if isinstance(data, dict) else {})
    links, switches = [], [f"npu{npu}" for npu in range(prod(size for _, size, _, _ in dimensions))]
    npus, stride = len(switches), 1
    total = [Fraction(0)] * npus
    line = _line(source, "topology")
    for number, (block, size, gbps, delay_ns) in enumerate(dimensions):
        for index, first in enumerate(npu for npu in range(npus) if npu // stride % size == 0):
            members = [first + stride * place for place in range(size)]
            hub = f"switch{number}-{index}"
            pairs = list(BLOCKS[block]([switches[npu] for npu in members], hub))
            switches += [hub] if block == "Switch" else []
            links += [CableEntry(pair, line, rate_gbps=gbps, delay_ns=delay_ns) for pair in pairs]
            ends = [end for pair in pairs for end in pair]
            for npu in members:
                total[npu] += gbps * ends.count(switches[npu])
        stride *= size
    attached = [
        CableEntry((f"npu{npu}", node_name(npu)), line, rate_gbps=total[npu], delay_ns=Fraction(0))
        for npu in range(npus)
    ]
    return Listing(tuple(switches), tuple(map(node_name, range(npus))), (*links, *attached))


def _ring(names: list[str], hub: str) -> Iterator[Pair]:
    count = len(names)
    # In a ring of two, both directions round it are the same link.
    return ((names[i], names[(i + 1) % count]) for i in range(count if count > 2 else 1))


def _full(names: list[str], hub: str) -> Iterator[Pair]:
    return ((a, b) for i, a in enumerate(names) for b in names[i + 1 :])


def _switch(names: list[str], hub: str) -> Iterator[Pair]:
    return ((name, hub) for name in names)


BLOCKS: Mapping[str, Callable[[list[str], str], Iterator[Pair]]] = {
    "Ring": _ring,
    "FullyConnected": _full,
    "Switch": _switch,
}


def _dimensions(source: Source, data: dict[Any, Any]) -> list[tuple[str, int, Fraction, Fraction]]:
    """Return block, size, rate in Gbit/s and delay in ns of each dimension."""
    for key in KEYS:
        if not isinstance(data.get(key), list) or len(data[key]) != len(data[KEYS[0]]) or not data[key]:
            raise source.wrong(_line(source, key), f"{key}={data.get(key)}", f"one value for each dimension of {KEYS}")
    blocks, sizes, rates, delays = (data[key] for key in KEYS)
    for block in blocks:
        if block not in BLOCKS:
            raise source.wrong(_line(source, "topology"), f"topology {block}", ", ".join(BLOCKS))
    found = []
    for block, size, rate, delay in zip(blocks, sizes, rates, delays, strict=True):
        key = "npus_count"
        try:
            check_int(key, size, 2, MAX_NPUS)
            key = "bandwidth"
            gbps = exact_number(key, rate, high=10**6, above=True) * BITS_PER_BYTE
            key = "latency"
            found.append((block, size, gbps, exact_number(key, delay, high=10**9)))
        except InputError as error:
            raise InputError(f"file={source.path}: line {_line(source, key)}: {error}") from error
    npus = prod(sizes)
    links = sum(npus * (size - 1) // 2 if block == "FullyConnected" else npus for block, size, _, _ in found)
    if npus > MAX_NPUS or links > MAX_LINKS:
        problem = f"{npus} NPUs with {links} links"
        raise source.wrong(_line(source, "npus_count"), problem, f"at most {MAX_NPUS} NPUs and {MAX_LINKS} links")
    return found


def _line(source: Source, key: str) -> int:
    """Return the line of a key; 1 if there is none."""
    lines = source.text.split("\n")
    return next((number for number, line in enumerate(lines, 1) if re.match(rf"\s*{key}\s*:", line)), 1)


def accepts(source: Source) -> bool:
    """Whether it is YAML with the numbers of NPUs."""
    return source.suffix in (".yml", ".yaml") and "npus_count" in source.text


IMPORTER = Importer("analytical network of ASTRA-sim", accepts, read)
