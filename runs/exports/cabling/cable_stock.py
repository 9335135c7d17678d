"""Cables that have been unplugged and wait for their next use."""

from collections import Counter, defaultdict

from .plugged_plane import Cable

NEW = "new"


class Stock:
    """Cables that have been unplugged, by part."""

    def __init__(self) -> None:
        self._by_part: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self._between: defaultdict[tuple[int, tuple[int, ...]], list[str]] = defaultdict(list)
        self.bought: Counter[int] = Counter()

    def put(self, cable: Cable, label: str) -> None:
        """Add a cable."""
        self._by_part[cable.part_mm][label] = None
        self._between[_kind(cable)].append(label)

    def take(self, cable: Cable) -> str:
        """Return the label of a cable of the same part, if possible one between the same devices, or buy a new one."""
        stock = self._by_part[cable.part_mm]
        label = next((each for each in self._between[_kind(cable)] if each in stock), None) or next(iter(stock), None)
        if label is None:
            self.bought[cable.part_mm] += 1
            return NEW
        del stock[label]
        return label

    @property
    def left_over(self) -> dict[int, int]:
        """The number of cables left, by part."""
        return {part: len(labels) for part, labels in self._by_part.items() if labels}


def _kind(cable: Cable) -> tuple[int, tuple[int, ...]]:
    return cable.part_mm, tuple(sorted(device for device, _ in cable.ends))
