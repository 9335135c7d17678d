"""`isoplane evaluate`: the metrics of one network."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from omegaconf import DictConfig

from isoplane.models import Design, Family, InputError, Network
from isoplane.models.checks import check_bool
from isoplane.models.device_names import node_name
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.models.paths.transmission_times import transmission_times_of
from isoplane.models.steps import step
from isoplane.models.workloads import Workload
from isoplane.models.workloads.programs import STARTS
from isoplane.objectives import Lexicographic, evaluator_of
from isoplane.objectives.fluid import SHARINGS
from isoplane.objectives.scoring.expressions import is_in_words
from isoplane.objectives.scoring.functions import is_function, names_function
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.runs.config.config_values import Config, choice_of, given_words, group, path_of, plain
from isoplane.runs.config.designs import LINK_RATE, Loaded, described_config, loaded
from isoplane.runs.config.limit_words import require_layout, stated_limits
from isoplane.runs.exports.reader_paths import described_hops
from isoplane.runs.records import Record, better_outside, copy_tables, record_of_given, text_of
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.design_table import (
    CAPACITIES,
    assumed_goals,
    assumptions,
    metric_tables,
    shown_unit,
    title_of,
    units_of,
)
from isoplane.runs.terminal.table import Table, columns, number
from isoplane.runs.terminal.table_output import DATA, format_of, print_table, with_columns

if TYPE_CHECKING:
    from isoplane.runs.exports.failed_parts import Failed

SHOWN_NODES = 8  # of those that are cut off
WITH_NODES, CUT_OFF, CUT_OFF_NAMES = "throughput_with_links_of_nodes", "nodes_cut_off", "names_cut_off"
LABELS = {WITH_NODES: "with links of nodes", CUT_OFF: "nodes cut off"}
REMAINING = ("aspl", "diameter", CAPACITIES, WITH_NODES, CUT_OFF)
# What fails; measures by when, then by name; and the names of nodes that are cut off.
Remaining = tuple[str, dict[str, dict[str, float | int | None]], list[str]]
STEPS = ("whole", "repeated")  # of a program: how its completion is found


def run(config: DictConfig) -> int:
    """Print the metrics of a network next to its family's baseline; save its record if `save` is given.

    Raises
    ------
    InputError
        If the record to save cannot hold the times of a workload.
    """
    data = Config(plain(config))
    kind, names = format_of(data["format"]), data["columns"]
    source = loaded(data.handing_on(LINK_RATE))
    design = source.design
    workload, listed, notes, remaining = described(data, source)
    save = None if data["save"] is None else path_of("save", data["save"])
    if save is not None and save.suffix not in ("", ".json"):
        raise InputError(f"save={save}: writes a record; expected a name that ends with .json")
    objective, unknown = shown_objective(data, source, listed)
    data.require_effects(given_words())
    if save is not None and workload is not None and not evaluator_of(design).needs_workload:
        raise InputError(
            f"save={save}: without circuits only a search records times of a workload; expected either save or workload"
        )
    with step(f"metrics of {design.network.title}"):
        table, by_design = metric_tables(design, listed, objective)
        if kind in DATA and (left := remaining()) is not None:
            by_design = _with_remaining(by_design, left)
        if names is not None:
            table = by_design = with_columns(names, by_design)
    if save is not None:
        _save(save, source.record or record_of_given(design, described_config(data, design), workload))
    # Data have no units, which say to people that a length is assumed.
    rests_on = assumptions(design) if kind in DATA else []
    text = f"{title_of(design, listed)}\n{table}"
    print_table(kind, table, by_design, *rests_on, *unknown, *notes(), text=text, swept=by_design)
    return codes.DONE


def shown_objective(data: Config, source: Loaded, workload: Workload | None) -> tuple[Lexicographic | None, list[str]]:
    """Return the given objective with its limits, or that of a record, and what it rests on or lacks, in lines."""
    stated, design = group(data, "objective"), source.design
    evaluator, name = evaluator_of(design, has_workload=workload is not None), stated["name"]
    if name is not None and not (is_in_words(name) or is_function(name)):
        raise InputError(
            f"objective={name}: not minimised here; expected words, such as 'min delay_ns', or a function of metrics, "
            "module:function"
        )
    limits = stated_limits(data, evaluator, design.network)
    if name is not None or limits is not None:
        from isoplane.runs.config.setup import objective_of  # with it come the libraries of searches

        unnamed = Lexicographic("", ((evaluator.names[0],),), evaluator, workload)
        objective = unnamed if name is None else objective_of(stated, evaluator, workload, design.network)
        objective = objective if limits is None else limited(objective, limits, design.network)
        require_layout(objective, design.network)
        return objective, assumed_goals(design, objective)
    if source.record is None or not names_function(source.record):
        return None, []
    from isoplane.runs.report.report_data import own_objective  # heavy: all that pages have

    return own_objective(source.record)


def described(
    data: Config, source: Loaded
) -> tuple[Workload | None, Workload | None, Callable[[], list[str]], Callable[[], Remaining | None]]:
    """Return the workload of a design, that of its metrics, and functions of what else there is to say of it.

    They return notes, and what remains of the network when parts of it fail, None if none do.

    Parameters
    ----------
    data
        The composed config, all of whose options are read here but ``save``.
    source
        The design.
    """
    design, workload = source.design, source.workload(data)
    order = source.exchange_order(data, workload)
    is_repeated = workload is not None and choice_of("steps", data["steps"], STEPS) == "repeated"
    rules = (STARTS[0], SHARINGS[0]) if is_repeated else _rules(data, design, workload)
    is_configured = data["record"] is None and data["program"] is None and source.record is None
    with_bounds = is_configured and check_bool("any_routing", data["any_routing"])
    listed = None if is_repeated else workload
    failed = _failed(data, design.network)

    @cache
    def remaining() -> Remaining | None:
        return None if failed is None else _remaining(design.network, failed)

    def notes() -> list[str]:
        times, gain = (None, None) if workload is None else _workload_texts(design, workload, rules, is_repeated)
        exchange = tables = None
        if order is not None:
            from isoplane.objectives.exchanges import check_order

            exchange = check_order(design.network, order).text
        if design.network.family.is_imported:
            from isoplane.runs.imports.routing_choice import tables_text

            tables = tables_text(design.network.family)
        any_routing = None
        if with_bounds:
            from isoplane.runs.terminal.any_routing import any_routing_text  # only here: it needs the linear programs

            any_routing = any_routing_text(design, workload, order)
        of_pairs = (_ties_text(design), better_outside(design)) if workload is None else ()
        of_cables = _longer_routes_text(design), _parallel_text(design), tables
        left = None if (known := remaining()) is None else _remaining_text(design.network, known)
        texts = (times, gain, exchange, any_routing, *of_cables, *of_pairs, left)
        return [text for text in texts if text is not None]

    return workload, listed, notes, remaining


def _workload_texts(
    design: Design, workload: Workload, rules: tuple[str, str], is_repeated: bool
) -> tuple[str | None, str | None]:
    """Return what a workload takes by other rules than those of metrics, and without caches or by repeated steps."""
    from isoplane.runs.terminal import workload_times  # only here: it needs the fluid model

    with step(f"times on {design.network.title}"):
        if is_repeated:
            return None, workload_times.step_times_text(design, workload)
        by_rules = workload_times.fluid_rules_text(design, workload, *rules)
        return by_rules, workload_times.cache_gain_text(design, workload, *rules)


def _failed(data: Config, network: Network) -> "Failed | None":
    """Return what a config says has failed in a network, if anything."""
    if data["failed_cables"] is None and data["failed_switches"] is None:
        return None
    from isoplane.runs.exports.failed_parts import failed_parts  # only here: it needs the cables, and bounds

    return failed_parts(data, network)


def _remaining(network: Network, failed: "Failed") -> Remaining:
    """Return what remains of a network when cables and switches fail, in words, and measures before and after that."""
    from isoplane.objectives.failures import Baseline

    names, *numbers = failed
    baseline = Baseline(network)
    remaining = baseline.model.after(*numbers)
    measures = {"intact": baseline.intact, "rerouted": baseline.rerouted}
    if baseline.rerouted == baseline.intact:  # all but routes that are whole paths
        del measures["rerouted"]
    measures["without"] = baseline.measures(remaining.connected_network)
    # Throughput is in Mbit/s with stated rates, and shown in capacities of the intact network's reference link.
    reference = transmission_times_of(network).reference_mbps or 1
    result: dict[str, dict[str, float | int | None]] = {}
    for column, values in measures.items():
        divided = zip(values, (1, 1, reference, reference), strict=True)
        shown = [each if each is None or isinstance(each, int) else float(each / by) for each, by in divided]
        result[column] = dict(zip(REMAINING, (*shown, remaining.lost if column == "without" else 0), strict=True))
    if all(named[CAPACITIES] == named[WITH_NODES] for named in result.values()):  # these do not limit it
        for named in result.values():
            del named[WITH_NODES]
    kept, called = set(remaining.nodes.tolist()), None if network.names is None else network.names.nodes
    lost = (node for node in range(network.nodes) if node not in kept)
    return f"without {', '.join(names)}", result, [node_name(i) if called is None else called[i] for i in lost]


def _remaining_text(network: Network, remaining: Remaining) -> str:
    """Return a table of a network before and after the failure of cables and switches."""
    without, measures, cut_off = remaining
    design, last = Design(network), measures["without"]
    rows = [["", *measures, "unit"]]
    for name in last:
        unit = shown_unit(CAPACITIES if name == WITH_NODES else name, design)
        rows.append([LABELS.get(name, name), *(number(values[name]) for values in measures.values()), unit])
    among = ", among the other nodes" if last[CUT_OFF] else ""
    more = len(cut_off) - SHOWN_NODES
    rest = f" and {more} more; format=csv has all" if more > 0 else ""
    named = [f"cut off: {', '.join(cut_off[:SHOWN_NODES])}{rest}"] if cut_off else []
    head = f"{without}, along routes that are repaired where they lost a cable{among}:"
    return "\n".join([head, columns(rows), *named])


def _with_remaining(table: Table, remaining: Remaining) -> Table:
    """Return the values of a design and of its baseline with those of what remains of it, in further rows."""
    without, measures, cut_off = remaining
    intact, *others = measures.items()
    added = [*intact[1], *([CUT_OFF_NAMES] if cut_off else [])]
    names = [*table.columns, *(name for name in added if name not in table.columns)]
    design, *baseline = (dict[str, object](zip(table.columns, row, strict=True)) for row in table.rows)
    after = [
        dict[str, object](row) | {"design": f"{design['design']} {without if name == 'without' else name}"}
        for name, row in others
    ]
    after[-1][CUT_OFF_NAMES] = cut_off
    rows = [dict[str, object](intact[1]) | design, *baseline, *after]
    return Table(names, [[row.get(name) for name in names] for row in rows], units=units_of(names))


def _longer_routes_text(design: Design) -> str | None:
    """Return how long the routes of planes are where metrics of distances are those of shorter paths, in lines."""
    lines, routing = [], getattr(design.network.family, "routing", None)
    balanced = " and network.routing=balanced" if routing == "up_down" else ""
    for index, plane in enumerate(() if design.circuits is not None else design.network.planes):
        means = described_hops(plane)
        fewest, routed = means["mean_hops"], means["mean_hops_of_routes"]
        if fewest is not None and routed > fewest:
            lines.append(
                f"plane {index}: routes of {routed:.6g} hops between nodes on average, where the shortest paths, "
                f"those of aspl{balanced}, have {fewest:.6g}"
            )
    return "\n".join(lines) or None


def _parallel_text(design: Design) -> str | None:
    """Return how many pairs of switches have parallel cables, which a list of cables may have by mistake."""
    planes = () if design.circuits is not None else design.network.cabling
    pairs = sum(plane.topology.parallel_pairs for plane in planes)
    return f"more than one cable between {counted(pairs, 'pair')} of switches" if pairs else None


def _ties_text(design: Design) -> str | None:
    """Return that packets halfway round the rings of a torus all go one way, where they could go both."""
    inner, key = design.network.family, "network.ties"
    while isinstance(plane := getattr(inner, "plane", None), Family):
        inner, key = plane, key.replace("network.", "network.plane.")
    if design.circuits is not None or not inner.has_one_way_ties:
        return None
    return f"{key}=positive: packets halfway round a ring all go one way; {key}=parity, as in compare, has both ways"


def _rules(config: Config, design: Design, workload: Workload | None) -> tuple[str, str]:
    """Return what messages begin with and how transfers share links, besides the default rules of metrics."""
    if workload is None or design.circuits is not None:
        return STARTS[0], SHARINGS[0]
    start = choice_of("messages_start", config["messages_start"], STARTS)
    return start, choice_of("sharing", config["sharing"], SHARINGS)


def _save(path: Path, record: Record) -> None:
    """Write a record: that of a design that was given, not found by a search, or one that was read."""
    if path.exists():
        raise InputError(f"save={path}: exists; expected a new file")
    # Tables first: a record must never name files that do not exist.
    copy_tables(record, path.parent)
    write_atomically(path, text_of(record))
