"""The fabrics of several files as one."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from isoplane.models import InputError
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric, switches_and_hosts
from isoplane.runs.imports.discovery.link_rate import LinkRate

from .devices import CabledDevices, mates

Place = tuple[int, int]  # a file and a line
Cable = frozenset[tuple[int, int]]  # the device and port of both ends


@dataclass(frozen=True, eq=False)
class MergedFabric:
    """The devices and cables of several files, each once.

    Attributes
    ----------
    sources
        The names of the files.
    devices
        Devices and cables; the plane of a device is the only file in which it occurs, else -1.
    listed
        Each device as listed first.
    places
        The file and line in which each device occurs first.
    cable_places
        The file and line of each cable, by the device and port of both of its ends.
    rates
        The rates of cables that the files state, by one of the ends; the lower one of two.
    files
        The files in which each device occurs.
    inside
        Number of devices that were left out because they are inside of switches.
    routers
        Number of routers, which are left out as well.
    notes
        What the files have beyond that, in words.
    unnumbered
        The devices and ports of ends whose ports the files do not number.
    """

    sources: Sequence[str]
    devices: CabledDevices
    listed: Sequence[DiscoveredDevice]
    places: Sequence[Place]
    cable_places: dict[tuple[int, int], Place]
    rates: dict[tuple[int, int], LinkRate]
    files: Sequence[set[int]]
    inside: int
    routers: int
    notes: tuple[str, ...]
    unnumbered: Collection[tuple[int, int]] = ()

    def where(self, device: int) -> str:
        """Return file and line of a device."""
        file, line = self.places[device]
        return f"{self.sources[file]}: line {line}"


def merged(sources: Sequence[str], fabrics: Sequence[DiscoveredFabric]) -> MergedFabric:
    """Return the union of fabrics.

    A switch in several files is one: planes that a wrong cable joins are listed whole in the file of each. So is an
    adapter, unless the files list different cables at one of its ports, as for simulated planes that number their
    adapters alike. Routers and aggregation nodes, which switches list like adapters, are left out.

    Raises
    ------
    InputError
        If two files list different cables at a port of one switch.
    """
    parts = [switches_and_hosts(fabric) for fabric in fabrics]
    kept = [fabric for fabric, _ in parts]
    listed, places, files, index = _united_devices(sources, kept)
    cables: dict[Cable, Place] = {}
    stated: dict[tuple[int, int], dict[LinkRate, Place]] = {}
    for file, fabric in enumerate(kept):
        for cable in fabric.cables:
            # Without order, since another file may list the cable from its other end.
            ends = (index[file][cable.device], cable.port), (index[file][cable.other], cable.other_port)
            cables.setdefault(frozenset(ends), (file, cable.line))
            if cable.rate is not None:
                stated.setdefault(min(ends), {}).setdefault(cable.rate, (file, cable.line))
    rates = {end: min(by_place, key=lambda rate: rate.gbps) for end, by_place in stated.items()}
    notes = [f"{source}: {note}" for source, fabric in zip(sources, kept, strict=True) for note in fabric.notes]
    notes += _different_rates(sources, stated)
    at = {end: place for pair, place in cables.items() for end in pair}
    kinds = Counter(kind for kind, *_ in {_identity(device) for _, left_out in parts for device in left_out})
    devices = _devices(listed, files, cables)
    inside, routers = kinds["adapter"], kinds["router"]
    unnumbered = {(index[file][device], port) for file, each in enumerate(kept) for device, port in each.unnumbered}
    return MergedFabric(sources, devices, listed, places, at, rates, files, inside, routers, tuple(notes), unnumbered)


def _united_devices(
    sources: Sequence[str], fabrics: Sequence[DiscoveredFabric]
) -> tuple[list[DiscoveredDevice], list[Place], list[set[int]], list[list[int]]]:
    """Return the devices of all files, where each is listed first, its files, and which each device of a file is."""
    listed: list[DiscoveredDevice] = []
    places: list[Place] = []
    files: list[set[int]] = []
    index: list[list[int]] = [[] for _ in fabrics]
    variants: dict[tuple[object, ...], list[int]] = {}
    ends: dict[tuple[int, int], tuple[tuple[object, ...], int, Place]] = {}  # the identity of the other device, a port
    for file, fabric in enumerate(fabrics):
        identities = [_identity(device) for device in fabric.devices]
        for device, identity, ports in zip(fabric.devices, identities, _far_ends(fabric, identities), strict=True):
            known = variants.setdefault(identity, [])
            found = next((each for each in known if _agrees(ends, each, ports)), None)
            if found is None and known and device.kind == "switch":
                raise _contradiction(sources, file, device, ends, known[0], ports)
            if found is None:
                found = len(listed)
                known.append(found)
                listed.append(device)
                places.append((file, device.line))
                files.append(set())
            files[found].add(file)
            index[file].append(found)
            for port, (other, other_port, line) in ports.items():
                ends.setdefault((found, port), (other, other_port, (file, line)))
    return listed, places, files, index


def _far_ends(
    fabric: DiscoveredFabric, identities: Sequence[tuple[object, ...]]
) -> list[dict[int, tuple[tuple[object, ...], int, int]]]:
    """Return for each port of each device the identity of the device at its other end, its port there, and the line."""
    ends: list[dict[int, tuple[tuple[object, ...], int, int]]] = [{} for _ in fabric.devices]
    for cable in fabric.cables:
        ends[cable.device][cable.port] = identities[cable.other], cable.other_port, cable.line
        ends[cable.other][cable.other_port] = identities[cable.device], cable.port, cable.line
    return ends


def _different_rates(
    sources: Sequence[str], stated: Mapping[tuple[int, int], Mapping[LinkRate, Place]]
) -> Iterator[str]:
    """Yield a note on each cable for which files state several rates."""
    for places in stated.values():
        if len(places) > 1:
            shown = (f"{rate} in {sources[file]}, line {line}" for rate, (file, line) in places.items())
            yield f"a cable with {' and '.join(shown)}: the lower rate counts"


def _identity(device: DiscoveredDevice) -> tuple[object, ...]:
    return device.kind, device.key if device.guid is None else device.guid, device.name


def _agrees(
    ends: dict[tuple[int, int], tuple[tuple[object, ...], int, Place]],
    device: int,
    ports: dict[int, tuple[tuple[object, ...], int, int]],
) -> bool:
    """Return whether no port has another cable in an earlier file."""
    return all(
        (earlier := ends.get((device, port))) is None or earlier[:2] == (other, other_port)
        for port, (other, other_port, _) in ports.items()
    )


def _contradiction(
    sources: Sequence[str],
    file: int,
    device: DiscoveredDevice,
    ends: dict[tuple[int, int], tuple[tuple[object, ...], int, Place]],
    known: int,
    ports: dict[int, tuple[tuple[object, ...], int, int]],
) -> InputError:
    port = next(p for p, end in ports.items() if (known, p) in ends and ends[known, p][:2] != end[:2])
    at, line = ends[known, port][2]
    place = f"found={sources[file]}: line {ports[port][2]}"
    return InputError(
        f"{place}: port {port} of {device.name!r} leads elsewhere in {sources[at]}, line {line}; expected the same "
        "cables of a switch in all files"
    )


def _devices(listed: Sequence[DiscoveredDevice], files: Sequence[set[int]], cables: Iterable[Cable]) -> CabledDevices:
    width = 1 + max([1, *(device.ports for device in listed)])
    pairs = [sorted(device * width + port for device, port in pair) for pair in cables]
    end, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return CabledDevices(
        tuple(device.name for device in listed),
        np.array([device.kind == "switch" for device in listed], dtype=np.bool_),
        np.array([min(each) if len(each) == 1 else -1 for each in files], dtype=np.int64),
        np.zeros(len(listed), dtype=np.int64),
        width,
        mates(len(listed), width, end, other),
    )
