"""Writing a design in several formats, with a manifest."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from isoplane.runs.records import text_of, write_atomically

from .exporter import Exported, Exporter

MANIFEST = "manifest.json"
PART = ".part"  # suffix of a folder that is being written


def export(exported: Exported, exporters: Mapping[str, Exporter], folder: Path) -> list[Path]:
    """Write a design in several formats, each in a folder of its name, and the manifest; return all files.

    A format that cannot express the design leaves nothing in the folder, and neither do the others. The same design
    gives the same bytes.

    Parameters
    ----------
    exported
        The design.
    exporters
        The formats, by name.
    folder
        An existing folder, without files of these formats.

    Raises
    ------
    InputError
        If a format cannot express the design.
    """
    written: dict[str, list[dict[str, object]]] = {}
    with _partial_folders(folder, exporters) as parts:
        for name, exporter in exporters.items():
            written[name] = [
                {"file": f"{name}/{path}", **_write(parts[name] / path, content)}
                for path, content in exporter.files(exported)
            ]
        for name, part in parts.items():
            part.rename(folder / name)
    manifest = {
        "record": exported.content["id"],
        "isoplane": version("isoplane"),
        "formats": [
            {"format": name, "title": each.title, "checked_by": each.checked_by, "files": written[name]}
            for name, each in exporters.items()
        ],
    }
    write_atomically(folder / MANIFEST, text_of(manifest))
    return [folder / str(entry["file"]) for entries in written.values() for entry in entries] + [folder / MANIFEST]


@contextmanager
def _partial_folders(folder: Path, names: Iterable[str]) -> Iterator[dict[str, Path]]:
    """Create a folder for each name, to be renamed when it is complete; what is not renamed is removed."""
    parts = {name: folder / f".{name}{PART}" for name in names}
    try:
        for part in parts.values():
            shutil.rmtree(part, ignore_errors=True)  # left by a program that was killed
            part.mkdir()
        yield parts
    finally:
        for part in parts.values():
            shutil.rmtree(part, ignore_errors=True)


def _write(path: Path, content: Iterable[bytes]) -> dict[str, object]:
    """Write a file; return its size and hash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as file:
        for chunk in content:
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return {"bytes": size, "sha256": digest.hexdigest()}
