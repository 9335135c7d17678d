"""`isoplane verify`: a record against the independent reference."""

from omegaconf import DictConfig

from isoplane.runs.records import read_record, verify

from . import codes
from .setup import path_of, plain


def run(config: DictConfig) -> int:
    """Recompute every number of a record; name those that differ.

    Raises
    ------
    InputError
        If no record is given or it cannot be read.
    """
    path = path_of("record", plain(config)["record"])
    differences = verify(read_record(path, check_id=False))
    for difference in differences:
        print(difference)
    print(f"{path}: {f'{len(differences)} differences' if differences else 'every number agrees with the reference'}")
    return codes.VERIFICATION_FAILED if differences else codes.DONE
