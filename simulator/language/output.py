"""Results of a program as text and as data, and the output files that it names."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from isoplane.models.files.output_file import write_atomically

from .problems import StatementError
from .program import Program
from .report import ProgramReport
from .run import OnProgress, run_program

MAX_NAME_BYTES = 200  # file systems allow 255; run folders add prefixes


def simulate_program(program: Program, folder: Path, outputs: Path, watch: OnProgress | None = None) -> ProgramReport:
    """Simulate a program and write the files that it names.

    Parameters
    ----------
    program
        `data_text` is written to its ``DataOutputFile``, `screen_text` to its ``ScreenOutputFile``.
    folder
        Folder of the program file, and of its communication pattern file.
    outputs
        Folder of its outputs; created if missing.
    watch
        As in `run_program`.

    Raises
    ------
    InputError
        If an output is not a plain file name, and as in `run_program`.
    """
    names = output_names(program)
    report = run_program(program, folder, watch)
    outputs.mkdir(parents=True, exist_ok=True)
    for name, text in zip(names, (data_text(report), screen_text(report)), strict=True):
        if name is not None:
            write_atomically(outputs / name, text)
    return report


def output_names(program: Program) -> tuple[str | None, str | None]:
    """Check that the names of the data and screen output files are plain names, and return them.

    Raises
    ------
    InputError
        If one of them is a path or too long, or they are the same.
    """
    data, screen = program.data_output_file, program.screen_output_file
    for statement, name in (("DataOutputFile", data), ("ScreenOutputFile", screen)):
        if name is not None and (name in ("", ".", "..") or any(part in name for part in "/\\\0")):
            raise StatementError(statement, name, "a name without folders, such as results.dof")
        if name is not None and len(name.encode()) > MAX_NAME_BYTES:
            raise StatementError(statement, name, f"a name of at most {MAX_NAME_BYTES} bytes")
    if data is not None and data == screen:
        raise StatementError("ScreenOutputFile", data, "a name that differs from DataOutputFile")
    return data, screen


def data_text(report: ProgramReport) -> str:
    """Return a report as JSON, keyed by the names of its attributes."""
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in asdict(report).items()}
    return json.dumps(plain, indent=1) + "\n"


def screen_text(report: ProgramReport) -> str:
    """Return a summary of a report for display, as lines of text."""
    created = f"{report.messages_created} created, {report.messages_arrived} arrived, {report.messages_dropped} dropped"
    remaining = f", {report.messages_remaining} remain" if report.messages_remaining else ""
    never_created = f", {report.messages_never_created} never created" if report.messages_never_created else ""
    lines = [
        f"{report.nodes} nodes, {_number(report.time_ns)} ns",
        f"messages: {created}{remaining}{never_created}",
        f"packets: {report.packets_arrived} arrived, {report.packets_dropped} dropped",
        f"network latency: mean {_number(report.network_latency_ns)} ns, longest "
        f"{_number(report.longest_network_latency_ns)} ns",
        f"message latency: mean {_number(report.message_latency_ns)} ns, longest "
        f"{_number(report.longest_message_latency_ns)} ns",
        f"collisions: {_number(report.collisions_per_packet)} a packet, at most {report.collisions.max()} at a node",
        f"deadlocks: {report.deadlocks}",
    ]
    if report.deadlock:
        waits = " > ".join(f"node {node} port {port} channel {channel}" for node, port, channel in report.deadlock)
        lines.append(f"ended by a deadlock: {waits}")
    lines += ["", "hops   packets   network ns  creation ns   longest ns"]
    lines += [
        f"{hops:4} {row.packets:9} {_number(row.network_ns):>12} {_number(row.creation_ns):>12} "
        f"{_number(row.longest_ns):>12}"
        for hops, row in enumerate(report.by_distance)
        if row.packets
    ]
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}" if value < 10**6 else f"{value:.0f}"
