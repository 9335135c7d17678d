"""A network that is part of another one: its family, from the keys of a config or record, and its errors."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields

from ..errors import InputError
from ..family import Family


@contextmanager
def keys_within(place: str, kind: type[Family] | None = None) -> Iterator[None]:
    """Make errors name the keys of an inner network with their place: ``network.q`` as ``network.plane.q``.

    Parameters
    ----------
    place
        The key of the inner network in the outer one.
    kind
        Its family, whose keys are also recognised within a message; None if it is unknown.

    Raises
    ------
    InputError
        With the places of its keys, if one is raised within the context.

    Examples
    --------
    >>> with keys_within("plane"):
    ...     raise InputError("network.q=6: expected a prime power")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.plane.q=6: expected a prime power
    """
    names = () if kind is None else (parameter.name for parameter in fields(kind))  # type: ignore[arg-type]  # a dataclass
    known = "".join(rf"|(?<=\s)network\.(?={name}\b)" for name in names)
    try:
        yield
    except InputError as error:
        raise InputError(re.sub(rf"^network\.{known}", f"network.{place}.", str(error))) from error


def inner_kind(place: str, keys: object, example: str) -> type[Family]:
    """Return the family of an inner network, from its keys."""
    from . import family_named

    if not isinstance(keys, Mapping):
        raise InputError(f"network.{place}={keys!r}: expected the keys of a family, such as family: {example}")
    with keys_within(place):
        return family_named(keys.get("family"))
