"""The report on a given design, without information about a search."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from isoplane.models import Design
from isoplane.models.files.output_file import write_atomically
from isoplane.models.workloads import Workload
from isoplane.runs.records import (
    bare_name,
    class_id_of,
    design_content,
    id_of,
    names_content,
    provenance,
    require_fit,
    size_of,
    workload_json,
)

from .page import render


def write_network_report(
    design: Design, folder: Path, *, config: Mapping[str, Any], verified_by: str, workload: Workload | None = None
) -> Path:
    """Write the page of a design into a folder, atomically, and return its path.

    It is named ``FAMILY-nN-ID.html``, or ``FAMILY-NODES-ID.html`` without a dimension n, with the first twelve
    digits of the id that a record of the design has; with a workload ``FAMILY-NODES-WORKLOAD-DIGITS.html``, with those
    of a hash of that id and the workload. So a page is replaced only by one on the same design and workload.

    Parameters
    ----------
    design
        A network, with circuits and a placement if it has an optical switch.
    folder
        An existing folder for the page.
    config
        The configuration that describes the design.
    verified_by
        Arguments of `isoplane verify` that check it.
    workload
        The workload, for a network with circuits.
    """
    described = described_design(design, workload, config)
    work, digits = "", described["id"]
    if workload is not None:
        work = f"-{bare_name(workload.name)}"
        digits = sha256(json.dumps([digits, described["workload"]], sort_keys=True).encode()).hexdigest()
    page = folder / f"{size_of(described)}{work}-{digits[:12]}.html"
    write_atomically(page, render(described, verified_by=verified_by))
    return page


def described_design(design: Design, workload: Workload | None, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a given design: a record without fields about a search."""
    if workload is not None:
        require_fit(design, workload)
    content = design_content(design)
    return {
        "id": id_of(content),
        "class_id": class_id_of(design.network),
        **content,
        **names_content(design),
        **({} if workload is None else {"workload": workload_json(workload)}),
        "provenance": provenance(None, None, config),
    }
