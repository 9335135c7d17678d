"""`isoplane verify`: a record against the independent reference."""

from omegaconf import DictConfig

from isoplane.models import Network
from isoplane.objectives import ingredients, metrics
from isoplane.objectives.reference import measure
from isoplane.runs.records import Difference, read_record, verify

from . import codes
from .setup import design_of
from .values import path_of, plain


def run(config: DictConfig) -> int:
    """Recompute every number of a record, or the kernels' numbers of a configured network; name those that differ.

    Raises
    ------
    InputError
        If neither is given, or the record cannot be read.
    """
    data = plain(config)
    if data["record"] is None:
        name, differences = "network", _kernels_against_reference(design_of(data).cubes)
    else:
        name = str(path_of("record", data["record"]))
        differences = verify(read_record(name, check_id=False))
    for difference in differences:
        print(difference)
    print(
        f"{name}: {f'{len(differences)} number(s) differ' if differences else 'every number agrees with the reference'}"
    )
    return codes.VERIFICATION_FAILED if differences else codes.DONE


def _kernels_against_reference(network: Network) -> list[Difference]:
    ours, theirs = metrics(network, ingredients(network)), measure(network)
    return [Difference(f"metrics.{name}", ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]]
