"""Designs in files: records, runs and existing fabrics."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from isoplane.models import InputError
from isoplane.objectives import displayed_metric, objective_names
from isoplane.runs.cli.keywords import config_from
from isoplane.runs.imports.import_fabric import FABRIC, configured_fabric, imported_family
from isoplane.runs.imports.routing_choice import rated_routings
from isoplane.runs.records import Record, read_record
from isoplane.runs.report.write import run_summary

from .designs import Value, evaluate, record_result
from .fronts import AXES, front_result
from .reproduced import figure_in
from .result import Result


def load(path: str | PathLike[str] | Sequence[str | PathLike[str]], /, **options: Value) -> Result:
    """Return the design of a record, what the folder of a run holds, or an existing fabric.

    Parameters
    ----------
    path
        A record, whose name ends with ``.json``; a folder that `isoplane search`, `reproduce` or `import` wrote, of the
        last also its ``fabric.json``; or what `isoplane import` reads, such as the output of ibnetdiscover: one file,
        or one for each plane.
    options
        Of a fabric: those of `isoplane import`, but for ``tables``, which only a file can hold.

    Examples
    --------
    >>> import isoplane as ip
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     ip.load(ip.evaluate(network="torus", shape=[4, 4]).save(f"{folder}/torus.json"))["aspl"]
    2.0
    """
    if isinstance(path, (str, PathLike)) and not options:
        file = Path(path)
        if file.is_dir() and (file / FABRIC).is_file():
            file /= FABRIC
        if file.name == FABRIC:
            return evaluate(network="fabric", file=file)
        if file.is_dir():
            return figure_in(file) or run_result(file)
        if file.suffix == ".json":
            return record_result(read_record(file))
    config, words = config_from("import", {**options, "file": path})
    fabric = configured_fabric(config)
    if fabric.tables:
        raise InputError("tables: forwarding tables are files; expected isoplane import, then network=fabric")
    config.require_effects(words)
    family = imported_family(fabric)
    rated = rated_routings(family)
    if rated:
        family = replace(family, routing=rated[0].routing)
    return evaluate(family)


def run_result(folder: Path) -> Result:
    """Return the designs of the folder of a run: a front, or a single one."""
    summary = run_summary(folder / "summary.json")
    records = [read_record(folder / "records" / name) for name in summary["records"]]
    if len(records) == 1:
        return record_result(records[0])
    return front_result([record_result(record) for record in records], _axes_of(records[0]))


def _axes_of(record: Record) -> tuple[str, str]:
    """Return the metrics of the front that a record belongs to."""
    given = record["provenance"].get("config", {}).get("objective", {}).get("metrics")
    names = objective_names("cubes")
    if not isinstance(given, list) or len(given) != 2 or not set(given) <= set(names):
        return AXES
    first, second = (displayed_metric("cubes", names[name])[0].name for name in given)
    return first, second
