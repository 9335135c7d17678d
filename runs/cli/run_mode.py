"""Whether a command is one run or a sweep, found without composing its config once more."""

from typing import Any

from hydra._internal.hydra import Hydra

PACKAGED = {"pkg://hydra.conf", "pkg://isoplane.conf", "structured://"}  # where no config sets hydra.mode
# Hydra's own options that cannot set it; any other one may.
UNRELATED = (
    *("hydra.run.", "hydra.sweep.", "hydra.help.", "hydra.output_subdir=", "hydra.callbacks.leftovers."),
    *("hydra/job_logging=", "hydra/hydra_logging=", "hydra/launcher=", "hydra.launcher."),
)
_composed_mode = Hydra.get_mode


def compose_once() -> None:
    """Make Hydra compose the config of a command only once, unless the config may set `hydra.mode`.

    Hydra itself composes it twice, the first time only to read `hydra.mode`, which none of the project's configs sets.
    """
    Hydra.get_mode = _mode  # type: ignore[method-assign] # Hydra offers no other way


def _mode(self: Hydra, config_name: str | None, overrides: list[str]) -> Any:
    """Return the `hydra.mode` that the config sets, None if it sets none."""
    words = [word.lstrip("+") for word in overrides]
    paths = {source.full_path() for source in self.config_loader.get_sources()}
    if paths - PACKAGED or any(word.startswith("hydra") and not word.startswith(UNRELATED) for word in words):
        return _composed_mode(self, config_name, overrides)
    return None
