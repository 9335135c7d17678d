"""The formulas behind the numbers of hybrid networks, and where they come from."""

from isoplane.models import Hybrid

from ..formulas import Formula

FAIRNESS = "Bertsekas and Gallager, Data Networks, 2nd edition, section 6.5.2"
TAKIZAWA = "Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect"


def formulas(hybrid: Hybrid) -> list[Formula]:
    """Return how every number of the page is computed, with the constants of a network.

    Examples
    --------
    >>> formulas(Hybrid())[1].text
    'inside a group 2 · 20 + 420 = 460 ns; between groups 4 · 20 + 3 · 420 = 1340 ns; over a circuit 80 ns'
    """
    link, switch = float(hybrid.link_ns), float(hybrid.switch_ns)
    inside, between = 2 * link + switch, 4 * link + 3 * switch
    return [
        Formula(
            "Route of a message",
            "between groups over circuits, by distance vectors: a leg inside a group costs "
            f"2 / {float(hybrid.node_gbps):g}, a circuit 1 / {float(hybrid.circuit_gbps):g}; over the packet network "
            "inside a group, and between groups that no circuits connect",
            f"{TAKIZAWA}, section 2, step 4",
        ),
        Formula(
            "Delay of a leg",
            f"inside a group 2 · {link:g} + {switch:g} = {inside:g} ns; between groups 4 · {link:g} + 3 · {switch:g} = "
            f"{between:g} ns; over a circuit {float(hybrid.circuit_ns):g} ns",
            f"{TAKIZAWA}, Fig. 1 and Table 1",
        ),
        Formula(
            "Rates",
            "max-min fair at every moment, by progressive filling: the rates of all transfers grow alike; where a link "
            "is full, those over it stay as they are and the others grow on",
            FAIRNESS,
        ),
        Formula(
            "Completion",
            "when the last message has arrived; relayed by messages, each leg begins when the one before is over; by "
            "packets, a message is sent over all its legs at once",
            f"{TAKIZAWA}, section 2; {FAIRNESS}",
        ),
        Formula(
            "Busy time of a link",
            "8 · bytes one way / rate; the bottleneck is the longest one, and no completion is shorter",
            "the capacity of a link",
        ),
        Formula(
            "Round robin",
            "pairs of groups that communicate get a circuit in turn, each between their lowest free nodes; processes "
            "by switch (SP) or by a balanced cut of their traffic (CP)",
            f"{TAKIZAWA}, section 2, steps 2 and 3",
        ),
    ]
