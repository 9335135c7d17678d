"""A file of completed calculations, so that an interrupted command does not repeat them."""

import hashlib
import json
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import append_line, write_atomically
from isoplane.runs.records import provenance


class Journal:
    """Results of completed calculations by their parameters, in a file with a line of JSON for each.

    A result is found again for equal parameters and the same revision of the program.

    Parameters
    ----------
    path
        The file, whose folder is created with the first line; None to keep nothing.

    Raises
    ------
    InputError
        If the file is damaged other than by a cut last line, which is dropped.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Journal(Path(folder) / "done.jsonl").add(["square", 3], 9)
    ...     Journal(Path(folder) / "done.jsonl").find(["square", 3])
    9
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._results: dict[str, Any] = {}
        if path is None:
            return
        self._program = provenance(None, None, {})
        if path.exists():
            content = read_input(path)
            # A killed program leaves a line without its end.
            complete = content[: content.rfind(b"\n") + 1]
            try:
                lines = [json.loads(line) for line in complete.decode("utf-8").splitlines()]
                self._results = {line["id"]: line["result"] for line in lines}
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}: damaged ({error}); expected lines of results, or no such file") from error
            # Else the next result would be appended to the remains of that line.
            if complete != content:
                write_atomically(path, complete.decode("utf-8"))

    def find(self, parameters: object) -> Any:
        """Return the result of a calculation; None if there is none."""
        return self._results.get(self._id(parameters)) if self._results else None

    def add(self, parameters: object, result: object) -> None:
        """Append the result of a calculation, as JSON data."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        append_line(self._path, json.dumps({"id": self._id(parameters), "result": result}))

    def _id(self, parameters: object) -> str:
        """Return a hash of the parameters of a calculation, which are JSON data, and of the revision of the program."""
        return hashlib.sha256(json.dumps([self._program, parameters], sort_keys=True).encode()).hexdigest()
