"""Edge lists: two devices and, optionally, the length of the cable in each line."""

from isoplane.models import InputError
from isoplane.models.checks import exact_number
from isoplane.models.device_names import NODE
from isoplane.models.files.graph_files import edge_words
from isoplane.models.topologies.graph import require_cables_once

from ..fabric_names import sorted_names
from ..importer import CableEntry, Importer, Listing, Source
from . import cable_list

SUFFIXES, OTHERS = (".edges", ".edgelist"), (".txt", ".csv")  # of edge lists, and of text of any kind
EXPECTED = "two devices and, optionally, the length of the cable in metres"


def read(source: Source) -> Listing:
    """Return the devices of an edge list: those named ``N0``, ``N1``, ... are nodes, unless all are.

    The file does not say which others are.
    """
    links = []
    for number, words in edge_words(source.text):
        if len(words) not in (2, 3):
            raise source.wrong(number, f"{len(words)} words", EXPECTED)
        try:
            length = exact_number("length", words[2], high=10**7) if len(words) == 3 else None
        except InputError as error:
            raise source.wrong(number, f"{words[2]!r} is no length", EXPECTED) from error
        links.append(CableEntry((words[0], words[1]), number, length_m=length))
    require_cables_once(source.name, [link.ends for link in links])
    names = sorted_names({name for link in links for name in link.ends})
    is_node = [NODE.fullmatch(name) is not None for name in names]
    if all(is_node):
        return Listing(names, (), tuple(links), has_kinds=False)
    switches, nodes = (
        tuple(name for name, node in zip(names, is_node, strict=True) if node == kind) for kind in (False, True)
    )
    return Listing(switches, nodes, tuple(links), has_kinds=False)


def accepts(source: Source) -> bool:
    """Whether its name is that of an edge list, or each of the first lines has two devices, and a length or nothing.

    A line of three words of which the last is quoted begins a device in output of ``ibnetdiscover``, and names of
    columns a cable list.
    """
    suffix = source.suffix
    first = [words for _, (_, words) in zip(range(8), edge_words(source.text), strict=False)]
    seems = bool(first) and all(len(words) == 2 or (len(words) == 3 and words[2][0] != '"') for words in first)
    return (suffix in SUFFIXES or (suffix in OTHERS and seems)) and not cable_list.accepts(source)


IMPORTER = Importer("edge list", accepts, read)
