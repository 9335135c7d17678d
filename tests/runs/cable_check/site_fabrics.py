"""Random fabrics of a site with names of its own, their listings, and judges that share no code with the check."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tests.runs.formats.fabrics import End, dump_text

from .samples import Cable, swap

SHARED = ("MT4123 ConnectX6 Mellanox Technologies", "Mellanox", "")
ODD = (
    'rack "7" # upper',
    "ノード {}",
    "größe, {}",
    "O'Brien; {}",
    "0x{}f",
    "port 0x{}f",
    "N{}",
    "N{} mlx5_0",
    "P0-S{}",
    "back\\slash {}",
)


@dataclass
class Site:
    """Planes of cables between devices, whose names here begin with S for switches and N for adapters.

    `shown` has the description of each device; None if the listing has none.
    """

    planes: list[list[tuple[End, End]]]
    guids: dict[str, int]
    shown: dict[str, str | None]
    form: str

    def texts(self, planes: list[list[tuple[End, End]]] | None = None) -> list[str]:
        """The listing of each plane."""
        return [self._text(cables) for cables in planes or self.planes]

    def _text(self, cables: list[tuple[End, End]]) -> str:
        if self.form == "dump":
            return dump_text(cables, names={name: each or "" for name, each in self.shown.items()}, guid=self.guids)
        peers: dict[str, dict[int, End]] = {}
        for a, b in cables:
            for (device, port), other in ((a, b), (b, a)):
                peers.setdefault(device, {})[port] = other
        has_guids = self.form == "ibnetdiscover"
        key = {name: f"{name[0]}-{self.guids[name]:016x}" if has_guids else self.shown[name] for name in peers}
        lines = []
        for name, used in peers.items():
            kind = "Switch" if name[0] == "S" else "Ca"
            if has_guids:
                lines.append(f"{'switch' if name[0] == 'S' else 'ca'}guid={self.guids[name]:#x}")
            shown = f'\t# "{self.shown[name]}"' if has_guids and self.shown[name] is not None else ""
            lines.append(f'{kind}\t40 "{key[name]}"{shown}{" base port 0" if shown and name[0] == "S" else ""}')
            for port, (other, other_port) in sorted(used.items()):
                mine = f"({self.guids[name] + port:x})" if has_guids and name[0] == "N" else ""
                lines.append(f'[{port}]{mine}\t"{key[other]}"[{other_port}]')
        return "\n".join([*lines, ""])


def random_site(rng: random.Random) -> Site:
    """A connected fabric of one or two planes with shared, missing, quoted and foreign names."""
    form = rng.choice(("ibnetdiscover", "ibnetdiscover", "dump", "ibsim"))
    free: dict[str, list[int]] = {}
    planes: list[list[tuple[End, End]]] = []

    def port(device: str, count: int) -> End:
        ports = free.setdefault(device, rng.sample(range(1, count + 1), count))
        return device, ports.pop()

    hosts = range(rng.randint(2, 7))
    for plane in range(rng.choice((1, 1, 2))):
        switches = [f"S{plane}.{number}" for number in range(rng.randint(2, 5))]
        pairs = [(rng.choice(switches[:number]), switches[number]) for number in range(1, len(switches))]
        pairs += [tuple(rng.sample(switches, 2)) for _ in range(rng.randint(0, 6))]
        cables = [(port(a, 36), port(b, 36)) for a, b in pairs]
        for host in hosts:
            one_for_all = host % 2 == 0
            for adapter in range(1 if one_for_all else rng.randint(1, 2)):
                device = f"N{host}.{'x' if one_for_all else plane}.{adapter}"
                cables += [(port(rng.choice(switches), 36), port(device, 4)) for _ in range(rng.randint(1, 2))]
        rng.shuffle(cables)
        planes.append(cables)
    devices = list(dict.fromkeys(device for cables in planes for pair in cables for device, _ in pair))
    guids = {
        device: 0xE41D2D0300000000 + 64 * number for number, device in enumerate(rng.sample(devices, len(devices)))
    }
    shown = {device: _description(rng, form, number, device) for number, device in enumerate(devices)}
    for device in devices:
        if device.startswith("N0."):  # all planes have this host
            shown[device] = "login mlx5_0"
    return Site(planes, guids, shown, form)


def _description(rng: random.Random, form: str, number: int, device: str) -> str | None:
    odd = rng.choice(ODD).format(number).replace("{}", "")
    if form == "ibsim":  # which has nothing but names, all different and without quotes
        return f"{odd.replace(chr(34), '')}.{number}"
    usual = f"MF0;leaf{number}:MQM8700/U1" if device[0] == "S" else f"node{device[1:-4]:0>2} mlx5_{number}"
    kind = rng.random()
    if kind < 0.3:
        return (
            usual if kind < 0.2 or device[0] == "S" else usual.partition(" ")[0]
        )  # as all adapters of the host may say
    return odd if kind < 0.6 else rng.choice(SHARED) if kind < 0.9 or form == "dump" else None


def damaged(site: Site, rng: random.Random, swaps: int) -> list[list[tuple[End, End]]]:
    """The planes of a site after some exchanges of two ends, each of cables of one plane."""
    planes = [cables.copy() for cables in site.planes]
    for _ in range(swaps):
        swap(rng.choice(planes), rng)
    return planes


def cables_of(planes: Iterable[list[tuple[End, End]]]) -> set[Cable]:
    """All cables of some planes."""
    return {frozenset(pair) for cables in planes for pair in cables}


def fewest_moves(found: set[Cable], designed: set[Cable]) -> int:
    """The least number of moves, additions and removals, by trying what each wrong cable may become.

    A cable becomes one with which it shares an end in one move. It becomes any other one in two, as many as if it is
    removed and the other one added.
    """
    wrong, lacking = sorted(found - designed, key=sorted), sorted(designed - found, key=sorted)

    @cache
    def left(index: int, lacks: frozenset[int]) -> int:
        if index == len(wrong):
            return len(lacks)
        choices = [left(index + 1, lacks - {each}) for each in lacks if wrong[index] & lacking[each]]
        return 1 + min([left(index + 1, lacks), *choices])

    return left(0, frozenset(range(len(lacking))))
