"""`isoplane verify`: a record against the independent reference."""

from omegaconf import DictConfig

from isoplane.objectives import metrics_of
from isoplane.runs.config.config_values import given_words, path_of, plain
from isoplane.runs.config.designs import design_of, workload_for
from isoplane.runs.config.unused_options import check_effects, check_family
from isoplane.runs.records import read_record, verify, verify_metrics
from isoplane.runs.terminal import codes


def run(config: DictConfig) -> int:
    """Recompute every number of a record, or the metrics of a configured design; print those that differ.

    Raises
    ------
    InputError
        If neither is given, or the record cannot be read.
    """
    data = plain(config)
    check_effects("verify", data, given_words())
    if data["record"] is None and data["program"] is None:
        check_family(data, given_words(), times=True)
    if data["record"] is None:
        design = design_of(data)
        workload = workload_for(data, design)
        differences = verify_metrics(metrics_of(design, workload), design, workload)
        name = "network"
    else:
        name = str(path_of("record", data["record"]))
        differences = verify(read_record(name, check_id=False))
    for difference in differences:
        print(difference)
    differ = "1 number differs" if len(differences) == 1 else f"{len(differences)} numbers differ"
    print(f"{name}: {differ if differences else 'every number agrees with the reference'}")
    return codes.VERIFICATION_FAILED if differences else codes.DONE
