"""Single designs: evaluated, loaded, verified and exported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from isoplane.models import Design, Family, InputError, Network
from isoplane.models.checks import shown
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic, evaluator_of, metrics_of
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.runs.cli.evaluate import described, shown_objective
from isoplane.runs.cli.export import exported_of, exporters_of
from isoplane.runs.cli.keywords import config_from, full_key, with_options
from isoplane.runs.config.allowed_keys import verb_keys
from isoplane.runs.config.config_values import Config
from isoplane.runs.config.designs import LINK_RATE, Loaded, described_config, loaded, loaded_design, site_of
from isoplane.runs.exports.export import export as write_formats
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.records import (
    Difference,
    Record,
    design_of_record,
    read_record,
    record_of_given,
    values_in,
    verify_metrics,
    workload_from,
)
from isoplane.runs.records import verify as verify_record
from isoplane.runs.report.report_data import own_objective
from isoplane.runs.terminal.design_table import all_metrics

from .panels import CHIEF, DESIGN, Cell, Row, design_panels
from .proven import proven_of_record
from .result import Result

Value = str | int | float | bool | None | PathLike[str] | Workload | Sequence["Value"] | Mapping[str, "Value"]
Source = Result | Design | Network | Family | str | PathLike[str]
SOURCES = ("record", "program", "save", "columns", "format")  # options of verbs in place of arguments and methods


@with_options("evaluate", "record", "save", "columns", "format")
def evaluate(design: Source | Sequence[Source] | Mapping[str, Source] | None = None, /, **options: Value) -> Result:
    """Return a design with its metrics, exact and in the names of records, or several designs side by side.

    Parameters
    ----------
    design
        A result, a design, network or family made in Python, or the file of a record; ``best``: the best known of
        ``network``, ``n`` and ``objective``, as `isoplane best` lists it; None for the network of the options. A list
        of these, or a mapping with names for them, gives a row for each.
    options
        Those of `isoplane evaluate`, but for ``record`` and ``save``; keys of the network need no prefix. The workload
        can be one made in Python.

    Raises
    ------
    InputError
        If an option is unknown, has no effect, or does not fit the design.

    Examples
    --------
    >>> import isoplane as ip
    >>> cube = ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7])
    >>> cube["aspl"], cube["max_load"], cube.baseline[1]["aspl"]
    (1.0, 3, 1.5)
    >>> torus = ip.evaluate(network="torus", shape=[2, 4])
    >>> ip.evaluate({"cube": cube, "torus": torus}).to_frame(dict)["aspl"]
    [1.0, 1.5]
    """
    if isinstance(design, Mapping) or (isinstance(design, Sequence) and not isinstance(design, str)):
        from .fronts import named_designs, side_by_side  # with them come the libraries of comparisons

        if isinstance(design, Mapping):
            return side_by_side({str(name): _evaluated(each, options) for name, each in design.items()})
        return side_by_side(named_designs([_evaluated(each, options) for each in design]))
    return _evaluated(design, options)


def _evaluated(design: Source | None, options: Mapping[str, Value]) -> Result:
    config, words = config_beside(design, "evaluate", options)
    source = source_of(design, config)
    workload, listed, notes, _ = described(config, source)
    objective, unknown = shown_objective(config, source, listed)
    config.require_effects(words)
    found = source.design
    return design_result(
        found,
        lambda: record_of_design(found, workload, described_config(config, found)),
        listed,
        notes=[*unknown, *notes()],
        objective=objective,
    )


@with_options("verify", "record", "format")
def verify(design: Source | None = None, /, **options: Value) -> tuple[Difference, ...]:
    """Return the numbers of a design that differ from those of the independent reference; none if all agree.

    Parameters
    ----------
    design
        As of `evaluate`; of a record every number is recomputed, its score and bounds too.
    options
        Those of `isoplane verify`.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.verify(network="hypercube", n=3, generators=[3, 5, 7])
    ()
    """
    config, words = config_beside(design, "verify", options)
    if isinstance(design, (str, PathLike)) or (isinstance(design, Result) and design.kind == "design"):
        config.require_effects(words)
        record = design.to_dict() if isinstance(design, Result) else read_record(fspath(design), check_id=False)
        return tuple(verify_record(record))
    source = source_of(design, config)
    workload = source.workload(config)
    config.require_effects(words)
    return tuple(verify_metrics(metrics_of(source.design, workload), source.design, workload))


@with_options("export", "record")
def export(
    design: Source | None, format: str | Sequence[str], folder: str | PathLike[str], /, **options: Value
) -> tuple[Path, ...]:
    """Write a design in formats of other tools, each in a folder of its name, and return the files.

    Parameters
    ----------
    design
        As of `evaluate`.
    format
        One or more formats, such as ``opensm``.
    folder
        A new or empty folder.
    options
        Those of `isoplane export`.

    Examples
    --------
    >>> import isoplane as ip
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     [file.name for file in ip.export(ip.evaluate(network="torus", shape=[3, 3]), "edges", folder)]
    ['plane0.edges', 'manifest.json']
    """
    names = [format] if isinstance(format, str) else list(format)
    config, words = config_beside(design, "export", {**options, "format": names})
    place, exporters = Path(folder), exporters_of(config["format"])
    exported = exported_of(config, source_of(design, config), words)
    with locked(place, "folder", (*RESULTS, RECORDS, *exporters)):
        return tuple(write_formats(exported, exporters, place, lambda: config.require_effects(words)))


def config_beside(design: Source | None, verb: str, options: Mapping[str, object]) -> tuple[Config, list[str]]:
    """Return what `config_from` does; beside a design that is given, options of the network are refused."""
    for key, value in options.items() if design is not None else ():
        if full_key(verb, key).partition(".")[0] == "network":
            others = sorted(verb_keys(verb) - {"network", *SOURCES})
            if is_dataclass(design) and key in (field.name for field in fields(design)):
                others.append(f"{type(design).__name__}({key}=...) as the design")
            raise InputError(
                f"{key}={shown(value)}: has no effect here, as the design is given; expected {', '.join(others)}"
            )
    return config_from(verb, options)


def source_of(design: Source | None, config: Config) -> Loaded:
    """Return the design that a function works on: one that was given, else that of its options."""
    if design is None:
        return loaded(config.handing_on(LINK_RATE))
    if isinstance(design, Result):
        if design.design is None:
            raise InputError(f"design={design!r}: several designs; expected one of them, such as result[0]")
        record = design.to_dict() if design.kind == "design" else {}
        return loaded_design(design.design, record if "workload" in record else None)
    if isinstance(design, (str, PathLike)):
        record = read_record(Path(design))
        return loaded_design(design_of_record(record), record if "workload" in record else None)
    is_family = isinstance(design, Family)
    if isinstance(design, Family):
        design = Network(design, site_of(config, design)) if design.uses_site else Network(design)
    if isinstance(design, Network):
        design = Design(design)
    if not isinstance(design, Design):
        expected = (
            "a result, a design, a network, a family, the file of a record, or none and network='graph', edges=PAIRS"
        )
        raise InputError(f"design={shown(design)}: expected {expected}")
    return loaded_design(design, is_configured=is_family)


def record_result(record: Record) -> Result:
    """Return the design of a record with what is proven of it."""
    given = record.get("workload")
    workload = None if given is None else workload_from(given)
    design = design_of_record(record)
    proven = proven_of_record(record, design, workload)
    status = "" if proven is None else str(proven["status"])
    objective, notes = own_objective(record)
    return design_result(design, lambda: record, workload, values_in(record), status, notes, proven, objective)


def design_result(
    design: Design,
    record: Callable[[], Record],
    workload: Workload | None = None,
    metrics: MetricValues | None = None,
    status: str = "",
    notes: Sequence[str] = (),
    proven: Row | None = None,
    objective: Lexicographic | None = None,
) -> Result:
    """Return a design as a result.

    Parameters
    ----------
    design
        The design.
    record
        Function that returns its record.
    workload
        The workload, if metrics depend on it.
    metrics
        Its metrics, if its record states them.
    status, notes
        What is proven in words, and what else there is to say.
    proven, objective
        Those of `proven_numbers` and the objective, of a design that a search has found.
    """
    numbers: dict[str, Cell] = {**all_metrics(design, workload, metrics, objective)}
    baseline: tuple[str, Row] | None = None
    if design.baseline_title:
        baseline = design.baseline_title, all_metrics(design.baseline, workload, objective=objective)
    once = cache(record)
    return Result(
        "design",
        title_of(design, workload),
        [{DESIGN: design.network.title, **numbers, **(proven or {})}],
        CHIEF,
        once,
        lambda: design_panels(design, workload, numbers, baseline),
        lambda: _page(once(), design, workload),
        status,
        tuple(notes),
        design,
        baseline=baseline,
    )


def title_of(design: Design, workload: Workload | None = None) -> str:
    """Return what a design is, in a line, and the workload that it is for."""
    text = " ".join(design.network.family.description.split("\n")[0].split())
    return text if workload is None else f"{text}, {workload.name}"


def record_of_design(design: Design, workload: Workload | None, config: Mapping[str, object]) -> Record:
    """Return the record of a design that was given, not found by a search."""
    return record_of_given(design, config, workload if evaluator_of(design).needs_workload else None)


def _page(record: Record, design: Design, workload: Workload | None) -> str:
    """Return the page of a record; of a design under a workload that its record lacks, that of both."""
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData
    from isoplane.runs.report.write import described_design

    if workload is not None and "workload" not in record:
        described = described_design(design, workload, record["provenance"]["config"])
        return render(ReportData(described, verified_by="record=FILE", built=design))
    return render(ReportData(record))
