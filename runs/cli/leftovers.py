"""What Hydra leaves behind of a run that wrote nothing."""

from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from omegaconf import DictConfig

CODE = ".code-"


class Leftovers(Callback):
    """Remembers what Hydra is going to make: the folder of the run, or the folder and the list of jobs of a sweep."""

    folders: ClassVar[list[Path]] = []
    jobs: ClassVar[list[Path]] = []
    sweep: ClassVar[list[Path]] = []

    def on_run_start(self, config: DictConfig, **_: Any) -> None:
        """Remember the folders that are missing, innermost first."""
        self.folders[:] = _missing(Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Remember them, and whether the list of jobs will be a new file."""
        folder = Path(config.hydra.sweep.dir)
        self.sweep[:] = [folder]
        self.folders[:] = _missing(folder)
        self.jobs[:] = [file for file in (folder / "multirun.yaml",) if not file.exists()]


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
    """Remove the folders that are still empty.

    Parameters
    ----------
    list_too
        Whether nobody needs the list of jobs: none ran, or none has a folder.
    """
    with suppress(OSError):
        for file in Leftovers.jobs if list_too else ():
            file.unlink(missing_ok=True)
        for folder in Leftovers.folders:
            folder.rmdir()
    Leftovers.folders.clear()
    Leftovers.jobs.clear()


def _missing(folder: Path) -> list[Path]:
    folder = folder.absolute()
    return [place for place in (folder, *folder.parents) if not place.exists()]
