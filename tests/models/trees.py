"""References for fat-trees: cables port by port, tables by destination node (D-mod-k), and hashes of nodes."""

import numpy as np

from isoplane.models import Topology


def _topology(switches, ports, cables):
    """Return a topology from cables ((switch, port), (switch, port))."""
    peer, peer_port = (np.full((switches, ports), -1, dtype=np.int32) for _ in range(2))
    for one, other in cables:
        for end, (switch, port) in ((one, other), (other, one)):
            peer[end], peer_port[end] = switch, port
    return Topology(peer, peer_port)


def two_levels(leaves=4, hosts=4, spines=2):
    """Return topology, table and switch of every node: leaves first, then spines; the uplink is node mod spines."""
    cables = [((leaf, spine), (leaves + spine, leaf)) for leaf in range(leaves) for spine in range(spines)]
    node = np.arange(leaves * hosts)
    rows = [node % spines] * leaves + [node // hosts] * spines
    return _topology(leaves + spines, max(leaves, spines), cables), np.array(rows), node // hosts


def three_levels(ports=4):
    """Return the same for three levels (edge, aggregation, core), the lower two with half of their ports up."""
    half = ports // 2
    edges, aggregation = ports * half, ports * half
    cables = []
    for pod in range(ports):
        for i in range(half):
            middle = edges + pod * half + i
            cables += [((pod * half + e, i), (middle, e)) for e in range(half)]
            cables += [((middle, half + j), (edges + aggregation + i * half + j, pod)) for j in range(half)]
    node = np.arange(edges * half)
    edge, pod = node // half, node // half**2
    rows = [node % half] * edges
    for switch_pod in range(ports):
        rows += [np.where(pod == switch_pod, edge % half, half + edge % half)] * half
    rows += [pod] * half**2
    return _topology(edges + aggregation + half**2, ports, cables), np.array(rows), edge


def split_mix_64(count, seed):
    """Return the outputs of SplitMix64 without their lowest bits, one after the other."""
    found, mask = [], (1 << 64) - 1
    for _ in range(count):
        seed = seed + 0x9E3779B97F4A7C15 & mask
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        found.append((mixed ^ mixed >> 31) >> 1)
    return found
