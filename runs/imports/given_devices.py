"""Ids of the devices of an imported fabric, given by a file of names in place of their natural order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.device_names import node_name, switch_name

from .fabric_names import sorted_names
from .fabric_parts import ListedPlane
from .node_adapters import with_nodes


@dataclass(frozen=True)
class GivenDevices:
    """The switch or node that each device is to be.

    Parameters
    ----------
    file
        The file of names.
    devices
        Names in exports, such as ``P0-S12`` and ``N5``, by name or GUID in the files of the fabric.
    """

    file: Path
    devices: Mapping[str, str]

    def ordered(self, parts: Sequence[ListedPlane], nodes: Sequence[str]) -> tuple[list[ListedPlane], tuple[str, ...]]:
        """Return the planes in their order, with their switches in that of ids, and the nodes in that of ids.

        Raises
        ------
        InputError
            If a device has no entry, several devices have one, or ids are left out; the message names the first.
        """
        aliases = _aliases(parts)
        switches: dict[str, tuple[int, str]] = {}
        for number, part in enumerate(parts):
            for name in part.switches:
                in_plane = f"{name} (plane {number})"  # as in names.csv: in place of the name, which several may have
                own = (in_plane if in_plane in self.devices else name, *sorted(aliases.get((number, name), ())))
                self._add(switches, own, (number, name))
        found: dict[str, tuple[int, str]] = {}
        for name in nodes:
            self._add(found, (name, *sorted(aliases.get((None, name), ()))), (0, name))
        planes = [self._plane(plane, parts, switches) for plane in range(len(parts))]
        return planes, tuple(self._at(node_name(node), found, 0, len(nodes)) for node in range(len(nodes)))

    def joined(self, parts: Sequence[ListedPlane]) -> tuple["GivenDevices", list[ListedPlane]]:
        """Return the devices, and planes in which adapters that are to be the same node are one.

        Its name is the first of theirs in natural order. Ids of nodes that become free so are closed: the others may
        stay as they were.
        """
        aliases, adapters = _aliases(parts), dict[str, set[str]]()
        for link in (link for part in parts for link in part.attached):
            adapters.setdefault(link.ends[1], set()).add(link.adapter)
        members: dict[str, list[str]] = {}
        for name in sorted_names(adapters):
            for device in set(self._given((name, *aliases.get((None, name), ()))).values()):
                members.setdefault(device, []).append(name)
        node_of = {
            adapter: names[0]
            for names in members.values()
            if len(names) > 1
            for adapter in set().union(*(adapters[name] for name in names)) - {""}
        }
        if not node_of:
            return self, list(parts)
        ids = {device: node_name(number) for number, device in enumerate(sorted_names(members))}
        devices = {name: ids.get(device.partition(":")[0], device) for name, device in self.devices.items()}
        return replace(self, devices=devices), with_nodes(parts, node_of, keep_names=True)

    def _plane(self, plane: int, parts: Sequence[ListedPlane], switches: Mapping[str, tuple[int, str]]) -> ListedPlane:
        number = switches.get(switch_name(plane, 0), (plane, ""))[0]
        count = len(parts[number].switches)
        names = (self._at(switch_name(plane, switch), switches, number, count) for switch in range(count))
        return replace(parts[number], switches=tuple(names))

    def _add(self, found: dict[str, tuple[int, str]], names: Sequence[str], value: tuple[int, str]) -> None:
        """Add a device under the name that the file gives it, by any of its names."""
        given = self._given(names)
        if not given:
            raise InputError(f"names={self.file}: no device for {value[1]}; expected an entry for each switch and node")
        (first, device), *others = given.items()
        for name, other in others:
            if other != device:
                raise InputError(f"names={self.file}: {first} is {device}, but {name} {other}; expected one device")
        if device in found:
            raise InputError(f"names={self.file}: {found[device][1]} and {value[1]} are {device}; expected one device")
        found[device] = value

    def _given(self, names: Sequence[str]) -> dict[str, str]:
        """Return the devices that the file gives some names, nodes without a port."""
        return {name: self.devices[name].partition(":")[0] for name in names if name in self.devices}

    def _at(self, device: str, found: Mapping[str, tuple[int, str]], number: int, count: int) -> str:
        """Return the name of a device, which must be in a part."""
        part, name = found.get(device, (None, ""))
        if part == number:
            return name
        prefix = device.rstrip("0123456789")
        expected = f"expected {prefix}0 to {prefix}{count - 1}, one for each of {count} devices"
        if name:
            plane = device.partition("-")[0]
            raise InputError(
                f"names={self.file}: {name} is {device}, but is not in the plane of {plane}-S0; {expected}"
            )
        *_, last = sorted_names(other for other in found if other.startswith(prefix))
        if device == node_name(int(device.removeprefix(prefix))):
            expected += (
                f"; isoplane check-cables nodes={count} save_names=FILE numbers them so for a design with more places"
            )
        raise InputError(f"names={self.file}: no device is {device}, though {found[last][1]} is {last}; {expected}")


def _aliases(parts: Sequence[ListedPlane]) -> dict[tuple[int | None, str], set[str]]:
    """Return the aliases of names, by plane for switches: nodes may have their names."""
    aliases: dict[tuple[int | None, str], set[str]] = {}
    for number, part in enumerate(parts):
        names = set(part.switches)
        for alias, (name, _) in part.aliases.items():
            aliases.setdefault((number if name in names else None, name), set()).add(alias)
    return aliases
