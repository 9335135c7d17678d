"""`isoplane import`: an existing fabric as a network for every other verb."""  # noqa: N999  # named like its verb, a keyword

from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models.checks import MAX_NODES_PER_SWITCH, check_int, exact_number
from isoplane.models.families.fabric import Fabric
from isoplane.models.files.exact_text import counted
from isoplane.models.steps import step
from isoplane.runs.config.config_values import path_of, paths_of, plain
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.imports.assembled_fabric import ImportedFabric
from isoplane.runs.imports.discovery.part_rates import slow_link_lines
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import FABRIC, NAMES, imported, write_fabric
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import source_of
from isoplane.runs.imports.importers import importer_named
from isoplane.runs.imports.routing_choice import rated_routings, routing_lines
from isoplane.runs.inputs.name_file import read_names
from isoplane.runs.terminal import codes


def run(config: DictConfig) -> int:
    """Write the fabric in some files, and print what it consists of."""
    data = plain(config)
    kind = data["kind"]
    if kind is not None:
        importer_named(str(kind))
    if data["nodes_per_switch"] is not None:
        check_int("nodes_per_switch", data["nodes_per_switch"], 1, MAX_NODES_PER_SWITCH)
    sources = [source_of("file", path) for path in paths_of("file", data["file"])]
    given = None if data["names"] is None else _given(path_of("names", data["names"]))
    link_gbps = (
        None if data["link_gbps"] is None else exact_number("link_gbps", data["link_gbps"], high=10**6, above=True)
    )
    fabric = imported(sources, None if kind is None else str(kind), data["nodes_per_switch"], given, link_gbps)
    if data["tables"] is not None:
        fabric = with_tables(fabric, [source_of("tables", path) for path in paths_of("tables", data["tables"])])
    with step("throughput of routings"):
        rated = [] if fabric.tables else rated_routings(_family(fabric))
    folder = Path(HydraConfig.get().runtime.output_dir)
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS, NAMES)):
        written = write_fabric(fabric, folder, rated)
        # Read back as every other verb will read it, so that an error appears here.
        family = Fabric.read({"file": folder / FABRIC})
    for number, (part, plane) in enumerate(zip(fabric.parts, fabric.planes, strict=True)):
        title = importer_named(part.kind).title
        sizes = ((plane.switches, "switch"), (len(plane.cables), "cable"), (len(plane.nodes), "link"))
        print(f"plane {number}: {title}, {', '.join(counted(*size) for size in sizes)} of nodes")
        for line in slow_link_lines(part):
            print(f"plane {number}: {line}")
    for note in fabric.notes:
        print(note)
    ports = counted(family.ports, "port")
    print(f"{counted(family.nodes, 'node')}, at most {ports} of a switch, routing={family.routing}")
    print("\n".join([*routing_lines(rated), *map(str, written)]))
    return codes.DONE


def _family(fabric: ImportedFabric) -> Fabric:
    return Fabric(planes=tuple(fabric.planes), names=fabric.device_names())


def _given(path: Path) -> GivenDevices:
    return GivenDevices(path, read_names("names", path))
