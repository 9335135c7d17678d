"""A plane between two wirings: cables that are unplugged, and cables that are plugged in consequence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .plugged_plane import Cable, PluggedPlane

MAX_RETRIED = 200  # cables for which a way with little loss is sought


@dataclass(frozen=True)
class Action:
    """A cable that is plugged or unplugged.

    Attributes
    ----------
    cable
        The cable.
    plug, temporary
        Whether it is plugged, and whether it belongs to neither wiring.
    parts, nodes_off
        Afterwards: the connected parts of the switches, and the nodes without any cable.
    """

    cable: Cable
    plug: bool
    temporary: bool
    parts: int
    nodes_off: int


class Walk:
    """A plane between the two wirings, and the actions so far.

    Parameters
    ----------
    old, new
        The cables of both wirings.
    other_links
        The number of links of each node in other planes.
    spare_ports
        Ports of each switch that neither wiring uses.
    """

    def __init__(
        self,
        old: frozenset[Cable],
        new: frozenset[Cable],
        other_links: Mapping[int, int],
        spare_ports: Mapping[int, Sequence[int]],
    ) -> None:
        self.plugged = PluggedPlane(old, other_links)
        self.actions: list[Action] = []
        self._spare_ports = {switch: list(ports) for switch, ports in spare_ports.items()}
        self._temporary: list[Cable] = []
        removed, added = old - new, new - old
        old_at = {end: cable for cable in removed for end in cable.ends}
        self._blocked = {cable: len({old_at[end] for end in cable.ends if end in old_at}) for cable in added}
        self._waiting: dict[Cable, list[Cable]] = {cable: [] for cable in removed}
        for cable in sorted(added):
            for other in {old_at[end] for end in cable.ends if end in old_at}:
                self._waiting[other].append(cable)
        for cable in sorted(added):
            if not self._blocked[cable]:
                self._plug(cable)

    def greedy(self, order: Sequence[Cable], *, use_spare_ports: bool = False) -> Sequence[Cable]:
        """Unplug each cable as soon as the plane is connected without it; return the cables that have to stay.

        Parameters
        ----------
        order
            The order in which cables are tried.
        use_spare_ports
            Whether temporary cables may replace those without which the plane is not connected.
        """
        return self._unplug_by([self._is_free, *([self._bypass] if use_spare_ports else [])], order)

    def with_loss(self, order: Sequence[Cable]) -> None:
        """Unplug cables that cannot be unplugged without a loss of connectivity, if they are few with little loss."""
        left = order
        while left and len(left) <= MAX_RETRIED:
            left = self._unplug_by([self._is_free, self._is_whole], left)
            if left:
                chosen = min(left, key=self._blocked_after)
                self._unplug(chosen)
                left = [cable for cable in left if cable != chosen]
        self.in_order(left)

    def _unplug_by(self, rules: Sequence[Callable[[Cable], bool]], order: Sequence[Cable]) -> Sequence[Cable]:
        """Unplug each cable for which a rule holds, the first one if possible, until none does; return the others."""
        left, number = order, 0
        while left and number < len(rules):
            kept = [cable for cable in left if not self._unplug_if(cable, rules[number])]
            # Each success may have freed others under the first rule, which costs least.
            number = 0 if len(kept) < len(left) else number + 1
            left = kept
        return left

    def in_order(self, order: Iterable[Cable]) -> "Walk":
        """Unplug cables in the given order; return the walk."""
        for cable in order:
            self._unplug(cable)
        return self

    def released(self, cable: Cable, change: int = 1) -> list[Cable]:
        """Count a cable as unplugged, or with -1 as plugged again; return the new cables that only it obstructed."""
        waiting = self._waiting[cable]
        for new in waiting:
            self._blocked[new] -= change
        return [new for new in waiting if not self._blocked[new]]

    def _blocked_after(self, cable: Cable) -> int:
        """Return how many new cables at the ports of a cable have to wait for another one."""
        return sum(self._blocked[new] > 1 for new in self._waiting[cable])

    def _is_free(self, cable: Cable) -> bool:
        return not self.plugged.is_needed(cable)

    def _is_whole(self, cable: Cable) -> bool:
        """Whether nothing is lost so far, or by this cable: so that few parts are apart at a time."""
        return (self.plugged.parts == 1 and not self.plugged.nodes_off) or self._is_free(cable)

    def _unplug_if(self, cable: Cable, rule: Callable[[Cable], bool]) -> bool:
        if not rule(cable):
            return False
        self._unplug(cable)
        return True

    def _unplug(self, cable: Cable) -> None:
        self.plugged.remove(cable)
        self._record(cable, plug=False)
        for new in self.released(cable):
            self._plug(new)
        if self._temporary:
            self._drop_temporary()

    def _plug(self, cable: Cable) -> None:
        self.plugged.add(cable)
        self._record(cable, plug=True)

    def _bypass(self, cable: Cable) -> bool:
        """Plug a temporary cable beside a cable that is needed, if its switches have spare ports."""
        if self._is_free(cable):
            return True
        switches = cable.ends[0][0], cable.ends[1][0]
        if not cable.between_switches or not all(self._spare_ports.get(switch) for switch in switches):
            return False
        ends = tuple((switch, self._spare_ports[switch].pop()) for switch in switches)
        temporary = Cable((ends[0], ends[1]), True, cable.part_mm)
        self._temporary.append(temporary)
        self.plugged.add(temporary)
        self._record(temporary, plug=True)
        return True

    def _drop_temporary(self) -> None:
        """Unplug the temporary cables that are not needed any more."""
        for cable in [*self._temporary]:
            if not self.plugged.is_needed(cable):
                self.plugged.remove(cable)
                for switch, port in cable.ends:
                    self._spare_ports[switch].append(port)
                self._record(cable, plug=False)
                self._temporary.remove(cable)

    def _record(self, cable: Cable, *, plug: bool) -> None:
        is_temporary = cable in self._temporary
        self.actions.append(Action(cable, plug, is_temporary, self.plugged.parts, self.plugged.nodes_off))
