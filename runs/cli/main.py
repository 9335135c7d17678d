"""Entry point: picks the verb, runs its Hydra application, turns errors into one line and an exit code."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

from isoplane.models import InputError
from omegaconf import DictConfig

from .codes import BAD_INPUT, INTERRUPTED
from .errors import describe

VERBS = {
    "search": "find the best network and write records and a report",
    "evaluate": "print the metrics of one network",
    "verify": "recompute a record with the independent reference",
    "report": "write the report of a run or record, or print the table of a sweep",
    "reproduce": "recompute a published figure and compare",
    "best": "print the best known designs",
}
# Hydra's own logging and folders would only repeat what the verbs print and write.
QUIET = ("hydra/job_logging=disabled", "hydra/hydra_logging=disabled", "hydra.output_subdir=null")


def main(arguments: list[str] | None = None) -> int:
    """Run `isoplane VERB ...` and return its exit code.

    0 done, 2 bad input, 3 target not reached, 4 nothing feasible, 5 verification failed, 130 interrupted. Under
    ``--multirun`` the largest of the jobs' codes.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0 if arguments else BAD_INPUT
    verb, *overrides = arguments
    if verb not in VERBS:
        print(f"isoplane: verb {verb!r}: allowed are {', '.join(VERBS)}", file=sys.stderr)
        return BAD_INPUT
    return _run(verb, overrides)


def _usage() -> str:
    width = max(map(len, VERBS))
    lines = [f"  {verb:<{width}}  {what}" for verb, what in VERBS.items()]
    return (
        "usage: isoplane VERB [Hydra overrides]\n\n" + "\n".join(lines) + "\n\nisoplane VERB --help shows the options."
    )


def _run(verb: str, overrides: list[str]) -> int:
    import hydra
    from hydra._internal.utils import (
        get_args_parser,
    )  # its own parser would answer an unknown flag with a page of usage

    _, unknown = get_args_parser().parse_known_args(overrides)
    if unknown:
        print(f"isoplane {verb}: {unknown[0]}: unknown flag; isoplane {verb} --help shows the options", file=sys.stderr)
        return BAD_INPUT
    work: Callable[[DictConfig], int] = import_module(f"isoplane.runs.cli.{verb}").run
    codes: list[int] = []

    def job(config: DictConfig) -> None:
        # An exit inside one job would end a sweep: every job ends with a code instead.
        codes.append(_guarded(verb, lambda: work(config)))

    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors reach us as exceptions instead of a page of usage
    before = sys.argv
    sys.argv = [f"isoplane {verb}", *overrides, *QUIET]
    try:
        application = hydra.main(version_base="1.3", config_path="pkg://isoplane.conf", config_name=verb)(job)
        code = _guarded(verb, lambda: application() or 0)
    finally:
        sys.argv = before
    return max([code, *codes])


def _guarded(verb: str, work: Callable[[], int]) -> int:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        return work()
    except (InputError, HydraException, OmegaConfBaseException, OSError) as error:
        print(f"isoplane {verb}: {describe(verb, error)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
