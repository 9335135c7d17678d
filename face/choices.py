"""Choices of networks, objectives and workloads, with what each is."""

from importlib import resources

from isoplane.models import family_named
from isoplane.runs.config.allowed_keys import group_choices
from isoplane.runs.config.setup import objective_file


def list_networks() -> dict[str, str]:
    """Return the families of networks by name, for ``network=``, and what each is.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.list_networks()["torus"]
    'A torus'
    """
    return {name: _first_line(family_named(name)) for name in group_choices("search")["network"]}


def list_objectives() -> dict[str, str]:
    """Return the objectives of a search by name, for ``objective=``, and the metrics that they compare in turn.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.list_objectives()["aspl_and_traffic"]
    'aspl x max_traffic, then cable_length'
    """
    return {name: _components(name) for name in group_choices("search")["objective"]}


def list_workloads() -> dict[str, str]:
    """Return the workloads by name, for ``workload=``, and what each sends.

    Examples
    --------
    >>> import isoplane as ip
    >>> "stencil" in ip.list_workloads()
    True
    """
    return {name: _remark("workload", name) for name in group_choices("search")["workload"]}


def _first_line(documented: object) -> str:
    return (documented.__doc__ or "").partition("\n")[0].partition("; ")[0].rstrip(".")


def _remark(group: str, name: str) -> str:
    """Return the comment in the first line of the file of a choice."""
    text = resources.files("isoplane.conf").joinpath(group, f"{name}.yaml").read_text(encoding="utf-8")
    return text.partition("\n")[0].partition(" # ")[2]


def _components(name: str) -> str:
    given = objective_file(name)
    if given.get("metrics"):
        return f"a front of {' and '.join(given['metrics'])}"
    if not given.get("components"):
        return "the default of the network"
    return ", then ".join(" x ".join(component) for component in given["components"])
