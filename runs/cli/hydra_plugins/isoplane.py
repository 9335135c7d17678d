"""The launcher of `hydra/launcher=processes`; Hydra looks for launchers in the package `hydra_plugins` alone."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from hydra.core.singleton import Singleton
from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher


class _ProcessLauncher(Launcher):
    """Runs the jobs of a sweep as submitit's own launcher does, but starts each when `LOCAL_JOBS` lets it."""

    def __init__(self, submitit_folder: str, **options: Any) -> None:
        from hydra_plugins.hydra_submitit_launcher.submitit_launcher import LocalLauncher

        self._folder, self._options = submitit_folder, options
        self._job = LocalLauncher()  # a call of it runs one job

    def setup(self, **context: Any) -> None:
        """Take what Hydra tells of the sweep."""
        self._job.setup(**context)

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> list[JobReturn]:
        """Run jobs, and return their results once all have ended.

        Raises
        ------
        InputError
            If an option is unknown.
        """
        import submitit
        from hydra_plugins.hydra_submitit_launcher.config import BaseQueueConf

        from isoplane.models import InputError
        from isoplane.runs.cli.sweep_jobs import LOCAL_JOBS

        known = {field.name for field in fields(BaseQueueConf)} | {"setup"}
        for name in sorted(self._options.keys() - known):  # which submitit would ignore
            raise InputError(f"hydra.launcher.{name}: unknown; expected {', '.join(sorted(known))}")
        executor = submitit.LocalExecutor(self._folder)
        executor.update_parameters(**{name: value for name, value in self._options.items() if value is not None})
        jobs = []
        for number, overrides in enumerate(job_overrides, initial_job_idx):
            words = (list(overrides), "hydra.sweep.dir", number, f"job_id_for_{number}", Singleton.get_state())
            jobs.append(LOCAL_JOBS.start(partial(executor.submit, self._job, *words)))
        return [job.results()[0] for job in jobs]
