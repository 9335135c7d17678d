"""Choices of networks, objectives and workloads, with what each is."""

from isoplane.runs.config.installed_choices import shown_choices
from isoplane.runs.config.option_files import choices_of
from isoplane.runs.config.setup import objective_file


def list_networks() -> dict[str, str]:
    """Return the families of networks by name, for ``network=``, and what each is.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.list_networks()["torus"]
    'a torus of any dimensions'
    """
    return shown_choices("network")


def list_objectives() -> dict[str, str]:
    """Return the objectives of a search by name, for ``objective=``, and the metrics that they compare in turn.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.list_objectives()["aspl_and_traffic"]
    'aspl x max_traffic, then cable_length'
    """
    return {name: _components(name) for name in choices_of("objective")}


def list_workloads() -> dict[str, str]:
    """Return the workloads by name, for ``workload=``, and what each sends.

    Examples
    --------
    >>> import isoplane as ip
    >>> "stencil" in ip.list_workloads()
    True
    """
    return shown_choices("workload")


def _components(name: str) -> str:
    given = objective_file(name)
    if given.get("metrics"):
        return f"a front of {' and '.join(given['metrics'])}"
    if not given.get("components"):
        return "the default of the network"
    return ", then ".join(" x ".join(component) for component in given["components"])
