"""`isoplane evaluate`: the metrics of one network."""

from omegaconf import DictConfig

from isoplane.models import Circuits, Design
from isoplane.runs.config.config_values import given_words, plain
from isoplane.runs.config.setup import design_of, judged_workload
from isoplane.runs.config.unused_options import check_effects, check_family
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.result_table import hybrid_comparison
from isoplane.runs.terminal.table import comparison


def run(config: DictConfig) -> int:
    """Print the metrics of the configured network beside those of the plainest one of its family."""
    data = plain(config)
    check_effects("evaluate", data, given_words())
    if data["record"] is None:
        check_family(data, given_words())
    design = design_of(data)
    if not design.network.family.has_circuits:
        print(comparison(design.network, design.network.baseline))
    else:
        baseline = Design(design.network, Circuits(), design.placement)
        print(hybrid_comparison(design, baseline, judged_workload(data)))
    return codes.DONE
