"""Record files: validated when read, written once and atomically."""

import errno
import json
import math
import re
import shlex
from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import unwritable, write_atomically

from .content import Record, design_of_record, has_generators, id_of, network_of
from .schemas import check_schema

SHIPPED = Path(__file__).resolve().parents[1] / "best"
LONGEST_NAME = 64  # most characters that a file name takes from a text, such as an objective's name


def read_record(path: str | Path, *, check_id: bool = True, option: str = "record") -> Record:
    """Read and validate a record.

    Parameters
    ----------
    path
        The file.
    check_id
        Whether its content must have the recorded hash; `verify` reports that difference together with others.
    option
        The option that names the file, for messages.

    Raises
    ------
    InputError
        If there is no such file or it is not a complete, unaltered record; one line that names the file.
    """
    from isoplane.models.files.forwarding_tables import add_table_folder

    try:
        # Records that the package ships were checked before, and loading the validator takes longer than all of them.
        is_shipped = Path(path).resolve().parent == SHIPPED
        record = shipped_record(Path(path)) if is_shipped else check_schema(_given(Path(path)))
        add_table_folder(Path(path).parent)
        stated, found = record["id"], id_of(record)
        if check_id and stated != found:
            raise InputError(f"the record was altered: id={stated}, but the hash of its content is {found}")
        design = design_of_record(record)
        if "workload" in record:
            from .workloads import require_fit, workload_from

            require_fit(design, workload_from(record["workload"]))
    except InputError as error:
        raise InputError(f"{option}={path}: {error}") from error
    return record


def _given(path: Path) -> object:
    """Return what a file holds that should be a record."""
    content = _parse(path)
    if isinstance(content, dict) and "schema" not in content and "planes" in content:
        command = f"isoplane evaluate network=fabric {shlex.quote(f'network.file={path}')}"
        raise InputError(f"a fabric, not a record; expected {command}, whose save=RECORD writes one")
    return content


def shipped_record(path: Path) -> Record:
    """Read a record of `best_folder`, which has been verified before it was shipped: here only that it is unaltered.

    Raises
    ------
    InputError
        If it was altered, or is no record.
    """
    record = _parse(path)
    if not isinstance(record, dict) or record.get("id") != id_of(record):
        raise InputError(f"{path}: the record was altered; expected a new installation of isoplane")
    return record


def write_record(folder: str | Path, record: Record) -> Path:
    """Write a record into a folder, which is created if missing, and return its file.

    A record is written once: a file of the same design and objective stays, whatever its provenance, unless it is
    damaged or the new one adds a better bound, a complete front, the solver, or the source of the bound.
    """
    path = Path(folder) / file_name(record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error) from error
    if not _is_up_to_date(path, record):
        write_atomically(path, text_of(record))
    return path


def copy_tables(record: Record, folder: Path) -> None:
    """Copy the files of forwarding tables that a record names into its folder, unless they are there."""
    from isoplane.models.files.forwarding_tables import MAX_BYTES, table_file

    network = record["network"]
    parts = [part for part in (network, network.get("plane"), network.get("packet")) if isinstance(part, dict)]
    planes = [plane for part in parts if isinstance(part.get("planes"), (list, tuple)) for plane in part["planes"]]
    for plane in planes:
        if plane.get("tables") is not None:
            file = table_file(plane["tables"])
            if not (folder / file.name).exists():
                write_atomically(folder / file.name, read_input(file, MAX_BYTES))


def file_name(record: Record) -> str:
    """Return the name of a record's file, made of the characters A-Z, a-z, 0-9, `.`, `_` and `-`.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from .content import design_content
    >>> content = design_content(Design(dual_cube(3, (3, 5, 7))))
    >>> file_name({**content, "objective": "aspl", "id": "0123456789abcdef"})
    'hypercube-n3-aspl-0123456789ab.json'
    """
    return f"{size_of(record)}-{bare_name(record['objective'])}-{record['id'][:12]}.json"


def bare_name(text: str) -> str:
    """Return a text with all characters that are unsafe in a file name replaced, and cut to `LONGEST_NAME`.

    Examples
    --------
    >>> bare_name("my traffic/2")
    'my_traffic_2'
    """
    return re.sub(r"[^A-Za-z0-9._-]", "_", text)[:LONGEST_NAME]


def size_of(record: Record) -> str:
    """Return family and size of a record's network as in file names: cubes by n, hybrid networks by nodes.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from .content import design_content
    >>> size_of(design_content(Design(dual_cube(3, (3, 5, 7)))))
    'hypercube-n3'
    """
    network = network_of(record)
    size = f"n{record['network']['n']}" if has_generators(record) else network.nodes
    return f"{network.name}-{size}"


def text_of(data: dict[str, Any]) -> str:
    """Return JSON text: indented, keys in the given order, lists of plain values on one line.

    Examples
    --------
    >>> print(text_of({"best": None, "score": [80000, 7]}), end="")
    {
      "best": null,
      "score": [80000, 7]
    }
    """
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    # JSON strings contain no line breaks, so a bracket before one is never part of a string.
    return re.sub(r"\[\n[^][{}]*\n *\]", lambda found: _on_one_line(found[0]), text) + "\n"


def _on_one_line(text: str) -> str:
    return re.sub(r"\n *", " ", text).replace("[ ", "[", 1).removesuffix(" ]") + "]"


def _is_up_to_date(path: Path, record: Record) -> bool:
    """Whether a file holds this record already, with a bound at least as good and as much information on its origin."""
    try:
        old = read_record(path)
    except InputError:
        return False
    free = ("bound", "bound_source", "status", "front", "provenance")
    same = all(old.get(key) == record[key] for key in record if key not in free)
    if not same or _knowledge(old) != _knowledge(record):
        return same and _knowledge(old) > _knowledge(record)
    if "bound_source" in record and _source(old) != _source(record):
        return False
    return record["provenance"].get("solver") in (None, old["provenance"].get("solver"))


def _source(record: Record) -> object:
    """Return the comparable part of a bound's source: the file of an enumeration, else only its presence."""
    source = record.get("bound_source")
    return source if source is None or "sha256" in source else True


def _knowledge(record: Record) -> tuple[bool, bool, list[int]]:
    bound = [-1 if low is None else low for low in record["bound"]]
    return "front" in record, record["status"] == "optimal", bound


def _parse(path: Path) -> object:
    """Return the JSON of a file, rejecting Python's extensions of the standard."""
    try:
        text = read_input(path).decode("utf-8")
    except FileNotFoundError as error:
        unexpanded = " as the pattern is, which shells do not expand after KEY=" if set("*?[") & set(path.name) else ""
        raise InputError(f"no such file{unexpanded}; expected the file of a record") from error
    except OSError as error:
        problem = error.strerror if error.errno == errno.EINVAL else f"cannot be read ({error.strerror})"
        raise InputError(f"{problem}; expected the file of a record") from error
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8 text; expected a record as isoplane wrote it") from error
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        is_json = not text.strip() or text.lstrip()[0] in "{["
        problem = f"damaged JSON ({error})" if is_json else "not JSON"
        other = "" if is_json else "; isoplane import FILE reads listings of fabrics"
        raise InputError(f"{problem}; expected a record as isoplane wrote it{other}") from error


def _finite(text: str) -> float:
    value = float(text)
    # 1e999 is valid JSON, but becomes an infinity.
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    # The parser would keep the last of equal keys and say nothing.
    if len(found) < len(pairs):
        raise ValueError(f"a key of {sorted(found)} occurs twice")
    return found


def best_folder() -> AbstractContextManager[Path]:
    """Return the folder of the records that the package ships; file names give family, n and objective."""
    return resources.as_file(resources.files("isoplane.runs") / "best")
