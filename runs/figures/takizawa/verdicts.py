"""The statements of the paper on Fig. 2, checked on our points."""

from collections.abc import Sequence
from dataclasses import dataclass

from .curves import FACTORS, PLACEMENTS, REDUCED, Point

STRONG_RISE, SLIGHT_RISE = 1.5, 1.1  # at least half as much again; at most a tenth more


@dataclass(frozen=True)
class Verdict:
    """A statement, our numbers, and whether they agree.

    Attributes
    ----------
    statement
        The statement in our words.
    ours
        The numbers that decide it.
    holds
        Whether they agree with it.
    """

    statement: str
    ours: str
    holds: bool


def verdicts(points: Sequence[Point]) -> list[Verdict]:
    """Check the statements of section 3, and that our times never exceed the paper's.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 3.
    """
    by_curve: dict[str, list[Point]] = {}
    for point in points:
        by_curve.setdefault(point.curve.name, []).append(point)
    found = [_packets(by_curve)]
    for name in PLACEMENTS:
        found += _hybrid(name, by_curve)
        found.append(_never_above(name, by_curve))
    return found


def _packets(by_curve: dict[str, list[Point]]) -> Verdict:
    relative = {factor: by_curve[f"packets only, U x {factor:g}"][0].relative for factor in FACTORS}
    values = ", ".join(f"{value:.2f} at U x {factor:g}" for factor, value in relative.items())
    grows = relative[REDUCED] >= STRONG_RISE * relative[1.0]
    return Verdict("packets only takes far longer with slower uplinks", values, grows)


def _hybrid(name: str, by_curve: dict[str, list[Point]]) -> list[Verdict]:
    with_circuits = [point for point in by_curve[name] if point.circuits > 0]
    first, last = with_circuits[0], with_circuits[-1]
    full = by_curve[f"packets only, U x {FACTORS[-1]:g}"][0]
    narrow = [point for point in by_curve[f"{name}, U x {REDUCED:g}"] if point.circuits > 0]
    most = max(slower.relative / usual.relative for slower, usual in zip(narrow, with_circuits, strict=True))
    return [
        Verdict(
            f"{name} takes longer than packets only with few circuits",
            f"{first.relative:.2f} with {first.circuits}",
            first.relative > 1,
        ),
        Verdict(
            f"{name} takes less time with more circuits",
            f"{first.relative:.2f} with {first.circuits}, {last.relative:.2f} with {last.circuits}",
            last.relative < first.relative,
        ),
        Verdict(
            f"{name} reaches the packet network with full bisection",
            f"{last.relative:.3f} ({last.relative_by_packets:.3f} by packets) for {full.relative:.3f}",
            last.completion_ns <= full.completion_ns,
        ),
        Verdict(
            f"{name} hardly slows down with slower uplinks",
            f"at most {most:.3f} times as long at U x {REDUCED:g}",
            most <= SLIGHT_RISE,
        ),
    ]


def _never_above(name: str, by_curve: dict[str, list[Point]]) -> Verdict:
    pairs = list(zip(by_curve[f"best for {name}"], by_curve[name], strict=True))
    least, most = (choose(theirs.relative / ours.relative for ours, theirs in pairs) for choose in (min, max))
    return Verdict(f"ours is never above {name}", f"{name} takes {least:.2f} to {most:.2f} times as long", least >= 1)
