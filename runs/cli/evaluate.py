"""`isoplane evaluate`: the metrics of one network."""

from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from isoplane.models import Design, InputError
from isoplane.models.checks import check_bool
from isoplane.models.files.output_file import write_atomically
from isoplane.models.steps import step
from isoplane.models.workloads import Workload
from isoplane.objectives import evaluator_of
from isoplane.objectives.exchanges import check_order
from isoplane.runs.config.config_values import given_words, path_of, plain
from isoplane.runs.config.designs import described_config, design_of, exchange_order, workload_for
from isoplane.runs.config.unused_options import check_effects, check_family
from isoplane.runs.records import copy_tables, provenance, record_of, text_of
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.any_routing import any_routing_text
from isoplane.runs.terminal.exchange import exchange_text
from isoplane.runs.terminal.table import comparison


def run(config: DictConfig) -> int:
    """Print the metrics of a network next to its family's baseline; save its record if `save` is given.

    Raises
    ------
    InputError
        If the record to save cannot hold the times of a workload.
    """
    data = plain(config)
    check_effects("evaluate", data, given_words())
    if data["record"] is None and data["program"] is None:
        check_family(data, given_words(), times=True)
    design = design_of(data)
    workload = workload_for(data, design)
    if data["save"] is not None:
        if workload is not None and design.circuits is None:
            raise InputError(
                f"save={data['save']}: without circuits only a search records times of a workload; expected either "
                "save or workload"
            )
        _save(path_of("save", data["save"]), design, workload, described_config(data, design))
    order = exchange_order(data, design, workload)
    checked = None if order is None else check_order(design.network, order)
    any_routing = any_routing_text(design, workload, order) if check_bool("any_routing", data["any_routing"]) else None
    with step(f"metrics of {design.network.title}"):
        table = comparison(design, workload)
    print(table)
    if checked is not None:
        print(exchange_text(checked))
    if any_routing is not None:
        print(any_routing)
    return codes.DONE


def _save(path: Path, design: Design, workload: Workload | None, config: dict[str, Any]) -> None:
    """Write a record of a design that was given, not found by a search.

    Raises
    ------
    InputError
        If the file exists.
    """
    if path.exists():
        raise InputError(f"save={path}: exists; expected a new file")
    evaluator = evaluator_of(design)
    record = record_of(
        design,
        evaluator.evaluation(design, workload),
        objective=evaluator.objective,
        status="feasible",
        provenance=provenance(0, "evaluate", config),
        workload=workload,
    )
    copy_tables(record, path.parent)
    write_atomically(path, text_of(record))
