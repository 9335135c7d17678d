"""Existing designs, which a comparison measures like the designs that it sizes."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from isoplane.models import Family, InputError, Network
from isoplane.models.cabling.assumed_lengths import assumed_lengths, with_layout_lengths
from isoplane.models.families.fabric import Fabric
from isoplane.models.family import plane_count
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.files.bounded_file import read_input
from isoplane.models.network import NO_SITE
from isoplane.runs.config.config_values import distinct_paths
from isoplane.runs.records import network_of, read_record

IMPORTED_LENGTHS = "network.assumed_cable_m=null"
LONGEST_NAME, KEPT = 24, 8  # characters of names in titles, and of both ends of a longer one


@dataclass(frozen=True)
class Existing:
    """An existing design, in place of an `Arrangement`: it has one size, whatever its throughput.

    Parameters
    ----------
    file
        Its file, as given: a record, or the planes that `isoplane import` wrote; of a design made in Python its name.
    design
        The design, with cable lengths from the layout where its file states none.
    words
        The options of `isoplane evaluate` that give it; empty for one made in Python.
    name
        The end of its file that no other existing design shares, cut in the middle if it is long, for titles.
    lengths
        Where its cables have other lengths there, or are not laid out here, in words; else empty.
    """

    file: str
    design: Family
    words: str
    name: str
    lengths: str = ""

    relabelled: ClassVar[bool] = False
    searched: ClassVar[bool] = False

    @property
    def family(self) -> str:
        """Name of its family."""
        return self.design.name

    @property
    def planes(self) -> int:
        """Number of planes."""
        return plane_count(self.design)

    @property
    def title(self) -> str:
        """Display name."""
        return f"existing {self.name}"

    @property
    def is_direct(self) -> bool:
        """Whether its nodes are parts of switches, without cables: all of them are bought then."""
        return Network(self.design, NO_SITE).node_cable_mm is None

    @cached_property
    def gbps(self) -> float | None:
        """The rate of the fastest link of a node that it states; None if it states none."""
        return stated_gbps(Network(self.design, NO_SITE))

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Its size as options of a comparison: nodes, the most ports of a switch, and the most links of a node."""
        links = [np.diff(plane.starts) for plane in Network(self.design, NO_SITE).cabling]
        return {
            "nodes": self.design.nodes,
            "ports": self.design.ports,
            "node_ports": int(np.sum(links, axis=0).max()),
        }


def existing_in(value: object) -> tuple[Existing, ...]:
    """Return the existing designs of a config: of a list of files, a single one, or none.

    Raises
    ------
    InputError
        If a file is neither a record nor written by `isoplane import`, is given twice, or is of a network with
        circuits.
    """
    given = [] if value is None else value if isinstance(value, list) else [value]
    paths = distinct_paths("existing", given)
    ends = [_name(path, paths) for path in paths]
    cut = [_shortened(end) for end in ends]
    names = cut if len(set(cut)) == len(cut) else ends
    return tuple(_read(str(path), name) for path, name in zip(paths, names, strict=True))


def stated_gbps(network: Network) -> float | None:
    """Return the rate of the fastest link of a node in Gbit/s; None if no plane states rates."""
    stated = [plane.timing.node_rate_mbps for plane in network.cabling]
    return max((int(rates.max()) / 1000 for rates in stated if rates is not None), default=None)


def rates_note(existing: Sequence[Existing], gbps: float) -> list[str]:
    """Return that designs state other rates than that of the switch model, if any: they divide prices per Gbit/s."""
    rates = {each.name: each.gbps for each in existing if each.gbps not in (None, gbps)}
    if not rates:
        return []
    own = ", ".join(f"{name} at its own {rate:g} Gbit/s" for name, rate in rates.items())
    alike = " or ".join(f"switch.link_gbps={rate:g}" for rate in dict.fromkeys(rates.values()))
    return [f"Prices per Gbit/s: {own}, the others at {gbps:g} Gbit/s; {alike} gives the others that rate, too."]


def _name(path: Path, paths: Sequence[Path]) -> str:
    """Return the shortest end of a path that is not an end of another one; the whole path if each is."""
    ends = (path.parts[-length:] for length in range(1, len(path.parts) + 1))
    alone = (end for end in ends if [other.parts[-len(end) :] for other in paths].count(end) == 1)
    return str(Path(*next(alone, path.parts)))


def _shortened(name: str) -> str:
    """Return a name without its middle if it is long: a record's own one ends in its identifier.

    Examples
    --------
    >>> _shortened("built.json"), _shortened("hypercube-n6-aspl_and_traffic-0123456789ab.json")
    ('built.json', 'hypercub...456789ab')
    """
    stem = name.removesuffix(".json")
    return name if len(name) <= LONGEST_NAME else f"{stem[:KEPT]}...{stem[-KEPT:]}"


def _read(file: str, name: str) -> Existing:
    if _is_imported(file):
        try:
            family: Family = Fabric.read({"file": file})
        except InputError as error:
            raise InputError(f"existing={file}: {error}") from error
        words = [f"network={Fabric.name}", f"network.file={file}"]
        words += [IMPORTED_LENGTHS] if with_layout_lengths(family).assumed_cable_m is None else []
    else:
        family = network_of(read_record(file, option="existing")).family
        words = [f"record={file}"]
    return _existing(file, family, words, name)


def existing_designs(families: Sequence[Family], names: Sequence[str] = ()) -> tuple[Existing, ...]:
    """Return designs made in Python as existing ones.

    Parameters
    ----------
    families
        The designs.
    names
        Their names; none for ``design``, ``design 2`` and so on.

    Raises
    ------
    InputError
        If a network has circuits.
    """
    names = names or ["design" if number == 1 else f"design {number}" for number in range(1, len(families) + 1)]
    return tuple(_existing(name, family, [], name) for name, family in zip(names, families, strict=True))


def _existing(file: str, family: Family, words: list[str], name: str) -> Existing:
    refuse_circuits(family, f"existing={file}: {family.title} has circuits; expected a network of switches")
    design = with_layout_lengths(family)
    return Existing(file, design, shlex.join(words), name, _lengths(family, design, words))


def _lengths(family: Family, design: Family, words: list[str]) -> str:
    """Return in words where cables have other lengths than in `isoplane evaluate` or are not laid out, or nothing."""
    if design.assumed_cable_m is not None:
        return assumed_lengths(design) or "as stated"
    assumed = None if IMPORTED_LENGTHS in words else assumed_lengths(family)
    where = f"isoplane evaluate {shlex.join(words)} has" if words else "the design itself has"
    return "" if assumed is None else f"too, where {where} them {assumed}"


def _is_imported(file: str) -> bool:
    """Whether a file has planes and is no record."""
    expected = "expected a record, or fabric.json of isoplane import"
    try:
        data = json.loads(read_input(Path(file)))
    except OSError as error:
        raise InputError(f"existing={file}: {error.strerror}; {expected}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"existing={file}: damaged JSON ({error}); {expected}") from error
    if not isinstance(data, dict) or not {"schema", "planes"} & set(data):
        raise InputError(f"existing={file}: neither a record nor a fabric; {expected}")
    return "schema" not in data
