"""Files and folders that Hydra itself creates: kept out of folders in use, and removed if left empty."""

import shutil
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.folder.folder_lock import locked, missing_folders
from isoplane.runs.folder.job_list import JOBS, job_words, kept_job_list

from .sweep_jobs import LOCAL_JOBS, OTHER_JOBS, WRITERS, check_launcher, forget_jobs, is_local, jobs_at_once

SUBMITIT = ".submitit"  # its folder in that of a sweep
OF_SWEEPS = ("hydra/launcher", "hydra.launcher", "hydra/sweeper", "hydra.sweeper")  # ignored by Hydra in a single run
FOLDERS = ("hydra.run.dir", "hydra.sweep.dir", "hydra.sweep.subdir")
NO_SLURM = "not found, so this machine is not in a Slurm cluster; expected processes, ray_tasks, or slurm in a cluster"
OF_SLURM = ("srun", "sbatch")  # programs that submit jobs


class Leftovers(Callback):
    """Locks the folder of a sweep, and records what Hydra creates: folders, and the job list of a sweep.

    So does it record the options of each job that not all jobs share, if the sweeper of Hydra itself makes the jobs.

    An `InputError` is the cause of a SystemExit, because Hydra only warns of any other exception in a callback.
    """

    folders: ClassVar[list[Path]] = []
    jobs: ClassVar[list[Path]] = []
    sweep: ClassVar[list[Path]] = []
    lock: ClassVar[ExitStack] = ExitStack()
    swept: ClassVar[list[dict[str, str]]] = []
    resumed: ClassVar[list[Path]] = []  # the folder of a sweep that is continued

    def on_run_start(self, config: DictConfig, **_: Any) -> None:
        """Record the missing folders, innermost first."""
        try:
            check_folders(config, multirun=False)
        except InputError as error:
            raise SystemExit(2) from error
        self.folders[:] = missing_folders(Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Record the missing folders, and lock the folder of the sweep, whose job list is new unless it is resumed."""
        try:
            at_once = check_sweep(config)
        except InputError as error:
            raise SystemExit(2) from error
        folder = Path(config.hydra.sweep.dir)
        missing = missing_folders(folder)
        lock = locked(folder, "resume") if self.resumed else locked(folder, "hydra.sweep.dir", (JOBS,))
        try:
            self.lock.enter_context(lock)
        except InputError as error:
            raise SystemExit(2) from error
        self.sweep[:], self.folders[:] = [folder], missing
        self.jobs[:] = [] if self.resumed else [folder / JOBS]
        self.swept[:] = [own for _, own in job_words(config.hydra)]
        if self.resumed:
            forget_jobs(folder)
            self.lock.enter_context(kept_job_list(folder))
        if not config.hydra.launcher._target_.endswith(".BasicLauncher"):
            OTHER_JOBS.watch(folder, self.swept)
        if is_local(config.hydra):
            LOCAL_JOBS.watch(folder, at_once)


def jobs_have_files() -> bool:
    """Whether any job of a sweep has left a file in its folder, even if it has not ended."""
    return any(any(folder.glob("[!.]*/*")) for folder in Leftovers.sweep)


def remove_leftovers(*, remove_job_list: bool, remove_logs: bool = False) -> None:
    """Remove folders that are still empty, and unlock that of a sweep.

    Parameters
    ----------
    remove_job_list
        Whether to remove the job list: no job ran, or none has a folder.
    remove_logs
        Whether to remove what a launcher has kept of its jobs: all have ended, and said so.
    """
    with suppress(OSError):
        for file in Leftovers.jobs if remove_job_list else ():
            file.unlink(missing_ok=True)
    for folder in Leftovers.sweep if remove_logs else ():
        shutil.rmtree(folder / SUBMITIT, ignore_errors=True)
    # Before the folders, in one of which it is a file.
    Leftovers.lock.close()
    with suppress(OSError):
        for folder in Leftovers.folders:
            folder.rmdir()
    for leftover in (Leftovers.folders, Leftovers.jobs, Leftovers.sweep, Leftovers.swept, Leftovers.resumed):
        leftover.clear()


def check_folders(config: DictConfig, *, multirun: bool) -> None:
    """Require that given folders and launchers are used, and that Hydra writes none of its own files into folders."""
    hydra, verb = config.hydra, config.hydra.job.config_name
    sweeps = verb in WRITERS and multirun
    used = {"hydra.sweep.": sweeps, "hydra.run.": verb == "report" or (verb in WRITERS and not multirun)}
    for word in hydra.overrides.hydra:
        key, _, value = word.lstrip("+").partition("=")
        if any(key.startswith(start) and not effect for start, effect in used.items()):
            prints = f", and with format=csv prints its table{' of all jobs' if multirun else ''}"
            none = f"no folder: {verb} writes none{prints if 'format' in config else ''}"
            allowed = "hydra.sweep.dir" if sweeps else "hydra.run.dir" if used["hydra.run."] else none
            raise InputError(f"{word}: has no effect; expected {allowed}")
        if key.startswith(OF_SWEEPS) and not multirun:
            raise InputError(f"{word}: has no effect without --multirun; expected --multirun, which makes a sweep")
        if key in FOLDERS and not value.strip("'\" "):  # the current folder, or one for all
            raise InputError(f"{word}: expected a folder; the current one is .")
    if hydra.output_subdir is not None:
        raise InputError(f"hydra.output_subdir={hydra.output_subdir}: expected null; a run has a config.yaml")
    for name in ("job_logging", "hydra_logging"):
        handlers = (hydra[name] or {}).get("handlers") or {}
        if any("filename" in handler for handler in handlers.values()):
            raise InputError(f"hydra/{name}: would write a file into the folder of a run; expected disabled, stdout")


def check_sweep(config: DictConfig) -> int | None:
    """Check the folders and the launcher of a sweep, and return how many of its jobs run at once, as `jobs_at_once`."""
    check_folders(config, multirun=True)
    _check_launcher(config.hydra.launcher._target_)
    check_launcher(config.hydra.launcher)
    return jobs_at_once(config.hydra)


def _check_launcher(target: str) -> None:
    """Require a launcher that can run jobs here, and ends those of this machine."""
    missing = [name for name in OF_SLURM if shutil.which(name) is None]
    if target.endswith(".SlurmLauncher") and missing:
        raise InputError(f"hydra/launcher=slurm: {missing[0]} {NO_SLURM}")
    if target.endswith(".LocalLauncher"):
        raise InputError("hydra/launcher=submitit_local: its jobs go on when the sweep ends; expected processes")
