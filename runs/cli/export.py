"""`isoplane export`: files for other tools."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_count, exact_number
from isoplane.runs.config.allowed_keys import group_of
from isoplane.runs.config.config_values import given_words, group, path_of, paths_of, plain
from isoplane.runs.config.designs import design_of, workload_for
from isoplane.runs.config.unused_options import check_effects, check_family
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exported_order import SEARCHED
from isoplane.runs.exports.exporter import Exported, Exporter, Options
from isoplane.runs.exports.exporters import exporter_named, exporter_names
from isoplane.runs.exports.msccl import Target
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.imports.guid_files import read_guids
from isoplane.runs.records import design_content, design_of_record, id_of, read_record, require_fit
from isoplane.runs.terminal import codes

FORMATS_WITH = {
    "routes": ("json",),
    "spares": ("cabling",),
    "rewired_from": ("cabling", "netbox", "opensm", "plane_table", "source_routes", "graphml", "dot", "json"),
    "slurm_tree": ("slurm",),
    "guids": ("opensm",),
    "collective": ("phases", "msccl"),
    "order": ("phases", "msccl"),
    "evaluations": ("phases", "msccl"),
    "msccl": ("msccl",),
}  # by option
OF_WORKLOADS = ("goal", "tit")


def run(config: DictConfig) -> int:
    """Write a design in the given formats, each in a folder of its name, and a manifest; print the names of files.

    Raises
    ------
    InputError
        If no format is given, or one of them cannot express the design.
    """
    data = plain(config)
    check_effects("export", data, given_words())
    exporters = _exporters(data["format"])
    with_workload = bool(set(OF_WORKLOADS) & set(exporters))
    if data["record"] is None and data["program"] is None:
        check_family(data, [word for word in given_words() if not (with_workload and group_of(word)[0] == "workload")])
    _check_options(exporters, given_words())
    if data["order"] != SEARCHED and any(group_of(word)[0] == "evaluations" for word in given_words()):
        raise InputError(f"evaluations={data['evaluations']}: has no effect; allowed with order={SEARCHED}")
    exported = _exported(data, with_workload=with_workload)
    folder = Path(HydraConfig.get().runtime.output_dir)
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS, *exporters)):
        written = export(exported, exporters, folder)
    print("\n".join(map(str, written)))
    return codes.DONE


def _exporters(given: object) -> dict[str, Exporter]:
    """Return the exporters of formats by name: of a list, or a single one."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        shown = "null" if given is None else given
        raise InputError(f"format={shown}: expected a list of formats, some of {', '.join(exporter_names())}")
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise InputError(f"format={','.join(names)}: {min(repeated)} twice; expected each format once")
    return {name: exporter_named(name) for name in names}


def _check_options(exporters: Iterable[str], overrides: Iterable[str]) -> None:
    """Require that an option belongs to one of the given formats."""
    for word in overrides:
        needed = FORMATS_WITH.get(group_of(word)[0])
        if needed is not None and not set(needed) & set(exporters):
            raise InputError(f"{word}: has no effect on these formats; allowed with format={','.join(needed)}")


def _exported(data: dict[str, Any], *, with_workload: bool) -> Exported:
    """Return the design of a record, or of the config, with its workload if a format needs it."""
    if data["record"] is not None:
        content = read_record(path_of("record", data["record"]))
    else:
        content = design_content(design_of(data))
        content = {"id": id_of(content), **content}
    design, options = design_of(data), _options(data)
    if with_workload:
        workload = workload_for(data, design)
        if workload is not None:
            require_fit(design, workload)
        options = replace(options, workload=workload)
    return Exported(design, content, options)


def _options(data: dict[str, Any]) -> Options:
    """Return the options of formats."""
    built = data["rewired_from"]
    return Options(
        routes=check_bool("routes", data["routes"]),
        slurm_tree=data["slurm_tree"],
        guids=None if data["guids"] is None else read_guids("guids", paths_of("guids", data["guids"])),
        collective=data["collective"],
        order=data["order"],
        evaluations=check_count("evaluations", data["evaluations"], 1),
        msccl=Target(**group(data, "msccl")),
        spares=exact_number("spares", data["spares"], 0, 1),
        rewired_from=None
        if built is None
        else design_of_record(read_record(path_of("rewired_from", built), option="rewired_from")),
    )
