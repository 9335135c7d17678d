"""`isoplane evaluate`: the metrics of one network."""

from omegaconf import DictConfig

from isoplane.models import Circuits, Design, Network, identical_planes

from . import codes
from .compared import hybrid_comparison
from .effects import check_effects, check_family
from .setup import design_of, judged_workload
from .table import comparison
from .values import given_words, plain


def run(config: DictConfig) -> int:
    """Print the metrics of the configured network beside those of the plainest one of its family."""
    data = plain(config)
    check_effects("evaluate", data, given_words())
    if data["record"] is None:
        check_family(data, given_words())
    design = design_of(data)
    if isinstance(design.network, Network):
        print(comparison(design.network, identical_planes(design.network)))
    else:
        baseline = Design(design.network, Circuits(), design.placement)
        print(hybrid_comparison(design, baseline, judged_workload(data)))
    return codes.DONE
