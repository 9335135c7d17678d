"""`isoplane verify`: a record against the independent reference."""

from omegaconf import DictConfig

from isoplane.models import Design, Network
from isoplane.models.workloads import Workload
from isoplane.objectives import ingredients, metrics
from isoplane.objectives.fluid import exact_times, hybrid_metrics
from isoplane.objectives.reference import measure
from isoplane.runs.config.config_values import given_words, path_of, plain
from isoplane.runs.config.setup import design_of, judged_workload
from isoplane.runs.config.unused_options import check_effects, check_family
from isoplane.runs.records import Difference, read_record, verify, verify_times
from isoplane.runs.terminal import codes


def run(config: DictConfig) -> int:
    """Recompute every number of a record, or the kernels' numbers of a configured design; name those that differ.

    Raises
    ------
    InputError
        If neither is given, or the record cannot be read.
    """
    data = plain(config)
    check_effects("verify", data, given_words())
    if data["record"] is None:
        check_family(data, given_words())
        design = design_of(data)
        hybrid = design.network.family.has_circuits
        differences = _times(design, judged_workload(data)) if hybrid else _kernels_against_reference(design.network)
        name = "network"
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


def _times(design: Design, workload: Workload) -> list[Difference]:
    """Hold the fluid model of the kernels against the reference."""
    return verify_times(hybrid_metrics(design, exact_times(design, workload), workload), design, workload)
