"""Entry point: picks the verb, runs its Hydra application, turns errors into one line and an exit code."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib import import_module

from isoplane.models import InputError
from omegaconf import DictConfig

from .codes import BAD_INPUT, INTERRUPTED
from .errors import describe
from .interrupt import INTERRUPT
from .keys import check_keys
from .setup import plain

VERBS = {
    "search": "find the best network and write records and a report",
    "evaluate": "print the metrics of one network",
    "verify": "recompute a record with the independent reference",
    "report": "write the report of a run or record, or print the table of a sweep",
    "reproduce": "recompute a published figure and compare",
    "best": "print the best known designs",
}
# Hydra's own logging and folders would only repeat what the verbs print and write.
QUIET = (
    "hydra/job_logging=disabled",
    "hydra/hydra_logging=disabled",
    "hydra.output_subdir=null",
    "+hydra.callbacks.empty_folders._target_=isoplane.runs.cli.empty_folders.EmptyFolders",
)


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


def _run(verb: str, words: list[str]) -> int:
    import hydra

    problem = _bad_flag(words)
    if problem is not None:
        print(f"isoplane {verb}: {problem}; isoplane {verb} --help shows the options", file=sys.stderr)
        return BAD_INPUT
    jobs: list[int] = []

    def work(config: DictConfig) -> int:
        if INTERRUPT.requested:  # in an earlier job of the sweep
            return INTERRUPTED
        with INTERRUPT.caught(at_once=True):
            check_keys(verb, plain(config))
            code: int = import_module(f"isoplane.runs.cli.{verb}").run(config)
            return code

    def job(config: DictConfig) -> None:
        # An exit inside one job would end a sweep: every job ends with a code instead.
        jobs.append(0)
        jobs[-1] = _guarded(verb, words, lambda: work(config))

    def application() -> int:
        try:
            hydra.main(version_base="1.3", config_path="pkg://isoplane.conf", config_name=verb)(job)()
        except (ValueError, TypeError, AssertionError, KeyError) as error:
            if jobs:
                raise
            raise InputError(describe(verb, words, error)) from error  # Hydra's, of a config that cannot be composed
        return 0

    before = sys.argv
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors reach us as exceptions instead of a page of usage
    sys.argv = [f"isoplane {verb}", *words, *QUIET]
    try:
        return max([_guarded(verb, words, application), *jobs])
    finally:
        sys.argv = before


def _bad_flag(words: list[str]) -> str | None:
    """Return what is wrong with the flags, if anything; Hydra would answer with a page of usage."""
    from hydra._internal.utils import get_args_parser

    said = io.StringIO()
    try:
        with redirect_stderr(said):
            _, unknown = get_args_parser().parse_known_args(words)
    except SystemExit as end:
        if not end.code:
            raise
        return said.getvalue().strip().rpartition("error: ")[2]
    return f"{unknown[0]}: unknown flag" if unknown else None


def _guarded(verb: str, words: list[str], work: Callable[[], int]) -> int:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        return work()
    except (InputError, HydraException, OmegaConfBaseException, OSError) as error:
        print(f"isoplane {verb}: {describe(verb, words, error)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"isoplane {verb}: interrupted", file=sys.stderr)
        return INTERRUPTED
