"""Times of a workload under other rules of the fluid model than those of metrics, on the terminal."""

from statistics import median

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import plane_runs_ns


def fluid_rules_text(design: Design, workload: Workload | None, messages_start: str, sharing: str) -> str | None:
    """Return the completion of a workload under other rules than those of its metrics; None under these.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> torus, work = Design(Network(Torus(shape=(2, 2)))), stencil((2, 2), 1_250_000, iterations=1)
    >>> print(fluid_rules_text(torus, work, "both", "cm02"))
    with messages_start=both sharing=cm02: completion 100095 ns (100095 to 100095 in nine runs)
    """
    if workload is None or (messages_start, sharing) == ("sender", "equal"):
        return None
    runs = plane_runs_ns(design.network, workload, messages_start, sharing)
    rules = f"messages_start={messages_start} sharing={sharing}"
    return f"with {rules}: completion {median(runs)} ns ({min(runs)} to {max(runs)} in nine runs)"
