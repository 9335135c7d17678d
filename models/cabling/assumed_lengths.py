"""Lengths of cables that a family assumes, in place of those from the layout."""

from dataclasses import fields, replace
from typing import TypeVar

import numpy as np

from ..errors import InputError
from ..family import Family
from ..site.site import Site

Member = TypeVar("Member", bound=Family)


def with_layout_lengths(family: Member) -> Member:
    """Return the same network with cable lengths from the layout, also of a network within it; itself if fixed."""
    values = {field.name: getattr(family, field.name) for field in fields(family)}  # type: ignore[arg-type]  # dataclass
    for place, inner in values.items():
        if isinstance(inner, Family):
            return replace(family, **{place: with_layout_lengths(inner)})  # type: ignore[type-var]  # a dataclass
    try:
        return replace(family, assumed_cable_m=None) if "assumed_cable_m" in values else family  # type: ignore[type-var]  # a dataclass
    except InputError:  # cables have lengths of their own
        return family


def assumed_length_key(family: Family) -> str | None:
    """Return the option that gives cables an assumed length, in place of that from the layout; None without one.

    Examples
    --------
    >>> from isoplane.models.families.hyperx import HyperX
    >>> from isoplane.models.families.multi_plane import MultiPlane
    >>> assumed_length_key(MultiPlane()), assumed_length_key(HyperX(assumed_cable_m=None))
    ('network.plane.assumed_cable_m', None)
    """
    for place in (each.name for each in fields(family)):  # type: ignore[arg-type]  # dataclass
        inner = getattr(family, place)
        if isinstance(inner, Family):
            key = assumed_length_key(inner)
            return None if key is None else key.replace("network.", f"network.{place}.", 1)
    can_be_laid_out = family.assumed_cable_m is not None and with_layout_lengths(family).assumed_cable_m is None
    return "network.assumed_cable_m" if can_be_laid_out else None


def assumed_lengths(family: Family) -> str | None:
    """Return in words which lengths of cables between switches are assumed; None if all are laid out or stated.

    Examples
    --------
    >>> from isoplane.models.families.hyperx import HyperX
    >>> from isoplane.models.families.multi_plane import MultiPlane
    >>> assumed_lengths(MultiPlane(plane=HyperX(assumed_cable_m=2))), assumed_lengths(HyperX(assumed_cable_m=None))
    ('assumed 2 m each', None)
    """
    values = {field.name: getattr(family, field.name) for field in fields(family)}  # type: ignore[arg-type]  # dataclass
    for inner in values.values():
        if isinstance(inner, Family):
            return assumed_lengths(inner)
    length_m = values.get("assumed_cable_m")
    if length_m is None:
        return None
    assumed = f"assumed {float(length_m):g} m each"
    if with_layout_lengths(family).assumed_cable_m is None:
        return assumed
    longer = replace(family, assumed_cable_m=length_m + 1)  # type: ignore[type-var]  # a dataclass
    pairs = zip(family.build(Site(layout=None)), longer.build(Site(layout=None)), strict=True)
    are_all_stated = all(np.array_equal(plane.cable_mm, other.cable_mm) for plane, other in pairs)
    return None if are_all_stated else f"as stated, unknown ones {assumed}"
