"""Lists of values of routing-table caches in a config: variables of a search."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from isoplane.models import InputError, RoutingCache
from isoplane.runs.records import switch_from

VARIED = ("entries", "ways", "hash")
BY_ENTRIES = ("hit_ns", "lookup_nj", "static_mw", "area_mm2", "interval_ns")  # what a cache of each size takes


def listed_switches(switch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the switch of a config with each cache that its lists of values describe; itself without any.

    Lists of `VARIED` are combined, entries first; lists of `BY_ENTRIES` have a value for each of the entries.

    Raises
    ------
    InputError
        If a list is empty, or does not have a value for each of the entries.

    Examples
    --------
    >>> lists = {"entries": [512, 1024], "ways": [2, 4], "area_mm2": [0.2, 0.4]}
    >>> [tuple(found["cache"].values()) for found in listed_switches({"delay_ns": 100, "cache": lists})]
    [(512, 2, 0.2), (512, 4, 0.2), (1024, 2, 0.4), (1024, 4, 0.4)]
    """
    cache = switch.get("cache")
    if not isinstance(cache, Mapping):
        return [dict(switch)]
    lists = {key: value for key, value in cache.items() if isinstance(value, list) and key in (*VARIED, *BY_ENTRIES)}
    entries = lists.get("entries", [cache.get("entries")])
    for key, values in lists.items():
        if not values:
            raise InputError(f"switch.cache.{key}=[]: expected values, or one without a list")
        if key in BY_ENTRIES and len(values) != len(entries):
            raise InputError(
                f"switch.cache.{key}={values}: {len(values)} values; expected one for each of "
                f"switch.cache.entries={entries}"
            )
    chosen = [key for key in VARIED if key in lists]
    found = []
    for choice in product(*(range(len(lists[key])) for key in chosen)):
        at = dict(zip(chosen, choice, strict=True))
        by_entries = {key: lists[key][at.get("entries", 0)] for key in BY_ENTRIES if key in lists}
        found.append({**switch, "cache": {**cache, **{key: lists[key][at[key]] for key in chosen}, **by_entries}})
    return found


def listed_caches(switches: Sequence[Mapping[str, Any]]) -> tuple[RoutingCache, ...] | None:
    """Return the caches of some switches; None for one, whose cache is no variable."""
    if len(switches) == 1:
        return None
    models = [switch_from(switch).cache for switch in switches]
    return tuple(cache for cache in models if cache is not None)
