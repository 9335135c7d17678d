"""What Hydra leaves behind of a run that wrote nothing."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig, OmegaConf


class EmptyFolders(Callback):
    """Removes the folders that Hydra made for a run before the verb refused its input.

    Only folders that were not there before, and only empty ones. Of a sweep whose jobs have no folders of their own it
    removes Hydra's list of jobs, for verbs that only print leave nothing behind.
    """

    def __init__(self) -> None:
        self._made: list[Path] = []
        self._jobs: Path | None = None

    def on_run_start(self, config: DictConfig, **_: Any) -> None:
        """Remember which folders are missing, innermost first."""
        folder = Path(config.hydra.run.dir).absolute()
        self._made = [place for place in (folder, *folder.parents) if not place.exists()]

    def on_run_end(self, config: DictConfig, **_: Any) -> None:
        """Remove those of them that are still empty."""
        with suppress(OSError):
            for folder in self._made:
                folder.rmdir()

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Remember whether the list of jobs would be a new file beside the user's own."""
        jobs = Path(config.hydra.sweep.dir) / "multirun.yaml"
        if OmegaConf.to_container(config.hydra.sweep, resolve=False)["subdir"] == "." and not jobs.exists():
            self._jobs = jobs

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        """Remove it."""
        if self._jobs is not None:
            self._jobs.unlink(missing_ok=True)
