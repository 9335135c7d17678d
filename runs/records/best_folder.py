"""The folder of the best known records."""

from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path


def best_folder() -> AbstractContextManager[Path]:
    """Return the folder of the records that the package ships; file names give family, n and objective."""
    return resources.as_file(resources.files("isoplane.runs") / "best")
