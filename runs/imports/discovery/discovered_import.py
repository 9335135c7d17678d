"""From the listing of an InfiniBand fabric to the devices and links of an import."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from isoplane.models import InputError
from isoplane.models.device_names import is_guid
from isoplane.models.files.exact_text import counted, shortened

from ..fabric_names import sorted_names
from ..importer import CableEntry, Listing
from .descriptions import host_name, is_without_host, switch_host_name
from .discovered_fabric import DiscoveredDevice, DiscoveredFabric, switches_and_hosts


def listing_of(listed: DiscoveredFabric) -> Listing:
    """Return the switches and hosts of a listed fabric; all adapters of a host are one node, others a node each.

    Routers and aggregation nodes, which switches list like adapters, are left out, and the notes say so.
    """
    fabric, left_out = switches_and_hosts(listed)
    names = _names(fabric)
    adapters = [_adapter(device) for device in fabric.devices]
    uses = Counter(each.name for each in fabric.devices)
    switches, nodes = (
        sorted_names({name for name, device in zip(names, fabric.devices, strict=True) if device.kind == kind})
        for kind in ("switch", "adapter")
    )
    return Listing(
        switches,
        nodes,
        _links(fabric, names, adapters),
        guids=_guids(fabric, names, adapters),
        aliases=_aliases(fabric, names),
        notes=(*fabric.notes, *_left_out_notes(left_out)),
        shared={name for name, count in uses.items() if count > 1 and name not in nodes},
        switch_ports=max((device.ports for device in fabric.devices if device.kind == "switch"), default=0),
        without_host={
            adapter
            for device, name, adapter in zip(fabric.devices, names, adapters, strict=True)
            if adapter and name != host_name(device.name) and (is_without_host(device.name) or uses[device.name] > 1)
        },
    )


def _links(fabric: DiscoveredFabric, names: Sequence[str], adapters: Sequence[str]) -> tuple[CableEntry, ...]:
    """Return the cables, by the names of devices and of their adapters."""
    return tuple(
        CableEntry(
            (names[each.device], names[each.other]),
            each.line,
            (each.port, each.other_port),
            rate_gbps=None if each.rate is None else each.rate.gbps,
            rate="" if each.rate is None else f"{each.rate}",
            adapter=adapters[each.device] or adapters[each.other],
        )
        for each in fabric.cables
    )


def _guids(fabric: DiscoveredFabric, names: Sequence[str], adapters: Sequence[str]) -> dict[int, tuple[str, str, int]]:
    """Return device, adapter and port of each GUID of a switch, of which the port is 0, or of a port."""
    of_switches = {
        device.guid: (name, "", 0)
        for device, name in zip(fabric.devices, names, strict=True)
        if device.guid is not None and device.kind == "switch"
    }
    index = {device.key: number for number, device in enumerate(fabric.devices)}
    return of_switches | {
        guid: (names[index[key]], adapters[index[key]], port)
        for (key, port), guid in fabric.port_guids.items()
        if guid and key in index
    }


def _left_out_notes(left_out: Sequence[DiscoveredDevice]) -> Iterator[str]:
    routers = [f"{device.name} (line {device.line})" for device in left_out if device.kind == "router"]
    inside = len(left_out) - len(routers)
    if routers:
        yield f"{counted(len(routers), 'router')} left out: {shortened(routers)}"
    if inside:
        yield f"{counted(inside, 'aggregation node')} inside of switches: left out"


def _adapter(device: DiscoveredDevice) -> str:
    """Return a name for an adapter that is the same in all files, in the order of descriptions; none for a switch."""
    return "" if device.kind == "switch" else f"{device.name} {_identifier(device)}"


def _identifier(device: DiscoveredDevice) -> str:
    return device.key if device.guid is None else hex(device.guid)


def _aliases(fabric: DiscoveredFabric, names: list[str]) -> dict[str, tuple[str, str]]:
    """Return the GUIDs of all devices, and the descriptions of only one, with the names of devices.

    A description that reads like a GUID is left out.
    """
    aliases = {}
    uses = Counter(device.name for device in fabric.devices)
    for device, name in zip(fabric.devices, names, strict=True):
        if device.guid is not None:
            aliases[hex(device.guid)] = name, _adapter(device)
        if device.name not in ("", name) and uses[device.name] == 1 and not is_guid(device.name):
            aliases[device.name] = name, _adapter(device)
    return aliases


def _names(fabric: DiscoveredFabric) -> list[str]:
    """Return a unique name of each switch and of the host of each adapter."""
    count = Counter((device.kind, device.name) for device in fabric.devices)
    systems = Counter(_system(device) for device in fabric.devices if device.kind == "switch")
    names = []
    for device in fabric.devices:
        name = _host(device, systems)
        if device.kind == "switch":
            name = _system(device) if systems[_system(device)] == 1 else device.name
        is_host = device.kind == "adapter" and name == device.name == host_name(device.name)  # of all its adapters
        names.append(name if is_host or count[device.kind, device.name] == 1 else "")
    known = set(names)
    return [name or _with_guid(device, known) for name, device in zip(names, fabric.devices, strict=True)]


def _system(device: DiscoveredDevice) -> str:
    """Return the name in the description of a switch, or else the description."""
    return switch_host_name(device.name) or device.name


def _host(device: DiscoveredDevice, switches: Collection[str]) -> str:
    """Return the name of the host of an adapter; its own if a switch has that name, or none if one has both."""
    return next((name for name in (host_name(device.name), device.name) if name and name not in switches), "")


def _with_guid(device: DiscoveredDevice, known: set[str]) -> str:
    """Return a name for one of several devices with the same description."""
    name = f"{device.name} {_identifier(device)}".strip()
    if name in known:
        raise InputError(f"{name!r} in line {device.line}: the name of another device; expected different names")
    return name
