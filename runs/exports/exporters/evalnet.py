"""Adjacency lists of EvalNet."""

from collections.abc import Iterator

from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes
from ..reader_paths import fewest_hops


def files(exported: Exported) -> Files:
    """Yield a file for each plane: the numbers of routers and links, then the neighbours of each router."""
    for plane in range(len(exported.design.network.cabling)):
        yield f"plane{plane}.adj", as_bytes(_lines(exported, plane))


def _lines(exported: Exported, plane: int) -> Iterator[str]:
    peers = exported.design.network.cabling[plane].topology.peer
    yield f"{len(peers)} {(peers >= 0).sum() // 2}"
    yield from ("".join(f"{other} " for other in row if other >= 0) for row in peers.tolist())


EXPORTER = Exporter("adjacency list of EvalNet for each plane", None, files, fewest_hops, kinds=PACKETS)
