"""Evaluation of any network, for records of networks that are not results of a search."""

from isoplane.models import Design

from ..metrics.objective import Evaluation
from .exact import general_exact, general_metrics


def general_evaluation(design: Design) -> Evaluation:
    """Return score and metrics of a network: distances times load, then cable length.

    Raises
    ------
    InputError
        As for `general_exact`.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> general_evaluation(Design(Network(Torus(shape=(4, 4))))).score
    (6144, 32000)
    """
    exact = general_exact(design.network)
    names, score = ["total_hops*peak_load"], [exact.total_hops * exact.peak_load]
    if exact.cable_length_mm is not None:
        names.append("cable_length")
        score.append(exact.cable_length_mm)
    metrics = general_metrics(design.network, exact)
    return Evaluation(tuple(score), tuple(names), (None,) * len(score), metrics)
