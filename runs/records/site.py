"""Layouts, price lists and switch models as plain data, in records and YAML files."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from isoplane.models import Crc, InputError, Layout, PriceList, RoutingCache, SwitchModel
from isoplane.models.checks import Json, decimal_number
from isoplane.models.record_fields import written_fields

CABLE_KEYS, PORT_KEYS = ("length_m", "price_usd"), ("ports", "price_usd")
CATALOGUES = {"cables_usd": CABLE_KEYS, "nics_usd": PORT_KEYS, "switches_usd": PORT_KEYS}
PRICE_NUMBERS = frozenset({"switch_port_usd", "copper_to_m", "switch_port_w", "optical_cable_w", "nic_w"})
TEXT_AND_COUNTS = frozenset(
    {"name", "switches_per_rack", "aspects", "racks_across", "racks_deep", "nodes_per_rack", "assignment", "seed"}
)

# Of a switch and its cache: what is text, a count, or has parts.
NO_UNITS = frozenset(
    {"name", "packet_bytes", "stages_ns", "cache", "hash", "entries", "ways", "tag_bytes", "port_bytes"}
    | {"reserved_bytes", "replacement", "seed", "start"}
)


def layout_from(mapping: Mapping[str, Any]) -> Layout:
    """Return the layout that a mapping describes; missing keys are as in the paper.

    Examples
    --------
    >>> layout_from({"name": "deep", "aspects": [1]}).grid(64)
    (4, 4)
    """
    given = _known("layout", Layout, mapping)
    values: Json = {
        key: value if key in TEXT_AND_COUNTS else decimal_number(f"layout.{key}", value) for key, value in given
    }
    return Layout(**values)


def prices_from(mapping: Mapping[str, Any]) -> PriceList:
    """Return the price list that a mapping describes; missing keys are as in the paper.

    ``cables_usd`` is a mapping from metres to US$ or a list of ``{length_m, price_usd}``; ``nics_usd`` and
    ``switches_usd`` are mappings from ports to US$ or lists of ``{ports, price_usd}``.

    Examples
    --------
    >>> prices_from({"name": "short", "cables_usd": [{"length_m": 2.0, "price_usd": 134}]}).cable_for_mm(1500)
    (2000, 13400)
    """
    values = dict(_known("prices", PriceList, mapping))
    for key, keys in CATALOGUES.items():
        if values.get(key) is not None:
            values[key] = _catalogue(f"prices.{key}", values[key], keys)
    for key in PRICE_NUMBERS & values.keys():
        if values[key] is not None or key == "switch_port_usd":
            values[key] = decimal_number(f"prices.{key}", values[key])
    if isinstance(values.get("ranges"), Mapping):
        values["ranges"] = {name: _range(name, pair) for name, pair in values["ranges"].items()}
    return PriceList(**values)


def switch_from(mapping: Mapping[str, Any]) -> SwitchModel:
    """Return the switch model that a mapping describes; missing keys are as in the paper.

    Examples
    --------
    >>> switch_from({"name": "fast", "delay_ns": 45}).endpoint_delay_ns
    131
    """
    values = _numbers("switch", dict(_known("switch", SwitchModel, mapping)))
    if values.get("cache") is not None:
        values["cache"] = _cache_from(values["cache"])
    if values.get("stages_ns") is not None:
        values["stages_ns"] = tuple(decimal_number("switch.stages_ns", stage) for stage in values["stages_ns"])
    return SwitchModel(**values)


def _cache_from(mapping: Mapping[str, Any]) -> RoutingCache:
    values = _numbers("switch.cache", dict(_known("switch.cache", RoutingCache, mapping)))
    if values.get("hash") is not None:
        values["hash"] = Crc(**dict(_known("switch.cache.hash", Crc, values["hash"])))
    return RoutingCache(**values)


def _numbers(group: str, values: Json) -> Json:
    """Return values, of which times, rates, energies, powers and areas become numbers."""
    return {
        key: decimal_number(f"{group}.{key}", value) if key not in NO_UNITS and value is not None else value
        for key, value in values.items()
    }


def layout_json(layout: Layout) -> Json:
    """Return a layout as in records; fields that older records lack are left out at their default.

    Examples
    --------
    >>> layout_json(Layout())["aspects"], layout_json(Layout())["slack_m"]
    ([4, 2], 2)
    """
    values = _written(layout)
    numbers = {
        key: value if key in TEXT_AND_COUNTS else decimal_number(f"layout.{key}", value)
        for key, value in values.items()
    }
    return numbers | {"aspects": list(layout.aspects)}


def prices_json(prices: PriceList) -> Json:
    """Return a price list as in records: lists, because the keys of JSON objects are strings.

    Fields that older records lack are left out at their default.

    Examples
    --------
    >>> prices_json(PriceList())["nics_usd"]
    [{'ports': 1, 'price_usd': 399}, {'ports': 2, 'price_usd': 485}]
    """
    values = _written(prices)
    for key in values.keys() & CATALOGUES.keys():
        values[key] = _entries(f"prices.{key}", values[key], CATALOGUES[key])
    for key in values.keys() & PRICE_NUMBERS:
        values[key] = decimal_number(f"prices.{key}", values[key])
    if "ranges" in values:
        values["ranges"] = {name: list(_range(name, pair)) for name, pair in sorted(values["ranges"].items())}
    return values


def switch_json(switch: SwitchModel) -> Json:
    """Return a switch model as in records; fields that older records lack are left out at their default.

    Examples
    --------
    >>> switch_json(SwitchModel())
    {'name': 'infiniband_edr', 'delay_ns': 90, 'cable_delay_ns_per_m': 5, 'endpoint_delay_ns': 131}
    """
    values = _numbers("switch", written_fields(switch))
    if "stages_ns" in values:
        values["stages_ns"] = [decimal_number("switch.stages_ns", stage) for stage in values["stages_ns"]]
    if switch.cache is not None:
        cache = written_fields(switch.cache)
        hashed = None if switch.cache.hash is None else written_fields(switch.cache.hash)
        values["cache"] = _numbers("switch.cache", cache | {"hash": hashed})
    return values


def _written(model: Layout | PriceList) -> Json:
    """Return the fields of a model that belong in a record."""
    default = type(model)()
    return {
        field.name: getattr(model, field.name)
        for field in fields(model)
        if not (field.metadata.get("added_later") and getattr(model, field.name) == getattr(default, field.name))
    }


def _range(name: str, pair: Any) -> Any:
    """Return the factors of a price range as numbers; other values are left to the price list to reject."""
    if not isinstance(pair, list | tuple):
        return pair
    return tuple(decimal_number(f"prices.ranges.{name}", factor) for factor in pair)


def _known(group: str, model: type, mapping: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the items of a mapping, whose keys must be fields of a model."""
    allowed = [field.name for field in fields(model)]
    if not isinstance(mapping, Mapping):
        raise InputError(f"{group}={mapping!r}: expected a mapping with the keys {', '.join(allowed)}")
    for key in mapping:
        if key not in allowed:
            raise InputError(f"{group}.{key}: unknown key; expected {', '.join(allowed)}")
    name = mapping.get("name", "")
    if not isinstance(name, str):
        raise InputError(f"{group}.name={name!r}: expected text")
    return list(mapping.items())


def _catalogue(name: str, given: object, keys: tuple[str, str]) -> dict[Any, int | float]:
    """Return prices by length or by number of ports."""
    found: dict[Any, int | float] = {}
    for key, price in _pairs(name, given, keys):
        # Ports are not converted: the price list requires integers.
        converted = decimal_number(f"{name}.{keys[0]}", key) if keys == CABLE_KEYS else key
        if converted in found:
            raise InputError(f"{name}: {keys[0]}={converted} occurs twice; expected one price for each")
        found[converted] = decimal_number(f"{name}[{key}]", price)
    return found


def _pairs(name: str, given: object, keys: tuple[str, str]) -> Iterator[tuple[Any, Any]]:
    """Yield (key, price) of a mapping or of a list of objects."""
    if isinstance(given, Mapping):
        yield from given.items()
        return
    if not isinstance(given, list | tuple):
        raise InputError(
            f"{name}={given!r}: expected a mapping from {keys[0]} to {keys[1]}, or a list of entries with both"
        )
    for entry in given:
        if not isinstance(entry, Mapping) or set(entry) != set(keys):
            raise InputError(f"{name}: {entry!r}; expected entries with the keys {' and '.join(keys)}")
        yield entry[keys[0]], entry[keys[1]]


def _entries(name: str, catalogue: Mapping[Any, Any], keys: tuple[str, str]) -> list[Json]:
    """Return a catalogue as ascending entries."""
    numbers = _catalogue(name, catalogue, keys)
    return [dict(zip(keys, item, strict=True)) for item in sorted(numbers.items())]
