"""How much of its links a pair of nodes can use by itself, and how evenly planes are used."""

import numpy as np

from isoplane.models import Network
from isoplane.models.paths.nearest_plane import nearest_shares
from isoplane.models.paths.path_shares import base_parts
from isoplane.models.policy import depends_on_queues, plane_weights


def plane_use(network: Network) -> dict[str, float] | None:
    """Return the links that a lone pair of nodes can fill, and the traffic of the most used plane.

    A packet stream of two nodes is divided among the planes as the policy divides packets: evenly over the nearest
    planes, or by fixed shares. It fills 1 / max(w_p) links, if plane p carries the part w_p of it. Cables between
    switches are not considered, as a link of a node has the rate of one of them or less.

    Parameters
    ----------
    network
        A network whose nodes have one link in each plane, to switches of the same number.

    Returns
    -------
    dict of str to float, or None
        ``pair_links`` and ``pair_links_least``, the mean and the least number of links over the ordered pairs of
        different nodes; ``plane_imbalance``, the traffic of the most used plane under all-to-all traffic, relative to
        the mean over the planes. None for one plane, if nodes have other links, if the policy depends on queues, or if
        routes name the plane of each pair.

    Examples
    --------
    Two planes of a square. Opposite switches of plane 0 are neighbours in plane 1, where another pair is opposite.

    >>> from isoplane.models import dual_cube
    >>> plane_use(dual_cube(2, (1, 3), nodes_per_switch=1))
    {'pair_links': 1.3333333333333333, 'pair_links_least': 1.0, 'plane_imbalance': 1.0}
    """
    planes, policy = network.planes, network.policy
    has_other_pairs = any(plane.node_start is not None or plane.routes.carried is not None for plane in planes)
    if len(planes) == 1 or depends_on_queues(policy) or has_other_pairs:
        return None
    weights = plane_weights(policy, len(planes))
    if weights is not None:
        filled, imbalance = sum(weights) / max(weights), len(planes) * max(weights) / sum(weights)
        return {"pair_links": filled, "pair_links_least": filled, "plane_imbalance": imbalance}
    every = [np.ones(plane.topology.switches, dtype=np.bool_) for plane in planes]
    shares = nearest_shares(network, [plane.topology for plane in planes], every)
    if shares is None:
        return None
    nodes = np.bincount(planes[0].node_switch, minlength=planes[0].topology.switches)
    pairs = np.outer(nodes, nodes) - np.diag(nodes)
    filled = base_parts(network) / np.max(shares, axis=0)
    carried = [int((pairs * share).sum()) for share in shares]
    return {
        "pair_links": float((pairs * filled).sum() / pairs.sum()),
        "pair_links_least": float(filled[pairs > 0].min()),
        "plane_imbalance": len(planes) * max(carried) / sum(carried),
    }
