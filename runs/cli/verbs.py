"""All verbs: runs the Hydra application of a verb; turns errors into one line and an exit code."""

import io
import os
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr
from importlib import import_module

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.allowed_keys import check_keys
from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED
from isoplane.runs.terminal.heartbeat import beating
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory
from isoplane.runs.terminal.messages import messages_from, print_message
from isoplane.runs.terminal.pipe import piped

from .errors import describe, raise_launcher_error
from .hydra_cleanup import WRITERS, Leftovers, Refusal, remove_leftovers
from .sweep_jobs import LOCAL_JOBS, collect_ends, sweep_has_ended, write_end

# Hydra's own logging and folders would only duplicate the output of the verbs.
QUIET = (
    "hydra/job_logging=disabled",
    "hydra/hydra_logging=disabled",
    "hydra.output_subdir=null",
    "+hydra.callbacks.leftovers._target_=isoplane.runs.cli.hydra_cleanup.Leftovers",
)


def run_verb(verb: str, words: list[str]) -> int:
    """Run a verb with the rest of its command line, and return the exit code."""
    import hydra
    from yaml import YAMLError

    from isoplane.runs.inputs.yaml_files import watch_sources

    from .run_mode import compose_once

    try:
        flags, overrides = _split_words(words)
    except ValueError as problem:
        print_message(f"isoplane {verb}: {problem}; isoplane {verb} --help shows the options")
        return BAD_INPUT
    jobs: list[int] = []
    main_pid = os.getpid()

    def job(config: DictConfig) -> None:
        # An exit inside one job would end a sweep, so every job ends with a code instead.
        jobs.append(0)
        sent = len(messages_from(0))
        jobs[-1] = piped(lambda: _exit_code_of(verb, overrides, lambda: _work(verb, config)))
        if os.getpid() != main_pid:
            write_end(jobs[-1], messages_from(sent))  # a launcher's process: its lists are its own

    def application() -> int:
        try:
            hydra.main(version_base="1.3", config_path="pkg://isoplane.conf", config_name=verb)(job)()
        except Refusal as refusal:
            raise refusal.error from None
        except SystemExit as end:  # from --help and the like
            return int(end.code or 0)
        except (ValueError, TypeError, AssertionError, KeyError, YAMLError) as error:
            if jobs:
                raise
            raise InputError(describe(verb, overrides, error)) from error  # the config cannot be composed
        except RuntimeError as error:
            raise_launcher_error(error)
            raise
        return 0

    watch_sources()
    compose_once()
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors are raised instead of printed as a page of usage
    saved_argv = sys.argv
    sys.argv = [f"isoplane {verb}", *flags, "--", *QUIET, f"hydra.help.app_name='isoplane {verb}'", *overrides]
    with ExitStack() as clean_up:
        clean_up.callback(setattr, sys, "argv", saved_argv)
        clean_up.callback(lambda: remove_leftovers(remove_job_list=not jobs or verb not in WRITERS))
        clean_up.callback(LOCAL_JOBS.wait, end=True)  # those that an unexpected error leaves running
        code = _exit_code_of(verb, overrides, application)
        LOCAL_JOBS.wait(end=code == INTERRUPTED)
        for ended, messages in [end for sweep in Leftovers.sweep for end in collect_ends(sweep)]:
            jobs.append(ended)
            for message in messages if ended else ():
                print_message(message)
        return max([code, *jobs])


def _work(verb: str, config: DictConfig) -> int:
    from isoplane.objectives import chosen_isa
    from isoplane.runs.config.config_values import plain

    with INTERRUPT.caught(at_once=True), beating(verb):
        if INTERRUPT.requested:  # in an earlier job of the sweep, or where a library ignores exceptions
            raise KeyboardInterrupt
        if sweep_has_ended():
            return INTERRUPTED
        check_keys(verb, plain(config))
        try:
            chosen_isa()
        except RuntimeError as error:  # bad value of the environment variable that selects an instruction set
            raise InputError(str(error)) from error
        code: int = import_module(f"isoplane.runs.cli.{verb.replace('-', '_')}").run(config)
        return code


def _split_words(words: list[str]) -> tuple[list[str], list[str]]:
    """Return flags and overrides separately, because Hydra accepts overrides only on one side of a flag.

    Raises
    ------
    ValueError
        If a flag is wrong; Hydra itself would print a page of usage.
    """
    from hydra._internal.utils import get_args_parser

    usage = io.StringIO()
    try:
        with redirect_stderr(usage):
            known, unknown = get_args_parser().parse_known_intermixed_args(words)
    except SystemExit as end:
        if not end.code:
            raise
        raise ValueError(usage.getvalue().strip().rpartition("error: ")[2]) from end
    if unknown:
        raise ValueError(f"{unknown[0]}: unknown flag")
    if known.experimental_rerun is not None:
        raise ValueError("--experimental-rerun: it would run code from a file; expected isoplane search resume=FOLDER")
    rest = Counter(known.overrides)
    flags = []
    for word in words:
        if rest[word]:
            rest[word] -= 1
        else:
            flags.append(word)
    return flags, known.overrides


def _exit_code_of(verb: str, overrides: list[str], work: Callable[[], int]) -> int:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        code = work()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        pass
    except Exception as error:
        if not follows_interrupt(error):
            expected = (InputError, HydraException, OmegaConfBaseException, OSError)
            if not isinstance(error, expected) and not is_lack_of_memory(error):
                raise
            print_message(f"isoplane {verb}: {describe(verb, overrides, error)}")
            return BAD_INPUT
    INTERRUPT.announce(f"isoplane {verb}: interrupted")
    return INTERRUPTED
