"""Rates of the links of imported planes: all of them, and those that are lower than most."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.files.exact_text import shortened

from ..fabric_parts import ListedPlane
from ..importer import CableEntry
from .link_rate import usual_rates


def with_rates(parts: Sequence[ListedPlane], link_gbps: Fraction | None) -> list[ListedPlane]:
    """Return planes of which all links have a rate, or none has.

    Parameters
    ----------
    parts
        The planes.
    link_gbps
        Rate in Gbit/s of links for which the files state none; None if there is no such link.

    Raises
    ------
    InputError
        If only some links have a rate, apart from those of nodes, which a direct network has not; the message names the
        line of a link without.
    """
    links = [link for part in parts for link in (*part.cables, *part.attached)]
    if link_gbps is not None and all(link.rate_gbps is not None for link in links):
        raise InputError(f"link_gbps={float(link_gbps):g}: no effect, since every link of the files states its rate")
    if link_gbps is not None:
        return [
            replace(part, cables=_rated(part.cables, link_gbps), attached=_rated(part.attached, link_gbps))
            for part in parts
        ]
    cables = [(part, link) for part in parts for link in part.cables]
    attached = [(part, link) for part in parts for link in part.attached]
    is_rated = [any(link.rate_gbps is not None for _, link in links) for links in (cables, attached)]
    needed = (*(cables if any(is_rated) else ()), *(attached if is_rated[1] else ()))
    unknown = next(((part, link) for part, link in needed if link.rate_gbps is None), None)
    if unknown is not None:
        part, link = unknown
        place = f"line {link.line}: a link" if link.line else f"nodes at {link.ends[0]}"
        raise InputError(
            f"file={part.source.path}: {place} without a rate; expected a rate for all links or for none, or link_gbps="
        )
    return list(parts)


def _rated(links: Sequence[CableEntry], gbps: Fraction) -> tuple[CableEntry, ...]:
    return tuple(replace(link, rate_gbps=gbps) if link.rate_gbps is None else link for link in links)


def slow_link_lines(part: ListedPlane) -> Iterator[str]:
    """Yield a line for each rate below that of most links of the kind: cables between switches, and links of nodes.

    Links without a rate are left out.
    """
    kinds = (("cable", part.cables), ("link of a node", part.attached))
    rated = [(link, kind, link.rate_gbps) for kind, links in kinds for link in links if link.rate_gbps is not None]
    usual = usual_rates((kind, gbps) for _, kind, gbps in rated)
    names = {(kind, gbps): link.rate or _number(gbps) for link, kind, gbps in rated}
    slow: dict[tuple[str, Fraction], list[str]] = {}
    for link, kind, gbps in rated:
        if gbps < usual[kind]:
            slow.setdefault((kind, gbps), []).append(_shown(link))
    for (kind, gbps), links in slow.items():
        yield f"{names[kind, gbps]} among {names[kind, usual[kind]]}: {shortened(links)}"


def _number(gbps: Fraction) -> str:
    return f"{float(gbps):g} Gbit/s"


def _shown(link: CableEntry) -> str:
    """Return both ends of a link, with the numbers of ports that the file states."""
    ends = zip(link.ends, link.ports, strict=True)
    return " - ".join(name if port is None else f"{name} port {port}" for name, port in ends)
