"""Fuzzed files of fabrics: mutations of small ones, for every reader. The sequence depends only on the seed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from isoplane.models import InputError
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.graph import Graph
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import imported
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import source_of
from isoplane.runs.imports.importers import importer_named, importer_names
from isoplane.runs.inputs.name_file import read_names

from .fabrics import discovery_text, dump_text
from .import_sources import ASTRA, GRAPHML, source

CABLES = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 1)), (("S1", 2), ("N1", 1)), (("S1", 3), ("N1", 2))]
LISTING = discovery_text(CABLES, names={"S0": "MF0;a b:MQM8700/U1", "N1": "n1 mlx5_0"})
LINKS = """\
CA: n0:
      0x0000000000100021      4    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       3    2[  ] "a:b" ( )
Switch: 0x0000000000100010 a:b:
           3    1[  ] ==( 1X           2.5 Gbps Active/  LinkUp)==>       2    1[  ] "S0" (Could be 4X)
           3    2[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       4    1[  ] "n0" ( )
           3    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
Switch: 0x0000000000100000 S0:
           2    1[  ] ==( 1X           2.5 Gbps Active/  LinkUp)==>       3    1[  ] "a:b" ( )
"""
EDGES = "a b 3\nb;c;2.5 // far\nc a\na N0 # node\nb, N1\nc N12\n"
CABLE_LIST = (
    '#x\nFrom device,from_port,To,to_port,remark,length_m\na,1,"b, c",2,"x ""y""",2.5\na,2,N0,1,,\n"b, c",,N1,,z,3\n'
)
ODD = (
    *("9" * 30, "9" * 5000, str(2**63), str(2**64), "-1", "0", "1e999999999", "1e-400", "NaN", "inf", "0x10", "٣", "²"),
    *('"', "'", "<", ">", "&", "&#0;", "]]>", "[", "]", "{", "}", "(", ")", ",", ";", ":", "#", "//", "\\", "\0"),
    *("\ufeff", "\u202e", "\x85", "\r", "\n", "\n\n", " ", "\t", "N0", "N1", "P0-S0", "null", "true"),
    *("[" * 3000, "a" * 5000),
)
TOKEN = re.compile(rb"[A-Za-z0-9_.]+|\s+|.", re.S)


@dataclass(frozen=True)
class Reader:
    """A reader of files: the end of their names, files to mutate, and what reads one."""

    suffix: str
    samples: tuple[str, ...]
    read: Callable[[Path], object]


def _import(kind: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        file = source_of("file", path)
        assert [importer_named(name).accepts(file) for name in importer_names()]  # none of them fails
        fabric = imported([file], kind, None)
        return Fabric(planes=tuple(fabric.planes)), [*fabric.named_devices()]

    return read


def _tables(path: Path) -> object:
    return with_tables(imported([source(LISTING)], None, None), [source_of("tables", path)])


def _graph(path: Path) -> object:
    return Graph.read({"file": path})


def _names(path: Path) -> object:
    given = GivenDevices(path, read_names("names", path))
    return imported([source(LISTING)], None, None, given)


ENTRY = "0x000{} 00{} : (Channel Adapter portguid 0x{}: 'x')"
TABLES = "\n".join(
    [
        "Unicast lids [0x0-0x3] of switch Lid 2 guid 0x0000000000100000 (MF0;a b:MQM8700/U1):",
        *(ENTRY.format(1, 2, 100021), ENTRY.format(2, 1, 100031), ENTRY.format(3, 1, 100032), "3 lids dumped"),
        "Unicast lids [0x0-0x3] of switch Lid 3 guid 0x0000000000100010 (S1):",
        *(ENTRY.format(1, 1, 100021), ENTRY.format(2, 2, 100031), ENTRY.format(3, 3, 100032), "3 lids dumped"),
    ]
)
FABRIC = """{"planes": [{"switches": 2, "cables": [[0, 1, 1, 1]], "nodes": [[0, 0, 2], [1, 1, 2]], "lengths_m": [2.5],
"rates_gbps": [54.545], "node_rates_gbps": [100, 100], "adapter_ports": [[1, 1], [1, 2]]}],
"names": {"switches": [["a", "b"]], "nodes": ["x", "y"]}}"""
NAMES = "name,device\nMF0;a b:MQM8700/U1,P0-S1\n0x100010,P0-S0\nN0,N1\nn1,N0\nport 0x100031,N0:1\n"
GRAPH = GRAPHML.replace('name="nodes"', 'name="x"')
READERS = {
    "edges": Reader(".edges", (EDGES,), _import("edges")),
    "cable_list": Reader(".csv", (CABLE_LIST,), _import("cable_list")),
    "graphml": Reader(".graphml", (GRAPHML,), _import("graphml")),
    "evalnet": Reader(".adj", ("4 4\n1 3\n0 2\n1 3\n0 2\n", "3 2\n1\n2\n\n"), _import("evalnet")),
    "ibnetdiscover": Reader(".txt", (LISTING,), _import("ibnetdiscover")),
    "iblinkinfo": Reader(".txt", (LINKS,), _import("iblinkinfo")),
    "opensm_subnet": Reader(".lst", (dump_text(CABLES),), _import("opensm_subnet")),
    "astra_sim": Reader(".yml", (ASTRA,), _import("astra_sim")),
    "tables": Reader(".lft", (TABLES,), _tables),
    "names": Reader(".csv", (NAMES,), _names),
    "fabric": Reader(".json", (FABRIC,), lambda path: Fabric.read({"file": path})),
    "graph": Reader(".edges", ("0 1 2.5\n1;2 // far\n2 0\n",), _graph),
    "graph_graphml": Reader(".graphml", (GRAPH, GRAPH.replace("<graph>", '<graph edgedefault="directed">')), _graph),
}


def fuzzed(name: str, seed: int, files: int) -> Iterator[bytes]:
    """Yield the contents of files for a reader, the same ones for the same seed; the first are not mutated."""
    random, samples = Random(f"{name} {seed}"), [text.encode() for text in READERS[name].samples]
    yield from samples[:files]
    for _ in range(files - len(samples)):
        content = random.choice(samples)
        for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
            content = random.choice((_bytes, _tokens, _tokens, _lines))(random, content)
        yield content


def is_read(name: str, path: Path) -> bool:
    """Whether a reader accepts a file; else its message must be one line that says what is expected."""
    try:
        READERS[name].read(path)
    except InputError as error:
        if "\n" in str(error) or not re.search("expected|allowed", str(error)):
            raise AssertionError(f"not one line that says what is expected: {error}") from error
        return False
    return True


def _bytes(random: Random, content: bytes) -> bytes:
    at = random.randrange(len(content) + 1)
    end = min(len(content), at + random.randrange(30))
    return random.choice(
        (
            content[:at] + bytes(random.randrange(256) for _ in range(3)) + content[end:],
            content[:at] + content[end:],
            content[:end] + content[at:end] * random.choice((1, 2, 50)) + content[end:],
            content[:at],
            content.decode("utf-8", "replace").encode(random.choice(("utf-16", "latin-1", "utf-8-sig")), "replace"),
        )
    )


def _tokens(random: Random, content: bytes) -> bytes:
    tokens = TOKEN.findall(content) or [b""]
    at, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    changed = random.choice((random.choice(ODD).encode(), tokens[other], b"", tokens[at] * 2))
    return b"".join([*tokens[:at], changed, *tokens[at + 1 :]])


def _lines(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(3)
    if kind == 0:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 1:
        lines.insert(at, lines[other])
    else:
        del lines[at]
    return b"\n".join(lines)
