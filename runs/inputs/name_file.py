"""Files that say which device of a design a name or a GUID stands for."""

import csv
from io import StringIO
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.device_names import ADAPTER, SWITCH, name_key
from isoplane.models.files.bounded_file import read_input

COLUMNS = ("name", "device")


def read_names(option: str, path: Path) -> dict[str, str]:
    """Return the devices of a file of names: CSV with the columns ``name``, a GUID or a description, and ``device``.

    GUIDs, which begin with 0x, are returned in the shortest form. A device may be an adapter of a node, by one of the
    ports of the node: ``N5:2``. A name such as ``port 0x1f`` is the GUID of that port.

    Parameters
    ----------
    option
        The option that names the file, for messages.
    path
        The file.

    Raises
    ------
    InputError
        If there is no such file, or a line is not a name and a device of a design; the message names the line.
    """
    source = f"{option}={path}"
    try:
        # Spreadsheets write a byte order mark before UTF-8.
        rows = list(csv.reader(StringIO(read_input(path).decode("utf-8-sig"), newline=""), strict=True))
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}; expected a CSV file with columns name and device") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{source}: {error}; expected a CSV file with columns name and device") from error
    if not rows or tuple(rows[0]) != COLUMNS:
        shown = ",".join(rows[0])[:40] if rows else ""
        raise InputError(f"{source}: line 1: {shown!r}; expected name,device")
    names: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(COLUMNS) or not (SWITCH.fullmatch(row[1]) or ADAPTER.fullmatch(row[1])):
            shown = ",".join(row)[:60]
            raise InputError(f"{source}: line {number}: {shown!r}; expected a name and a device such as P0-S12, N5")
        key = name_key(row[0])
        if key in names:
            raise InputError(f"{source}: line {number}: {row[0]!r} again; expected each name once")
        names[key] = row[1]
    return names
