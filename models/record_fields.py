"""Fields of dataclasses that records leave out at a value, so that those written before the fields keep their ids."""

from collections.abc import Mapping
from dataclasses import Field, fields
from types import MappingProxyType
from typing import Any

ABSENT_IN_OLD_RECORDS: Mapping[str, Any] = MappingProxyType({"added_later": True})  # of a field

# Records, and configs of older versions, have these names of fields: a new name would change the ids of all networks.
RECORDED_AS: Mapping[str, str] = MappingProxyType({"assumed_cable_m": "cable_m"})
RENAMED = {old: new for new, old in RECORDED_AS.items()}


def absent_as(value: Any) -> Mapping[str, Any]:
    """Return the metadata of a field that records leave out where it has a value, which is not its default.

    Fields marked `ABSENT_IN_OLD_RECORDS` are left out at their default.
    """
    return MappingProxyType({"added_later": True, "absent": value})


def absent_values(model: type) -> dict[str, Any]:
    """Return the values of the fields marked `absent_as`, which are those of records without them."""
    return {field.name: field.metadata["absent"] for field in _fields(model) if "absent" in field.metadata}


def written_fields(model: object) -> dict[str, Any]:
    """Return the fields that belong in a record by their names there, with their values."""
    return {
        RECORDED_AS.get(field.name, field.name): getattr(model, field.name)
        for field in _fields(type(model))
        if not (
            field.metadata.get("added_later")
            and getattr(model, field.name) == field.metadata.get("absent", field.default)
        )
    }


def current_names(model: type, keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by the names of fields, from those by their names in records or in configs of older versions.

    A config with both names has the new one from a default, and the old one from a file of the user.
    """
    names = {field.name for field in _fields(model)}
    renamed = {old: new for old, new in RENAMED.items() if new in names and old in keys}
    values = {name: value for name, value in keys.items() if name not in renamed}
    return values | {new: keys[old] for old, new in renamed.items()}


def _fields(model: type) -> tuple["Field[Any]", ...]:
    return fields(model)
