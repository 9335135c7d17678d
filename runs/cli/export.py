"""`isoplane export`: files for other tools."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import InputError, Network
from isoplane.models.workloads import Workload
from isoplane.runs.config.config_values import Config, given_words, group, key_of, plain, values_of
from isoplane.runs.config.designs import SITE, Loaded, loaded
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exporter import Exported, Exporter
from isoplane.runs.exports.exporters import exporter_named, exporter_names
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.records import design_content, id_of, require_fit
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.messages import print_message


def run(config: DictConfig) -> int:
    """Write a design in the given formats, each in a folder of its name, and a manifest; print the names of files."""
    data = Config(plain(config))
    exporters, exported = exporters_of(data["format"]), exported_of(data, loaded(data), given_words())
    folder = Path(HydraConfig.get().runtime.output_dir)
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS, *exporters)):
        written = export(exported, exporters, folder, lambda: data.require_effects(given_words()))
    print("\n".join(map(str, written)))
    for note in exported.notes:
        print_message(note)
    return codes.DONE


def exported_of(data: Config, source: Loaded, words: Iterable[str]) -> Exported:
    """Return the design that is exported, with the options of formats.

    Raises
    ------
    InputError
        If a word describes the site, and a record does so: before its racks are found, which another layout might fit.
    """
    content = source.record
    if content is not None:
        data.require_effects(word for word in words if key_of(word).partition(".")[0] in SITE)
    if content is None:
        content = design_content(source.design)
        content = {"id": id_of(content), **content}
    if source.record is None and "workload" in source.described_keys() and data.get("workload"):
        values_of(group(data, "workload"))  # what the design is for, as other verbs need it, whatever the formats
    exported = Exported(source.design, content, data, lambda: _workload(data, source, exported.network))
    return exported


def exporters_of(given: object) -> dict[str, Exporter]:
    """Return the exporters of formats by name: of a list, or a single one."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        shown = "null" if given is None else given
        raise InputError(f"format={shown}: expected a list of formats, some of {', '.join(exporter_names())}")
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise InputError(f"format={','.join(names)}: {min(repeated)} twice; expected each format once")
    return {name: exporter_named(name) for name in names}


def _workload(data: Config, source: Loaded, network: Network) -> Workload | None:
    """Return the workload of the record or config on a network with the nodes that are bought, if there is one."""
    source = replace(source, design=replace(source.design, network=network))
    workload = source.workload(data)
    if workload is not None:
        require_fit(source.design, workload)
    return workload
