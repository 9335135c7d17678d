"""`isoplane import`: an existing fabric as a network for every other verb."""  # noqa: N999  # named like its verb, a keyword

import shlex
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models.families.fabric import Fabric
from isoplane.models.files.exact_text import counted
from isoplane.models.steps import step
from isoplane.runs.comparison.known_sizes import known_size_lines
from isoplane.runs.config.config_values import plain
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.imports.discovery.part_rates import slow_link_lines
from isoplane.runs.imports.import_fabric import FABRIC, NAMES, configured_fabric, imported_family, write_fabric
from isoplane.runs.imports.importers import importer_named
from isoplane.runs.imports.routing_choice import rated_routings, rated_tables, routing_lines
from isoplane.runs.inputs.named_families import sized_families
from isoplane.runs.terminal import codes


def run(config: DictConfig) -> int:
    """Write the fabric in some files, and print what it consists of."""
    data = plain(config)
    fabric = configured_fabric(data)
    with step("throughput of routings"):
        rated = [] if fabric.tables else rated_routings(imported_family(fabric))
    folder = Path(HydraConfig.get().runtime.output_dir)
    sized_families()  # with which it is compared at the end: refuses a broken one before anything is written
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS, NAMES)):
        written = write_fabric(fabric, folder, rated)
        # Read back as every other verb will read it, so that an error appears here.
        family = Fabric.read({"file": folder / FABRIC})
    with step("throughput of routings"):
        routings = rated_tables(family) if fabric.tables else rated
    with step("comparing with families"):
        parts = enumerate(fabric.parts)
        unnumbered = [number for number, part in parts if all(cable.ports == (None, None) for cable in part.cables)]
        known = known_size_lines(family, unnumbered)
    for number, (part, plane) in enumerate(zip(fabric.parts, family.planes, strict=True)):
        title, parallel = importer_named(part.kind).title, plane.topology.parallel_pairs
        sizes = ((plane.switches, "switch"), (len(plane.cables), "cable"), (len(plane.nodes), "link"))
        print(f"plane {number}: {title}, {', '.join(counted(*size) for size in sizes)} of nodes")
        if parallel:
            print(f"plane {number}: more than one cable between {counted(parallel, 'pair')} of switches")
        for line in slow_link_lines(part):
            print(f"plane {number}: {line}")
    for note in fabric.notes:
        print(note)
    stated = max(part.switch_ports for part in fabric.parts)
    ports = f"{family.ports} of {stated} ports" if stated > family.ports else counted(family.ports, "port")
    print(f"{counted(family.nodes, 'node')}, at most {ports} of a switch, routing={family.routing}")
    print("\n".join([*routing_lines(routings), *known, *map(str, written)]))
    shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    print(f"next: isoplane evaluate network=fabric {shlex.quote(f'network.file={shown / FABRIC}')}")
    return codes.DONE
