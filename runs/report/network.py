"""The report on a network that was given, not found: nothing in it is about a search."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isoplane.models import Network
from isoplane.runs.records import class_id_of, content_of, id_of, provenance, write_atomically

from .page import render


def write_network_report(network: Network, folder: Path, *, config: Mapping[str, Any], verified_by: str) -> Path:
    """Write the page of a network into a folder, whole or not at all, and return its path.

    It is named ``FAMILY-nN-ID.html`` with the first twelve digits of the id that a record of the network has, so that
    only a page on the same network is ever replaced.

    Parameters
    ----------
    network
        With two planes.
    folder
        Where the page goes; it has to exist.
    config
        The configuration that describes the network.
    verified_by
        What `isoplane verify` is to be given to check it.

    Raises
    ------
    InputError
        If the network has no two planes or the folder cannot be written.
    """
    content = content_of(network)
    described = {
        "id": id_of(content),
        "class_id": class_id_of(network),
        **content,
        "provenance": provenance(None, None, config),
    }
    page = folder / f"{network.family}-n{network.n}-{described['id'][:12]}.html"
    write_atomically(page, render(described, verified_by=verified_by))
    return page
