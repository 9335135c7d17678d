"""Reject options without effect: those fixed by a given file, figure or network family."""

from collections.abc import Iterable, Mapping
from typing import Any

from isoplane.models import Family, InputError, family_named, family_names
from isoplane.runs.inputs.record_families import family_of

from .allowed_keys import group_of
from .config_values import group as config_group

SITE = ("layout", "prices", "switch")
NETWORK_AND_SITE = ("network", *SITE)
LINK_RATE = ("switch", "link_gbps")  # for the times of a workload; simulated hardware has its own link rate
CIRCUIT_OPTIONS = ("workload", "shorten")
MEASUREMENT_OPTIONS = ("loads", "saturation", "measurement", "pairs", "interval_ns", "seed", "workers")
# By option of a placement: the placements on which it has an effect.
PLACEMENTS_WITH = {"placement_seed": ("random", "searched"), "placement_evaluations": ("searched",)}
PLACEMENT_OPTIONS = ("placement", *PLACEMENTS_WITH)
JOB_OPTIONS = ("shorten", *PLACEMENT_OPTIONS)
# Listed messages have their own creation times, and a run ends with the last of them.
TRAFFIC_OPTIONS = ("traffic", "loads", "saturation", "measurement")
COLLECTIVE_OPTIONS = ("collective", "order", "evaluations", "msccl")
DESIGN = (*NETWORK_AND_SITE, "workload")
# By verb: options that name a file or folder, and the options that it fixes.
FIXED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "evaluate": {
        "record": (*DESIGN, "program", "save", "any_routing", *PLACEMENT_OPTIONS),
        "program": (*DESIGN, "any_routing", *PLACEMENT_OPTIONS),
    },
    "verify": {
        "record": (*DESIGN, "program", *PLACEMENT_OPTIONS),
        "program": (*DESIGN, *PLACEMENT_OPTIONS),
    },
    "export": {"record": (*DESIGN, "program"), "program": DESIGN},
    "check-cables": {"design": (*NETWORK_AND_SITE, "program"), "program": NETWORK_AND_SITE},
    "report": {"run": DESIGN, "record": DESIGN, "sweep": DESIGN, "program": DESIGN},
    "simulate": {
        "program": (*DESIGN, "hardware", "traffic", "messages", *JOB_OPTIONS),
        "record": NETWORK_AND_SITE,
        "messages": (*TRAFFIC_OPTIONS, "workload", *JOB_OPTIONS),
    },
}
# Options of a verb that remain effective with any file.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "evaluate": ("save",),
    "check-cables": ("found", "names", "identify", "ports", "racks", "rewired_from", "save"),
    "export": ("format", "guids", "routes", "slurm_tree", "spares", "rewired_from", *COLLECTIVE_OPTIONS),
    "simulate": ("hardware", "traffic", *MEASUREMENT_OPTIONS),
}
SEARCH_AND_FLEET = ("strategy", "stop", "measurement", "exact_up_to", "replications", "seed", "workers", "fleet")
# By paper, or paper and figure: options without effect on a reproduced figure.
UNUSED_BY_FIGURE: Mapping[str, tuple[str, ...]] = {
    "hosomi": ("measurement", "gflops"),
    "hosomi/fig9": ("replications", "gflops"),
    "shibamura": ("strategy", "stop", "measurement", "exact_up_to", "gflops"),
    "shimizu": (*SEARCH_AND_FLEET, "gflops"),
    **dict.fromkeys(("shimizu/fig10", "shimizu/fig11", "shimizu/fig12", "shimizu/fig13"), SEARCH_AND_FLEET),
    "takizawa": ("measurement", "replications", "exact_up_to", "gflops"),
}


def check_effects(verb: str, config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Require that no override is already fixed by a file given on the command line.

    Parameters
    ----------
    verb
        The verb of the command line.
    config
        The composed config.
    overrides
        The words of the command line.

    Raises
    ------
    InputError
        If an override would have no effect.

    Examples
    --------
    >>> check_effects("evaluate", {"record": "best.json"}, ["record=best.json", "network.n=5"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.n=5: has no effect with record=best.json; expected no other options
    """
    for file, fixed in FIXED[verb].items():
        if config.get(file) is None:
            continue
        remaining = [option for option in OPTIONS.get(verb, ()) if option not in fixed]
        allowed = f"expected {', '.join(remaining)}" if remaining else "expected no other options"
        # Without loads, a program runs once, unchanged, to its end.
        load_options = ("saturation", "measurement") if file == "program" and config.get("loads") == "auto" else ()
        for word in overrides:
            group, _ = group_of(word)
            if group in fixed:
                raise InputError(f"{word}: has no effect with {file}={config[file]}; {allowed}")
            if group in load_options:
                raise InputError(f"{word}: has no effect with {file}={config[file]}; allowed with loads=[0.1,0.5]")


def check_figure(config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Require that every override has an effect on the reproduced figure.

    Raises
    ------
    InputError
        If an override would have no effect.

    Examples
    --------
    >>> check_figure({"paper": "shibamura", "figure": "fig4"}, ["stop.seconds=9"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=9: has no effect on shibamura/fig4; expected sizes, \
replications, seed, workers, fleet
    """
    figure = f"{config['paper']}/{config['figure']}"
    unused = UNUSED_BY_FIGURE.get(figure, UNUSED_BY_FIGURE.get(config["paper"], ()))
    options = ("sizes", "gflops", *SEARCH_AND_FLEET)
    for word in overrides:
        if group_of(word)[0] in unused:
            allowed = ", ".join(option for option in options if option not in unused)
            raise InputError(f"{word}: has no effect on {figure}; expected {allowed}")


def check_family(config: Mapping[str, Any], overrides: Iterable[str], *, times: bool = False) -> None:
    """Require that the network's family has what each override sets.

    Parameters
    ----------
    config
        The composed config.
    overrides
        The words of the command line.
    times
        Whether the verb computes times of a workload on any network, not only on those with circuits.

    Raises
    ------
    InputError
        If an override would have no effect.

    Examples
    --------
    >>> check_family({"network": {"family": "hypercube"}}, ["workload=dense"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: workload=dense: has no effect on network=hypercube; allowed with \
network=hybrid, optical_overlay
    """
    family, lengths_from_layout = _family(config), _has_layout_lengths(config)
    timed = times and config.get("workload") is not None
    # The record of a search keeps the switch model, so that its design can be simulated; workload times need it too.
    layout_options = ("prices",) if "objective" in config or timed else ("prices", "switch")
    for word in overrides:
        group, inner = group_of(word)
        _check_placement(config, word, placed=not family.has_circuits())
        if group in SITE and not family.uses_site:
            raise InputError(
                f"{word}: has no effect on network={family.name}; allowed with network={_families_with_site()}"
            )
        if (group, inner) == LINK_RATE and times and not timed:
            raise InputError(f"{word}: has no effect on network metrics; allowed with a workload")
        searched = "objective" in config and family.has_variables() and config.get("workload") is not None
        allowed = searched or (group == "workload" and times)
        if group in CIRCUIT_OPTIONS and not family.has_circuits() and not allowed:
            names = _searched_families() if "objective" in config else _families_with_circuits()
            raise InputError(f"{word}: has no effect on network={family.name}; allowed with network={names}")
        if group == "layout" and config.get("layout") is not None and not lengths_from_layout:
            raise InputError(
                f"{word}: has no effect on network={family.name}, whose cables have given lengths; expected layout=none"
            )
        if group in layout_options and "layout" in config and config["layout"] is None:
            raise InputError(f"{word}: has no effect with layout=none; allowed with a layout")


def check_simulated_family(config: Mapping[str, Any], overrides: Iterable[str], *, circuits: bool) -> None:
    """Require that the simulated network has what each override sets.

    Parameters
    ----------
    config
        The composed config.
    overrides
        The words of the command line.
    circuits
        Whether the simulated network, which may be that of a record, has circuits.

    Raises
    ------
    InputError
        If an override would have no effect.

    Examples
    --------
    >>> check_simulated_family({"network": {"family": "torus"}}, ["shorten=10"], circuits=False)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: shorten=10: has no effect without a workload; allowed with workload=stencil
    """
    lengths_from_layout = _has_layout_lengths(config)
    for word in overrides:
        group, inner = group_of(word)
        if (group, inner) == LINK_RATE and not circuits:
            raise InputError(f"{word}: has no effect on packets; expected hardware.link_gbps")
        if circuits:
            _check_placement(config, word, placed=False)
        if circuits and group in (*SITE, *MEASUREMENT_OPTIONS, "hardware", "traffic", "messages"):
            raise InputError(f"{word}: has no effect on this network; expected workload, shorten")
        if circuits and group == "workload" and config.get("record") is not None:
            raise InputError(f"{word}: has no effect with record={config['record']}; expected shorten")
        if not circuits:
            _check_job(config, word)
        if group == "prices" or (group == "layout" and not lengths_from_layout):
            allowed = "switch, and layout if cable lengths follow from it"
            raise InputError(f"{word}: has no effect on packets in this network; expected {allowed}")
        if (group, inner) == ("measurement", "tolerance") and config.get("saturation") is False:
            raise InputError(f"{word}: has no effect with saturation=false; allowed with saturation=true")


def _check_job(config: Mapping[str, Any], word: str) -> None:
    """Require that an override has an effect with or without the workload of a network of switches."""
    group, workload = group_of(word)[0], config.get("workload")
    if workload is None and group == "shorten":
        raise InputError(f"{word}: has no effect without a workload; allowed with workload=stencil")
    if workload is not None and group in TRAFFIC_OPTIONS:
        allowed = ", ".join(("hardware", "interval_ns", "pairs", "seed", *JOB_OPTIONS))
        raise InputError(f"{word}: has no effect with workload={workload.get('kind')}; expected {allowed}")
    _check_placement(config, word, placed=True)


def _check_placement(config: Mapping[str, Any], word: str, *, placed: bool) -> None:
    """Require that an override of the placement of a workload has an effect; `placed`: whether the network takes it."""
    group = group_of(word)[0]
    if group not in PLACEMENT_OPTIONS:
        return
    if not placed:
        raise InputError(f"{word}: has no effect on this network; expected network.placement")
    if config.get("workload") is None:
        raise InputError(f"{word}: has no effect without a workload; allowed with workload=stencil")
    if group in PLACEMENTS_WITH and config.get("placement") not in PLACEMENTS_WITH[group]:
        allowed = " or ".join(f"placement={each}" for each in PLACEMENTS_WITH[group])
        raise InputError(f"{word}: has no effect with placement={config.get('placement')}; allowed with {allowed}")


def _family(config: Mapping[str, Any]) -> type[Family]:
    """Return the family of the network of a config."""
    return family_of(config_group(config, "network").get("family"))


def _has_layout_lengths(config: Mapping[str, Any]) -> bool:
    """Whether the cable lengths of the network of a config follow from the layout."""
    return _family(config).takes_layout_lengths(config_group(config, "network"))


def _families_with_site() -> str:
    """Return the names of families that use a site."""
    return ", ".join(name for name in family_names() if family_named(name).uses_site)


def _families_with_circuits() -> str:
    """Return the names of families with circuits."""
    return ", ".join(name for name in family_names() if family_named(name).has_circuits())


def _searched_families() -> str:
    """Return the names of families that a search varies, with or without a workload."""
    return ", ".join(name for name in family_names() if family_named(name).has_variables())
