"""Verbs as Hydra applications: sweeps, and the other flags of Hydra."""

import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.installed_choices import add_installed_choices
from isoplane.runs.folder.job_list import write_failure
from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, NOTHING_FEASIBLE, Ending
from isoplane.runs.terminal.messages import messages_from, one_line, print_message
from isoplane.runs.terminal.pipe import piped

from .errors import raise_launcher_error
from .hydra_folders import WRITERS, Leftovers, remove_leftovers
from .job import QUIET, composition_errors, errors_in_one_line, run_job
from .sweep_jobs import LOCAL_JOBS, collect_ends, write_end

LEFTOVERS = "+hydra.callbacks.leftovers._target_=isoplane.runs.cli.hydra_folders.Leftovers"


def run_application(verb: str, flags: list[str], overrides: list[str]) -> int:
    """Run the Hydra application of a verb, and return the largest exit code of its jobs."""
    jobs: list[int] = []
    ending, saved_argv = Ending(), sys.argv
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors are raised instead of printed as a page of usage
    sys.argv = [
        *(f"isoplane {verb}", *flags, "--", *QUIET, LEFTOVERS, f"hydra.help.app_name='isoplane {verb}'", *overrides)
    ]
    with ExitStack() as clean_up:
        clean_up.callback(setattr, sys, "argv", saved_argv)
        clean_up.callback(lambda: remove_leftovers(remove_job_list=not jobs or verb not in WRITERS))
        clean_up.callback(LOCAL_JOBS.wait, end=True)  # those that an unexpected error leaves running
        with errors_in_one_line(verb, overrides, ending):
            ending.code = _run(verb, overrides, jobs)
            sys.stdout.flush()
        LOCAL_JOBS.wait(end=ending.code == INTERRUPTED)
        for ended, messages in [end for sweep in Leftovers.sweep for end in collect_ends(sweep)]:
            jobs.append(ended)
            for message in messages if ended else ():
                print_message(message)
    return max([ending.code, *jobs])


def _run(verb: str, overrides: list[str], jobs: list[int]) -> int:
    """Run the application on `sys.argv`; each job appends its exit code."""
    import hydra

    main_pid = os.getpid()

    def job(config: DictConfig) -> None:
        # An exit inside one job would end a sweep, so every job ends with a code instead.
        jobs.append(0)
        sent, ending = len(messages_from(0)), Ending()
        hydra_job = HydraConfig.get()
        if len(Leftovers.own_words) > 1 and os.getpid() == main_pid:
            number, words = hydra_job.job.num, " ".join(Leftovers.own_words[hydra_job.job.num])
            print(one_line(f"job {number + 1} of {len(Leftovers.own_words)}: {words}"), file=sys.stderr, flush=True)
        with piped(ending), errors_in_one_line(verb, overrides, ending):
            ending.code = run_job(verb, config)
        jobs[-1] = ending.code
        if hydra_job.mode == RunMode.MULTIRUN and verb in WRITERS and ending.code in (BAD_INPUT, NOTHING_FEASIBLE):
            with suppress(OSError):  # such as of a full disk, which the job has said
                messages = [message.removeprefix(f"isoplane {verb}: ") for message in messages_from(sent)]
                write_failure(Path(hydra_job.runtime.output_dir), hydra_job.overrides.task, ending.code, messages)
        if os.getpid() != main_pid:
            write_end(jobs[-1], messages_from(sent))  # a launcher's process: its lists are its own

    try:
        with composition_errors(verb, overrides, jobs):
            add_installed_choices()
            hydra.main(version_base="1.3", config_path="pkg://isoplane.conf", config_name=verb)(job)()
    except SystemExit as end:  # from --help and the like, or from `Leftovers`
        if isinstance(end.__cause__, InputError):
            raise end.__cause__ from None
        return int(end.code or 0)
    except RuntimeError as error:
        raise_launcher_error(error)
        raise
    return 0
