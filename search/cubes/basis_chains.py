"""Chains over connection sets: annealing chains, parallel tempering, large-neighbourhood walks."""

from collections.abc import Sequence
from functools import lru_cache

from isoplane.models.checks import check_int
from isoplane.objectives import CUBE_METRICS, Lexicographic
from isoplane.objectives.scoring.functions import integers_of
from isoplane.objectives.scoring.metric_scopes import needing

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup
from ..strategies.anneal import Anneal
from ..strategies.neighbourhood import Neighbourhood
from ..strategies.pareto import Pareto
from ..strategies.temper import Temper
from .cache_misses import metrics_in
from .space import ConnectionSets

WORDS_IN_A_ROUND = 1 << 25  # a quarter of a second


def basis_chains(
    space: ConnectionSets, objective: Lexicographic, settings: Sequence[object]
) -> ChainSetup[ConnectionSets] | None:
    """Return chains with the settings of `Anneal`, `Temper` or `Neighbourhood`; None if any belong to others."""
    hottest = _default_hottest(space, objective)
    known = [_kind(strategy, space.n, hottest) for strategy in settings]
    kinds = tuple(kind for kind in known if kind is not None)
    if len(kinds) < len(settings):
        return None
    # An evaluation visits 2^n offsets, so rounds take equally long in cubes of all but small sizes.
    share = max(64, min(1 << 16, 1 << 24 - space.n))
    if needing("racks", "cubes") & metrics_in(objective):
        share = max(1, min(share, WORDS_IN_A_ROUND // _words_of_rack_losses(space)))
    # Kernels do not know a power that depends on misses: of a front with it, chains keep the best by the other metric.
    is_known = set(objective.front or ()) <= {*CUBE_METRICS, *integers_of(objective.functions)}
    front = is_known and any(isinstance(strategy, Pareto) for strategy in settings)
    takers = frozenset(stream for stream, strategy in enumerate(settings) if isinstance(strategy, Neighbourhood))
    return ChainSetup(space, objective, kinds, _arguments, share, front=front, takers=takers)


def _words_of_rack_losses(space: ConnectionSets) -> int:
    """Return the words that searches after the loss of racks combine in a hop: for 64 sources, a switch and a link."""
    assert space.site.layout is not None
    switches, held = 1 << space.n, space.site.layout.switches_per_rack
    racks, are_alike = space.site.layout.racks(switches), held.bit_count() == 1
    sources = switches // held if are_alike else switches
    return (1 if are_alike else racks) * switches * 2 * (space.n + space.folded) * -(-sources // 64)


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[ConnectionSets]) -> tuple[_native.Evaluator, bool]:
    return setup.space.native_evaluator(setup.objective), setup.front


def _default_hottest(space: ConnectionSets, objective: Lexicographic) -> float:
    """Return the default highest temperature of annealing, relative to the score of the identical planes.

    0.02 if the first component, a limit or a metric of the front depends on cables, else 0.22 · 2^(-n/2): the steps of
    a sum of distances are finer in larger cubes.
    """
    return 0.02 if objective.needs_layout else 0.22 * 2 ** (-space.n / 2)


def _kind(settings: object, n: int, default_hottest: float) -> ChainKind | None:
    """Return a strategy, or one derived from it, as native settings; None if it has no native searcher."""
    if isinstance(settings, Anneal):
        if settings.first_leg is not None:
            check_int("strategy.first_leg", settings.first_leg, 64)
        hottest = settings.hottest or default_hottest
        values: dict[str, float] = {
            "coolest": settings.coolest or hottest / 16,
            "hottest": hottest,
            "fall": settings.fall or 10.0,
            "first_leg": settings.first_leg or 16 << n,
            "growth": settings.growth,
            "structured": settings.structured,
        }
        return ChainKind("Annealing", "Chain", tuple(values.items()))
    if isinstance(settings, Temper):
        hottest = settings.hottest or max(default_hottest / 4, settings.coldest or 0)
        values = {"coldest": settings.coldest or hottest / 20, "hottest": hottest, "replicas": settings.replicas}
        return ChainKind("Ladder", "Tempering", tuple(values.items()))
    if isinstance(settings, Neighbourhood):
        temperature = default_hottest / 60 if settings.temperature is None else settings.temperature
        return ChainKind("Descent", "Neighbourhood", (("most", settings.most), ("temperature", temperature)))
    return None
