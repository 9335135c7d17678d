"""What Hydra writes by itself: held off folders that somebody else writes into, and removed where it tells nothing."""

import shutil
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar

from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.folder.folder_lock import locked

WRITERS = ("search", "simulate", "reproduce")  # verbs with a folder for each run
CODE = ".code-"
JOBS = "multirun.yaml"
NO_SLURM = "no srun here, so this is no machine of a Slurm cluster; expected processes, ray_tasks, or slurm on one"


class Refusal(SystemExit):
    """Ends Hydra before it writes; of other exceptions in a callback it would only warn."""

    def __init__(self, error: InputError) -> None:
        super().__init__(2)
        self.error = error


class Leftovers(Callback):
    """Locks the folder of a sweep, and remembers what Hydra makes: folders, and the list of jobs of a sweep."""

    folders: ClassVar[list[Path]] = []
    jobs: ClassVar[list[Path]] = []
    sweep: ClassVar[list[Path]] = []
    lock: ClassVar[ExitStack] = ExitStack()

    def on_run_start(self, config: DictConfig, **_: Any) -> None:
        """Remember the folders that are missing, innermost first."""
        _check(config, multirun=False)
        self.folders[:] = _missing(Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Remember them, and lock the folder of the sweep, whose list of jobs is a new file."""
        _check(config, multirun=True)
        if config.hydra.launcher._target_.endswith(".SlurmLauncher") and shutil.which("srun") is None:
            raise Refusal(InputError(f"hydra/launcher=slurm: {NO_SLURM}"))
        folder = Path(config.hydra.sweep.dir)
        missing = _missing(folder)
        try:
            self.lock.enter_context(locked(folder, "hydra.sweep.dir", (JOBS,)))
        except InputError as error:
            raise Refusal(error) from error
        self.sweep[:], self.folders[:], self.jobs[:] = [folder], missing, [folder / JOBS]


def leave_code(code: int) -> None:
    """Leave the exit code of a job in the folder of its sweep, for the process that launched it."""
    hydra = HydraConfig.get()
    Path(hydra.sweep.dir, f"{CODE}{hydra.job.num}").write_text(str(code), encoding="utf-8")


def collected_codes() -> list[int]:
    """Return the codes that jobs in other processes have left, and remove them."""
    files = [file for folder in Leftovers.sweep for file in folder.glob(f"{CODE}*")]
    codes = [int(file.read_text(encoding="utf-8")) for file in files]
    for file in files:
        file.unlink()
    Leftovers.sweep.clear()
    return codes


def remove_leftovers(*, list_too: bool) -> None:
    """Remove the folders that are still empty, and let go of that of a sweep.

    Parameters
    ----------
    list_too
        Whether nobody needs the list of jobs: none ran, or none has a folder.
    """
    with suppress(OSError):
        for file in Leftovers.jobs if list_too else ():
            file.unlink(missing_ok=True)
    Leftovers.lock.close()
    with suppress(OSError):
        for folder in Leftovers.folders:
            folder.rmdir()
    Leftovers.folders.clear()
    Leftovers.jobs.clear()


def _check(config: DictConfig, *, multirun: bool) -> None:
    """Make sure that folders given are used, and that Hydra writes no files of its own into them."""
    hydra, verb = config.hydra, config.hydra.job.config_name
    sweeps = verb in WRITERS and multirun
    used = {"hydra.sweep.": sweeps, "hydra.run.": verb == "report" or (verb in WRITERS and not multirun)}
    for word in hydra.overrides.hydra:
        if any(word.startswith(start) and not effect for start, effect in used.items()):
            allowed = "hydra.sweep.dir" if sweeps else "hydra.run.dir" if used["hydra.run."] else "no folder"
            raise Refusal(InputError(f"{word}: without effect; expected {allowed}"))
    if hydra.output_subdir is not None:
        raise Refusal(InputError(f"hydra.output_subdir={hydra.output_subdir}: expected null; a run has a config.yaml"))
    for name in ("job_logging", "hydra_logging"):
        handlers = (hydra[name] or {}).get("handlers") or {}
        if any("filename" in handler for handler in handlers.values()):
            raise Refusal(InputError(f"hydra/{name}: a file beside those of a run; expected disabled, stdout"))


def _missing(folder: Path) -> list[Path]:
    folder = folder.absolute()
    return [place for place in (folder, *folder.parents) if not place.exists()]
