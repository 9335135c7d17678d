"""What Hydra leaves behind of a run that wrote nothing."""

from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from hydra.experimental.callback import Callback
from omegaconf import DictConfig


class Leftovers(Callback):
    """Remembers what Hydra is going to make: the folder of the run, or the folder and the list of jobs of a sweep."""

    folders: ClassVar[list[Path]] = []
    jobs: ClassVar[list[Path]] = []

    def on_run_start(self, config: DictConfig, **_: Any) -> None:
        """Remember the folders that are missing, innermost first."""
        self.folders[:] = _missing(Path(config.hydra.run.dir))

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Remember them, and whether the list of jobs will be a new file."""
        folder = Path(config.hydra.sweep.dir)
        self.folders[:] = _missing(folder)
        self.jobs[:] = [file for file in (folder / "multirun.yaml",) if not file.exists()]


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
