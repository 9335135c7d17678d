"""`isoplane compare`: designs of all families for a number of nodes, side by side."""

import os
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from isoplane.models.output_file import write_atomically
from isoplane.runs.comparison.existing import Existing, existing_in
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.request import Request, request_of
from isoplane.runs.comparison.rows import Row, compare
from isoplane.runs.comparison.tables import csv_text, json_text, price_rule, summary_table
from isoplane.runs.config.config_values import plain
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.messages import print_message


def run(config: DictConfig) -> int:
    """Size and measure designs of all families; print their chief numbers and write all of them with a page."""
    data = plain(config)
    existing = existing_in(data["existing"])
    request = request_of(data, existing)
    path = Path(HydraConfig.get().runtime.output_dir)
    with locked(path, "hydra.run.dir", (*RESULTS, RECORDS)), INTERRUPT.caught(at_once=False):
        rows = _rows(request, existing, data)
        if rows is None:
            print_message("interrupted")
            return codes.INTERRUPTED
        files = {
            "comparison.csv": csv_text(rows),
            "comparison.json": json_text(request, rows),
            "config.yaml": OmegaConf.to_yaml(config),
            "report.html": page(request, rows),
        }
        for name, text in files.items():
            write_atomically(path / name, text)
    print(summary_table(rows))
    print(price_rule(request))
    print(f"report: {path / 'report.html'}")
    return codes.DONE if any(row.design and not row.existing for row in rows) else codes.NOTHING_FEASIBLE


def _rows(request: Request, existing: tuple[Existing, ...], data: dict[str, Any]) -> tuple[Row, ...] | None:
    """Return the rows, showing the progress on standard error; None after Ctrl-C."""
    if data["workers"] is None:
        data["workers"] = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    line = LiveLine()
    try:
        with fleet_of(data, processes=True) as fleet:
            for step in compare(request, fleet, existing):
                if INTERRUPT.requested:
                    return None
                if line.due():
                    line.show(step.text)
                if step.rows is not None:
                    return step.rows
    finally:
        line.close()
    return None
