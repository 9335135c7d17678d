"""Brute force: all bases of a small space, with their exact metrics and scores."""

import itertools
from functools import lru_cache
from math import prod

import numpy as np

from isoplane.models import Layout, PriceList
from isoplane.objectives import CUBE_METRICS, evaluate_batch


@lru_cache(maxsize=8)
def all_bases(n):
    """Return all bases of GF(2)^n as ``uint32[sets, n]``, with ascending generators."""
    sets = np.array(list(itertools.combinations(range(1, 1 << n), n)), dtype=np.uint32)
    spans = np.zeros((len(sets), 1), dtype=np.uint32)
    for k in range(n):
        spans = np.concatenate([spans, spans ^ sets[:, k : k + 1]], axis=1)
    return sets[(spans[:, 1:] != 0).all(axis=1)]  # no sum of some generators is 0


@lru_cache(maxsize=16)
def exact_of_everything(n, folded):
    """Return `CUBE_METRICS` of every basis on the paper's site as integers, rounded from floating point."""
    found = evaluate_batch(all_bases(n), folded, layout=Layout())
    links, switches = 2 * (n + folded), 1 << n
    diameter, detour = diameters_and_detours(n, folded)
    values = (
        found.sum_of_distances,
        found.max_load,
        found.cable_length_m * (1000 * links * switches),
        found.delay_ns * (2 * switches**2 * 1000),
        found.delay_paper_ns * (links * switches**2 * 1000),
        found.cost_usd_per_node * (100 * switches * 4),
        longest_mm(n, folded),
        diameter,
        np.maximum(diameter, 1 + detour),
        np.full(len(diameter), (n + 1) // 2 if folded else n),
        switches * found.sum_of_distances + 2 * detour,
    )
    names = CUBE_METRICS[: len(values)]  # without those after the loss of a rack
    return {metric: np.rint(value).astype(np.int64) for metric, value in zip(names, values, strict=True)}


def longest_mm(n, folded):
    """Return the length of the longest cable for every basis, in mm, those of nodes included."""
    switches = range(1 << n)
    needed = [0, *(max(Layout().cable_mm(x, x ^ g, 1 << n) for x in switches) for g in switches if g)]
    sets = all_bases(n).astype(np.int64)
    links = [sets, np.broadcast_to(1 << np.arange(n), sets.shape)]
    links += [np.bitwise_xor.reduce(each, axis=1, keepdims=True) for each in links] if folded else []
    longest = np.array(needed)[np.concatenate(links, axis=1)].max(axis=1)
    known, which = np.unique(longest, return_inverse=True)
    cables = np.array([PriceList().cable_for_mm(int(mm))[0] for mm in known])[which]
    return np.maximum(cables, round(1000 * Layout().node_cable_m))


def diameters_and_detours(n, folded):
    """Return the largest distance in the nearer plane for every basis, and the most hops that a lost cable adds."""
    sets, largest = all_bases(n).astype(np.int64), np.zeros(len(all_bases(n)), dtype=np.int64)
    longer = np.zeros_like(largest)
    hops = np.array([offset.bit_count() for offset in range(1 << n)])
    distance = np.minimum(hops, n + 1 - hops) if folded else hops
    for routing in range(1 << n):
        taken = [k for k in range(n) if routing >> k & 1]
        offset = np.bitwise_xor.reduce(sets[:, taken], axis=1) if taken else np.zeros(len(sets), dtype=np.int64)
        largest = np.maximum(largest, np.minimum(distance[offset], distance[routing]))
        farther = np.maximum(distance[offset], distance[routing])
        is_cable = (distance[offset] == 1) | (distance[routing] == 1)
        around = np.minimum(farther, 2 if folded and n == 2 else 3)  # over the other plane, or other cables of the same
        longer = np.maximum(longer, np.where(is_cable, around - 1, 0))
    return largest, longer


def best_score(n, folded, components):
    """Return the lexicographically smallest score over all bases."""
    values = exact_of_everything(n, folded)
    tied, score = np.ones(len(all_bases(n)), dtype=bool), []
    for component in components:
        products = prod(values[metric] for metric in component)
        score.append(int(products[tied].min()))
        tied &= products == score[-1]
    return tuple(score)


def front(n, folded, metrics):
    """Return the Pareto front of two metrics over all bases."""
    values = exact_of_everything(n, folded)
    points = set(zip(values[metrics[0]].tolist(), values[metrics[1]].tolist(), strict=True))
    return {p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
