"""Choices of networks, objectives and workloads, with what each is."""

from isoplane.runs.config.installed_choices import shown_choices


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
    """Return the objectives of a search by name, for ``objective=``, and what each compares in turn.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.list_objectives()["aspl_and_traffic"]
    'ASPL x load: sum of distances times load of the busiest link, then cable length'
    """
    return shown_choices("objective")


def list_workloads() -> dict[str, str]:
    """Return the workloads by name, for ``workload=``, and what each sends.

    Examples
    --------
    >>> import isoplane as ip
    >>> "stencil" in ip.list_workloads()
    True
    """
    return shown_choices("workload")
