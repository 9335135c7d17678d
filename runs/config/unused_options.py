"""Options without effect: what a file, a figure or the family of a network fixes cannot be given beside it."""

from collections.abc import Iterable, Mapping
from typing import Any

from isoplane.models import Family, InputError, family_named, family_names
from isoplane.runs.records.families import family_of

from .allowed_keys import group_of
from .config_values import group as config_group

SITE = ("layout", "prices", "switch")
NETWORK_AND_SITE = ("network", *SITE)
LINK_RATE = ("switch", "link_gbps")  # of links in times of a workload; simulated hardware has a rate of its own
OF_CIRCUITS = ("workload", "shorten")
OF_MEASUREMENTS = ("loads", "saturation", "measurement", "pairs", "interval_ns", "seed", "workers")
DESIGN = (*NETWORK_AND_SITE, "workload")
# By verb: options that name a file or folder, and what that fixes.
FIXED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "evaluate": {"record": (*DESIGN, "program", "save"), "program": DESIGN},
    "verify": {"record": (*DESIGN, "program"), "program": DESIGN},
    "report": {"run": DESIGN, "record": DESIGN, "sweep": DESIGN, "program": DESIGN},
    "simulate": {
        "program": (*DESIGN, "hardware", "traffic", "messages", "shorten"),
        "record": DESIGN,
        "messages": ("traffic", "loads", "saturation", "measurement"),  # they come when they come, and end
    },
}
# What is left of the options of a verb beside any file.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "evaluate": ("save",),
    "simulate": ("hardware", "traffic", *OF_MEASUREMENTS),
}
# By paper, or paper and figure: what has no part in a figure that is reproduced.
NO_PART: Mapping[str, tuple[str, ...]] = {
    "hosomi": ("measurement",),
    "hosomi/fig9": ("replications",),
    "shibamura": ("strategy", "stop", "measurement", "exact_up_to"),
    "takizawa": ("measurement", "replications", "exact_up_to"),
}


def check_effects(verb: str, config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Make sure that no override of a command line is about what a file on it fixes.

    Parameters
    ----------
    verb
        Whose options they are.
    config
        As it was composed.
    overrides
        The words of the command line.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_effects("evaluate", {"record": "best.json"}, ["record=best.json", "network.n=5"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.n=5: without effect beside record=best.json; expected nothing else
    """
    for file, fixed in FIXED[verb].items():
        if config.get(file) is None:
            continue
        left = [option for option in OPTIONS.get(verb, ()) if option not in fixed] or ["nothing else"]
        allowed = f"expected {', '.join(left)}"
        # Without loads a program runs as it is, once and to its end.
        of_loads = ("saturation", "measurement") if file == "program" and config.get("loads") == "auto" else ()
        for word in overrides:
            group, _ = group_of(word)
            if group in fixed:
                raise InputError(f"{word}: without effect beside {file}={config[file]}; {allowed}")
            if group in of_loads:
                raise InputError(f"{word}: without effect beside {file}={config[file]}; allowed with loads=[0.1,0.5]")


def check_figure(config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Make sure that no override has no part in the figure that is reproduced.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_figure({"paper": "shibamura", "figure": "fig4"}, ["stop.seconds=9"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=9: without effect on shibamura/fig4; expected sizes, \
replications, seed, workers, fleet
    """
    figure = f"{config['paper']}/{config['figure']}"
    foreign = NO_PART.get(figure, NO_PART.get(config["paper"], ()))
    options = ("sizes", "strategy", "stop", "measurement", "exact_up_to", "replications", "seed", "workers", "fleet")
    for word in overrides:
        if group_of(word)[0] in foreign:
            allowed = ", ".join(option for option in options if option not in foreign)
            raise InputError(f"{word}: without effect on {figure}; expected {allowed}")


def check_family(config: Mapping[str, Any], overrides: Iterable[str], *, times: bool = False) -> None:
    """Make sure that no override is about what the family of the network does not have.

    Parameters
    ----------
    config
        As it was composed.
    overrides
        The words of the command line.
    times
        Whether the verb finds the times of a workload on any network, and not on those with circuits alone.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_family({"network": {"family": "hypercube"}}, ["workload=dense"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: workload=dense: without effect on network=hypercube; allowed with network=hybrid
    """
    family = _family(config)
    timed = times and config.get("workload") is not None
    # The record of a search keeps the switch, which simulations of it take; so do times of a workload.
    of_layouts = ("prices",) if "objective" in config or timed else ("prices", "switch")
    for word in overrides:
        group, inner = group_of(word)
        if group in SITE and not family.sited:
            raise InputError(f"{word}: without effect on network={family.name}; allowed with network={_sited()}")
        if (group, inner) == LINK_RATE and times and not timed:
            raise InputError(f"{word}: without effect on metrics of the network alone; allowed with a workload")
        if group in OF_CIRCUITS and not family.has_circuits and not (group == "workload" and times):
            raise InputError(
                f"{word}: without effect on network={family.name}; allowed with network={_with_circuits()}"
            )
        if group == "layout" and config.get("layout") is not None and not family.laid_out:
            raise InputError(
                f"{word}: without effect on network={family.name}, whose cables have given lengths; expected "
                "layout=none"
            )
        if group in of_layouts and "layout" in config and config["layout"] is None:
            raise InputError(f"{word}: without effect beside layout=none; allowed with a layout")


def check_simulated_family(config: Mapping[str, Any], overrides: Iterable[str], *, circuits: bool) -> None:
    """Make sure that no override of a simulation is about what its network does not have.

    Parameters
    ----------
    config
        As it was composed.
    overrides
        The words of the command line.
    circuits
        Whether the network that is simulated has circuits; it can be that of a record.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_simulated_family({"network": {"family": "torus"}}, ["shorten=10"], circuits=False)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: shorten=10: without effect on this network; allowed with network=hybrid
    """
    laid_out = _family(config).laid_out
    for word in overrides:
        group, inner = group_of(word)
        if (group, inner) == LINK_RATE and not circuits:
            raise InputError(f"{word}: without effect on what packets see; expected hardware.link_gbps")
        if circuits and group in (*SITE, *OF_MEASUREMENTS, "hardware", "traffic", "messages"):
            raise InputError(f"{word}: without effect on this network; expected workload, shorten")
        if not circuits and group in OF_CIRCUITS:
            raise InputError(f"{word}: without effect on this network; allowed with network={_with_circuits()}")
        if group == "prices" or (group == "layout" and not laid_out):
            allowed = "switch, and layout where cables follow from it"
            raise InputError(f"{word}: without effect on what packets see of this network; expected {allowed}")
        if (group, inner) == ("measurement", "tolerance") and config.get("saturation") is False:
            raise InputError(f"{word}: without effect beside saturation=false; allowed with saturation=true")


def _family(config: Mapping[str, Any]) -> type[Family]:
    """Return the family of the network of a config."""
    return family_of(config_group(config, "network").get("family"))


def _sited() -> str:
    """Return the names of families to which a site means something."""
    return ", ".join(name for name in family_names() if family_named(name).sited)


def _with_circuits() -> str:
    """Return the names of families with circuits."""
    return ", ".join(name for name in family_names() if family_named(name).has_circuits)
