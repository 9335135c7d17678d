"""Writing a design in several formats, with a manifest."""

import hashlib
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from isoplane.models import Design, InputError
from isoplane.models.files.output_file import temporary_path, write_atomically
from isoplane.models.steps import step
from isoplane.runs.records import text_of

from .exporter import Exported, Exporter
from .exporters import exporter_named

MANIFEST = "manifest.json"
HITS = "of packets that hit the cache of their port"
HITS_AND_MISSES = f"{HITS}, though some miss it, unless the format says otherwise"


def export(
    exported: Exported,
    exporters: Mapping[str, Exporter],
    folder: Path,
    check_options: Callable[[], None] = lambda: None,
) -> list[Path]:
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
    check_options
        Called before the first file is written, when every format has read its options.
    """
    files, refused = {}, list[InputError]()
    for name, exporter in exporters.items():
        with step(f"format {name}"):
            try:
                files[name] = exporter.begun(name, exported)
            except InputError as error:
                refused.append(error)
    if refused:
        raise _refusal(refused[0], files) if str(refused[0]).startswith("format=") else refused[0]
    check_options()
    written: dict[str, list[dict[str, object]]] = {}
    with _written_beside([folder / name for name in (*exporters, MANIFEST)]) as parts:
        for name, part in zip(exporters, parts, strict=False):
            part.mkdir()
            with step(f"format {name}"):
                written[name] = [
                    {"file": f"{name}/{path}", **_write(part / path, content)} for path, content in files[name]
                ]
        write_atomically(parts[-1], text_of(_manifest(exported, exporters, written)))
    return [folder / str(entry["file"]) for entries in written.values() for entry in entries] + [folder / MANIFEST]


def refusal_of(name: str, design: Design) -> str | None:
    """Return why a format cannot express a design; None if it can."""
    try:
        exporter_named(name).begun(name, Exported(design, {}))
    except InputError as error:
        return str(error).removeprefix(f"format={name}: ")
    return None


def _manifest(
    exported: Exported, exporters: Mapping[str, Exporter], written: Mapping[str, list[dict[str, object]]]
) -> dict[str, object]:
    """Return the manifest of a design: what each format says of it, and its files as written."""
    switch = exported.design.network.site.switch
    may_miss = not switch.never_misses(exported.bought_nodes)
    return {
        "record": exported.content["id"],
        "isoplane": version("isoplane"),
        **({} if switch.cache is None else {"switch_delays": HITS_AND_MISSES if may_miss else HITS}),
        "formats": [
            {"format": name, "title": each.title, "checked_by": each.checked_by}
            | ({} if each.paths is None else {"paths": each.paths(exported)})
            | ({"switch_delays": each.switch_delays(exported)} if may_miss and each.switch_delays else {})
            | {"files": written[name]}
            for name, each in exporters.items()
        ],
    }


def _refusal(error: InputError, others: Collection[str]) -> InputError:
    """Return why a format cannot express the design, with those of the given formats that can."""
    return InputError(f"{error}; no file is written, but format=[{','.join(others)}] can be") if others else error


@contextmanager
def _written_beside(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Return temporary names of files and folders, renamed at the end of the block; what is not renamed is removed."""
    parts = {temporary_path(path): path for path in paths}
    try:
        yield list(parts)
        for part, path in parts.items():
            part.rename(path)
    finally:
        for part in parts:
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)


def _write(path: Path, content: Iterable[bytes]) -> dict[str, object]:
    """Write a file; return its size and hash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0

    def chunks() -> Iterator[bytes]:
        nonlocal size
        # Hashed on the way to the file, which may be larger than the memory.
        for chunk in content:
            digest.update(chunk)
            size += len(chunk)
            yield chunk

    write_atomically(path, chunks())
    return {"bytes": size, "sha256": digest.hexdigest()}
