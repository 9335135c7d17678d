"""References for fat-trees: cables port by port, tables by destination node (D-mod-k), and hashes of nodes."""

from itertools import product

import numpy as np

from isoplane.models import Topology


def _topology(switches, ports, cables):
    """Return a topology from cables ((switch, port), (switch, port))."""
    peer, peer_port = (np.full((switches, ports), -1, dtype=np.int32) for _ in range(2))
    for one, other in cables:
        for end, (switch, port) in ((one, other), (other, one)):
            peer[end], peer_port[end] = switch, port
    return Topology(peer, peer_port)


def two_levels(leaves=4, hosts=4, spines=2, trunk=1):
    """Return topology, table and switch of every node: leaves first, then spines; the uplink is node mod spines.

    Of a trunk of parallel cables, packets take number ⌊node / spines⌋ mod trunk, up and down.
    """
    cables = [
        ((leaf, spine * trunk + cable), (leaves + spine, leaf * trunk + cable))
        for leaf, spine, cable in product(range(leaves), range(spines), range(trunk))
    ]
    node = np.arange(leaves * hosts)
    cable = node // spines % trunk
    rows = [node % spines * trunk + cable] * leaves + [node // hosts * trunk + cable] * spines
    return _topology(leaves + spines, max(leaves, spines) * trunk, cables), np.array(rows), node // hosts


def three_levels(ports=4, lower=1, upper=1, seed=None):
    """Return the same for three levels (edge, aggregation, core), the lower two with half of their ports up.

    There are trunks of `lower` cables between edge and aggregation switches, and of `upper` ones above. With a seed,
    routes are those of hashes of the nodes.
    """
    half, pods = ports // 2, ports // upper
    in_pod, groups = half // lower, half // upper
    edges = aggregation = pods * in_pod
    cables = []
    for pod, i in product(range(pods), range(in_pod)):
        middle = edges + pod * in_pod + i
        cables += [
            ((pod * in_pod + e, i * lower + c), (middle, e * lower + c)) for e in range(in_pod) for c in range(lower)
        ]
        cables += [
            ((middle, half + j * upper + c), (edges + aggregation + i * groups + j, pod * upper + c))
            for j in range(groups)
            for c in range(upper)
        ]
    rows, nodes = [], range(edges * half)
    chosen = nodes if seed is None else split_mix_64(len(nodes), seed)
    lower_trunk, upper_trunk = (
        [each // size % cables for each in chosen] for size, cables in ((in_pod, lower), (in_pod * groups, upper))
    )
    up = [each % in_pod * lower + trunk for each, trunk in zip(chosen, lower_trunk, strict=True)]
    higher = [half + each // in_pod % groups * upper + trunk for each, trunk in zip(chosen, upper_trunk, strict=True)]
    down = [node // half % in_pod * lower + trunk for node, trunk in zip(nodes, lower_trunk, strict=True)]
    core = [node // (half * in_pod) * upper + trunk for node, trunk in zip(nodes, upper_trunk, strict=True)]
    rows += [up] * edges
    for switch_pod in range(pods):
        own = range(switch_pod * half * in_pod, (switch_pod + 1) * half * in_pod)
        rows += [[down[node] if node in own else higher[node] for node in nodes]] * in_pod
    rows += [core] * (in_pod * groups)
    switches = edges + aggregation + in_pod * groups
    return _topology(switches, ports, cables), np.array(rows), np.array(nodes) // half


def split_mix_64(count, seed):
    """Return the outputs of SplitMix64 without their lowest bits, one after the other."""
    found, mask = [], (1 << 64) - 1
    for _ in range(count):
        seed = seed + 0x9E3779B97F4A7C15 & mask
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        found.append((mixed ^ mixed >> 31) >> 1)
    return found
