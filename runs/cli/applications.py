"""Verbs as Hydra applications: sweeps, and the other flags of Hydra."""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from hydra import initialize_config_module
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from isoplane.fleet.threads import processors
from isoplane.models import InputError
from isoplane.models.files.exact_text import counted
from isoplane.runs.config.config_values import key_of
from isoplane.runs.config.installed_choices import add_installed_choices
from isoplane.runs.config.option_files import LAUNCHER, group_names
from isoplane.runs.folder.folder_lock import require_free, resume_command
from isoplane.runs.folder.job_list import JOBS, job_words, write_failure
from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, NOTHING_FEASIBLE, Ending
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.messages import messages_from, print_message
from isoplane.runs.terminal.pipe import logs_piped, piped
from isoplane.runs.terminal.table_output import print_joined, tables_kept

from .errors import raise_launcher_error
from .hydra_folders import Leftovers, check_sweep, jobs_have_files, remove_leftovers
from .job import QUIET, composition_errors, errors_in_one_line, run_job
from .resumed_sweep import FREE, Resumed, resumed_job
from .sweep_jobs import LOCAL_JOBS, OTHER_JOBS, WRITERS, Tables, announce_job, folder_name, in_own_process, job_line
from .typed_words import with_open_keys

LEFTOVERS = "+hydra.callbacks.leftovers._target_=isoplane.runs.cli.hydra_folders.Leftovers"


def run_application(verb: str, flags: list[str], overrides: list[str], resumed: Resumed | None = None) -> int:
    """Run the Hydra application of a verb, and return the largest exit code of its jobs.

    Parameters
    ----------
    verb, flags, overrides
        The verb, and the words of its command line.
    resumed
        The sweep that is continued, to which the overrides are, if it is one.
    """
    overrides, ends = with_open_keys(overrides), dict[int, tuple[int, Tables]]()
    ending, saved_argv = Ending(), sys.argv
    given = get_args_parser().parse_args(flags)
    if given.multirun:
        with errors_in_one_line(verb, overrides, ending):
            overrides = with_swept_keys(overrides)
            if given.cfg:
                _list_jobs(verb, given, overrides, resumed)
        if ending.code or given.cfg:
            return ending.code
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors are raised instead of printed as a page of usage
    sys.argv = [f"isoplane {verb}", *flags, "--", *QUIET, LEFTOVERS, *overrides]
    Leftovers.resumed[:] = [] if resumed is None else [resumed[0]]
    with ExitStack() as clean_up:
        clean_up.callback(setattr, sys, "argv", saved_argv)
        clean_up.callback(lambda: _remove_leftovers(verb, ends))
        clean_up.callback(LOCAL_JOBS.wait, end=True)  # those that an unexpected error leaves running
        with errors_in_one_line(verb, [*overrides, *flags], ending), logs_piped():
            ending.code = _run(verb, [*overrides, *flags], ends, resumed)
            sys.stdout.flush()
        LOCAL_JOBS.wait(end=ending.code == INTERRUPTED)
        ends |= OTHER_JOBS.close()
        if verb in FREE and Leftovers.sweep and INTERRUPTED in (ending.code, *(code for code, _ in ends.values())):
            print_message(f"isoplane {verb}: the sweep continues with {resume_command(verb, Leftovers.sweep[0])}")
        swept = dict(enumerate(Leftovers.swept))
        print_joined((swept.get(number, {}), tables) for number, (_, tables) in sorted(ends.items()))
    return max([ending.code, *(code for code, _ in ends.values())])


def with_swept_keys(words: Sequence[str]) -> list[str]:
    """Return the words of a sweep over choices of a group so that its keys are those of the choice of each job.

    Hydra would compose the sweep itself with the default choice, and refuse the keys that this one lacks.

    Examples
    --------
    >>> with_swept_keys(["network=torus,mesh", "network.shape=[4,4]", "network.routing=up_down,balanced", "seed=2"])
    ['network=torus,mesh', 'network.shape=choice([4,4])', 'network.routing=up_down,balanced', 'seed=2']
    """
    plain = [word for word in words if "=" in word and word[0] not in "+~" and not word.endswith("=")]
    parsed = zip(plain, OverridesParser.create().parse_overrides(plain), strict=True)
    swept = {word for word, override in parsed if override.is_sweep_override()}
    groups = tuple(f"{key_of(word)}." for word in swept if word.partition("=")[0].partition("@")[0] in group_names())
    kept = [word not in plain or word in swept or not key_of(word).startswith(groups) for word in words]
    return [word if same else f"{word.replace('=', '=choice(', 1)})" for word, same in zip(words, kept, strict=True)]


def _list_jobs(verb: str, flags: Namespace, overrides: list[str], resumed: Resumed | None) -> None:
    """Print the jobs of a sweep, each with its options, and where they would run; none is run, nothing is written.

    Raises
    ------
    InputError
        If the sweep would be refused, or its sweeper knows its jobs only while they run.
    """
    if flags.cfg != "job" or flags.package or flags.resolve:
        raise InputError("--multirun --cfg: expected --cfg job alone, which lists the jobs")
    folders = [f"hydra.searchpath=['file://{Path(flags.config_dir).absolute()}']"] if flags.config_dir else []
    with composition_errors(verb, overrides), initialize_config_module("isoplane.conf", version_base="1.3"):
        add_installed_choices()
        hydra: Any = GlobalHydra.instance().hydra
        config = hydra.compose_config(verb, [*QUIET, *folders, *overrides], RunMode.MULTIRUN)
        at_once, jobs = check_sweep(config), job_words(config.hydra)
        if resumed is None:
            require_free(Path(config.hydra.sweep.dir), "hydra.sweep.dir", (JOBS,))
        if not jobs:
            sweeper = config.hydra.sweeper._target_
            raise InputError(
                f"--multirun --cfg job: jobs of {sweeper} are not known before they run; expected no --cfg"
            )
        for words, _ in jobs:  # to find out whether any is refused
            hydra.config_loader.load_sweep_config(config, words)
    for number, (words, own) in enumerate(jobs):
        print(job_line(number, len(jobs), [*map("=".join, own.items())] or words))
    print(_launcher_line(config.hydra, at_once), flush=True)


def _launcher_line(hydra: Any, at_once: int | None) -> str:
    """Return where the jobs of a sweep run, and how many processors each has."""
    name, launcher = hydra.runtime.choices[LAUNCHER], hydra.launcher
    if launcher._target_.endswith(".BasicLauncher"):
        return f"{LAUNCHER}={name}: one job after the other in this process, with {counted(processors(), 'processor')}"
    each = OmegaConf.select(launcher, "cpus_per_task", default=OmegaConf.select(launcher, "ray.remote.num_cpus"))
    share = "all processors" if each is None else counted(each, "processor")
    return f"{LAUNCHER}={name}: {share} for each job{'' if at_once is None else f', up to {at_once} at once'}"


def _remove_leftovers(verb: str, ends: Mapping[int, object]) -> None:
    writes = verb in WRITERS
    remove_leftovers(
        remove_job_list=not writes or not (ends or jobs_have_files()),
        remove_logs=not writes and len(ends) == len(Leftovers.swept),
    )


def _run(verb: str, words: list[str], ends: dict[int, tuple[int, Tables]], resumed: Resumed | None) -> int:
    """Run the application on `sys.argv`; each job in this process leaves its exit code and tables."""
    import hydra

    main_pid = os.getpid()

    def job(config: DictConfig) -> None:
        if os.getpid() != main_pid:  # a launcher's process: its dictionary is its own
            with in_own_process(main_pid) as end:
                end(*_run_job(verb, words, config, resumed))
            return
        hydra_job = HydraConfig.get()
        number = hydra_job.job.num if hydra_job.mode == RunMode.MULTIRUN else 0
        if Leftovers.swept and not INTERRUPT.requested:  # else it ends at once
            announce_job(number, Leftovers.swept, folder_name(hydra_job))
        ends[number] = 0, []
        code, _, tables = _run_job(verb, words, config, resumed)
        ends[number] = code, tables

    try:
        with composition_errors(verb, words, ends):
            add_installed_choices()
            hydra.main(version_base="1.3", config_path="pkg://isoplane.conf", config_name=verb)(job)()
    except SystemExit as end:  # from --info and the like, or from `Leftovers`
        if isinstance(end.__cause__, InputError):
            raise end.__cause__ from None
        return int(end.code or 0)
    except RuntimeError as error:
        resume = resume_command(verb, Leftovers.sweep[0]) if verb in FREE and Leftovers.sweep else ""
        raise_launcher_error(verb, error, any_result=jobs_have_files(), resume=resume)
        raise
    return 0


def _run_job(verb: str, words: list[str], config: DictConfig, resumed: Resumed | None) -> tuple[int, list[str], Tables]:
    """Run a job, and return its exit code, messages and tables: an exit inside one job would end a sweep."""
    sent, ending, hydra = len(messages_from(0)), Ending(), HydraConfig.get()
    folder = Path(hydra.runtime.output_dir)
    with piped(ending), errors_in_one_line(verb, words, ending), tables_kept() as tables:
        ending.code = run_job(verb, config if resumed is None else resumed_job(config, folder, resumed))
    messages = messages_from(sent)
    if hydra.mode == RunMode.MULTIRUN and verb in WRITERS and ending.code in (BAD_INPUT, NOTHING_FEASIBLE):
        with suppress(OSError):  # such as of a full disk, which the job has said
            reasons = [message.removeprefix(f"isoplane {verb}: ") for message in messages]
            write_failure(folder, hydra.overrides.task, ending.code, reasons)
    return ending.code, messages, tables
