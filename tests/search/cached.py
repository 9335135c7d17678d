"""Spaces of connection sets with caches of switches, and what brute force computes of them."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from isoplane.models import Network, RoutingCache, Site, SwitchModel, dual_cube
from isoplane.objectives import CUBES, Lexicographic, evaluate_batch
from isoplane.objectives.reference import reference_exact
from isoplane.search import space_of
from isoplane.search.cubes.all_bases import all_bases
from tests.search.cases import OBJECTIVES

SWITCH = SwitchModel(
    delay_ns=100, endpoint_delay_ns=None, routing_ns=25, link_gbps=200, packet_bytes=400, lookup_nj=42, static_mw=36
)
DELAY = OBJECTIVES["delay"]


def cache(entries, hit_ns=2, area_mm2=0.1, ways=1):
    return RoutingCache(entries, ways, hit_ns, lookup_nj=0.039, static_mw=13, area_mm2=area_mm2)


def space_with(n, caches, nodes_per_switch=4):
    network = dual_cube(n, tuple(1 << i for i in range(n)), nodes_per_switch=nodes_per_switch)
    network = replace(network, site=Site(switch=replace(SWITCH, cache=caches[0])))
    limits = {"generators": None, "switch.cache": caches}
    return space_of(network, {key: found.within(key, limits[key]) for key, found in network.variables.items()})


def scored(*components):
    return Lexicographic("scored", components, CUBES)


def found_cache(solution):
    return solution.design.network.site.switch.cache


@lru_cache
def all_of_dimension(n, routing_cache):
    bases = np.array(list(all_bases(n)), dtype=np.uint32)
    return evaluate_batch(bases, layout=Site().layout, switch=replace(SWITCH, cache=routing_cache))


MISSING, HOLDING = cache(6), replace(cache(40), lookup_nj=0.4, static_mw=300)


@lru_cache
def all_of_dimension_3(routing_cache):
    """All networks by the program that walks all routes link by link."""
    switch = replace(SWITCH, cache=routing_cache)
    return [reference_exact(Network(dual_cube(3, basis).family, Site(switch=switch))) for basis in all_bases(3)]
