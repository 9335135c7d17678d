"""`isoplane evaluate`: the metrics of one network."""

from omegaconf import DictConfig

from isoplane.models import identical_planes

from . import codes
from .setup import design_of, plain
from .table import comparison


def run(config: DictConfig) -> int:
    """Print the metrics of the configured network beside those of identical planes."""
    network = design_of(plain(config)).network
    print(comparison(network, identical_planes(network)))
    return codes.DONE
