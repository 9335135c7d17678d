"""Fabrics for tests: files of both forms from a plain list of cables."""

from collections.abc import Iterable, Mapping

End = tuple[str, int]


def kind_of(name: str) -> str:
    """Devices whose names begin with N are adapters."""
    return "adapter" if name.startswith("N") else "switch"


def guids(names: Iterable[str]) -> dict[str, int]:
    return {name: 0x100000 + 16 * number for number, name in enumerate(names)}


def discovery_text(
    cables: Iterable[tuple[End, End]],
    ports: int = 64,
    names: Mapping[str, str] | None = None,
    guid: Mapping[str, int] | None = None,
) -> str:
    """The output of ibnetdiscover for cables between devices; `names` replaces descriptions, `guid` GUIDs."""
    peers: dict[str, dict[int, End]] = {}
    for a, b in cables:
        for (device, port), other in ((a, b), (b, a)):
            peers.setdefault(device, {})[port] = other
    guid, shown = guid or guids(peers), names or {}
    key = {name: f"{'H' if kind_of(name) == 'adapter' else 'S'}-{guid[name]:016x}" for name in peers}
    lines = ["#", "# Topology file: generated on Wed Nov 25 15:35:05 2026", "#"]
    for name, used in peers.items():
        adapter = kind_of(name) == "adapter"
        lines += ["", "vendid=0x0", "devid=0x0", f"sysimgguid={guid[name]:#x}"]
        lines.append(f"caguid={guid[name]:#x}" if adapter else f"switchguid={guid[name]:#x}({guid[name]:x})")
        tail = "" if adapter else " base port 0 lid 3 lmc 0"
        lines.append(f'{"Ca" if adapter else "Switch"}\t{ports} "{key[name]}"\t\t# "{shown.get(name, name)}"{tail}')
        for port, (other, other_port) in sorted(used.items()):
            own = f"({guid[name] + port:x}) " if adapter else ""
            far = f"({guid[other] + other_port:x}) " if kind_of(other) == "adapter" else ""
            comment = f'# "{shown.get(other, other)}" lid 7 4xSDR'
            lines.append(f'[{port}]{own}\t"{key[other]}"[{other_port}]{far}\t\t{comment}')
    return "\n".join([*lines, ""])


def dump_text(
    cables: Iterable[tuple[End, End]],
    ports: int = 64,
    names: Mapping[str, str] | None = None,
    guid: Mapping[str, int] | None = None,
) -> str:
    """OpenSM's subnet dump for cables between devices; `names` replaces descriptions, `guid` GUIDs."""
    both = [pair for a, b in cables for pair in ((a, b), (b, a))]
    order = {device: number for number, device in enumerate(dict.fromkeys(device for (device, _), _ in both))}
    both.sort(key=lambda pair: order[pair[0][0]])
    guid, shown = guid or guids(order), names or {}

    def end(name: str, port: int) -> str:
        kind = "CA" if kind_of(name) == "adapter" else "SW"
        number = f"{guid[name]:016X}"
        return (
            f"{{ {kind} Ports:{ports:02X} SystemGUID:{number} NodeGUID:{number} PortGUID:{number} VenID:000000 "
            f"DevID:0000 Rev:000000A1 {{{shown.get(name, name)}}} LID:0001 PN:{port:02X} }}"
        )

    return "".join(f"{end(*a)} {end(*b)} PHY=4x LOG=ACT SPD=2.5\n" for a, b in both)
