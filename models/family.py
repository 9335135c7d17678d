"""Families: the parameters of a network, apart from the site where it is built."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import lru_cache
from inspect import get_annotations
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from .checks import KINDS, Json, Metres, check_type, shown
from .errors import InputError
from .optical_switch import OpticalSwitch
from .policy import Policy
from .record_fields import absent_values, current_names, written_fields
from .search_variables import Variable

if TYPE_CHECKING:
    from .device_names import DeviceNames
    from .planes.detours import Detours
    from .planes.plane import Cabling, Plane
    from .site.site import Site

Part = TypeVar("Part")


class Family(ABC):
    """The parameters of a network: a frozen dataclass whose fields are the keys of its YAML and of its record.

    Attributes
    ----------
    name
        Name of the family in configs and records.
    uses_site
        Whether the network depends on layout, prices and switch model; False if the family states rates and delays.
    kind
        What designs consist of: ``switches`` with routes, ``circuits`` over a packet network, or planes of ``cubes``
        with dimension-order routing; whether the kernels evaluate these, `has_kernels` says. What pages, exports and
        simulations do with a design is found by it.
    design_keys
        Keys of a config's ``network`` that make a design of the network, such as its circuits.
    is_imported
        Whether its members are existing networks, whose forwarding tables may deadlock.
    search_start
        Values of a config's ``network`` from which a search starts, of keys that it varies.
    assumed_cable_m
        Length of the cables between switches, in metres; None if lengths follow from the layout.
    policy
        Plane policy.
    names
        Names of the switches and nodes of an existing network; None if they have numbers only.
    """

    name: ClassVar[str]
    uses_site: ClassVar[bool] = True
    kind: ClassVar[str] = "switches"
    design_keys: ClassVar[tuple[str, ...]] = ()
    is_imported: ClassVar[bool] = False
    search_start: ClassVar[Mapping[str, Any]] = {}
    assumed_cable_m: Metres | None = 0
    policy: Policy = "nearest"
    names: "DeviceNames | None" = None

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Number of nodes."""

    @property
    @abstractmethod
    def switches(self) -> int:
        """Number of switches in all planes."""

    @property
    @abstractmethod
    def ports(self) -> int:
        """Maximum number of ports that a switch uses, for cables and for nodes."""

    @property
    @abstractmethod
    def cables(self) -> int:
        """Number of cables between switches, in all planes."""

    @abstractmethod
    def build(self, site: "Site") -> "tuple[Cabling, ...]":
        """Return the planes as built on a site; without their routes, which take longer, if the family has `routed`.

        Raises
        ------
        InputError
            If they cannot be built on the site, or the family has no planes.
        """

    def routed(self, planes: "tuple[Cabling, ...]") -> "tuple[Plane, ...]":
        """Return planes from `build` with their routes; by default as they are."""
        return cast("tuple[Plane, ...]", planes)

    def detours(self, planes: "tuple[Plane, ...]") -> "tuple[Detours, ...] | None":
        """Return the non-minimal paths of each plane as built; None by default, for families without them.

        Raises
        ------
        InputError
            If this member has none, for example because it is too small.
        """
        return None

    def on_one_lane(self) -> Self:
        """Return the same network with routes that need no virtual channels, if it has any; by default as it is."""
        return self

    @property
    @abstractmethod
    def size_label(self) -> str:
        """Size label for display, such as ``n=8``; distinguishes the members of the family."""

    @property
    def title(self) -> str:
        """Display name: the family and the size."""
        return f"{self.name} {self.size_label}"

    @property
    def description(self) -> str:
        """Description for display, in a line or two."""
        return f"{self.title}, {self.switches} switches, {self.nodes} nodes"

    @property
    def baseline(self) -> Self:
        """The reference member of the family built from the same parts, with which designs are compared."""
        return self

    @property
    def baseline_title(self) -> str:
        """Display name of the baseline; empty if a network is its own."""
        return ""

    @property
    def has_one_way_ties(self) -> bool:
        """Whether packets halfway round rings all go one way, where they could go both; False by default."""
        return False

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Search variables, by the config keys that narrow their limits; empty by default."""
        return {}

    @property
    def optical(self) -> OpticalSwitch | None:
        """The optical switch, which connects nodes by circuits; None by default."""
        return None

    def class_key(self) -> Any:
        """Return a key of the isomorphism class as JSON: equal if and only if isomorphic; None if unknown.

        Layout and names are ignored.
        """
        return None

    def write(self) -> Json:
        """Return the record fields that define the network: ``network`` and ``nodes_per_switch``; see `written_fields`.

        Raises
        ------
        InputError
            If records cannot represent it.
        """
        values = written_fields(self)
        nodes_per_switch = values.pop("nodes_per_switch", None)
        return {"network": {"family": self.name, **values}, "nodes_per_switch": nodes_per_switch}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config: the keys of its ``network``, and ``nodes_per_switch``.

        Lists become tuples, so that the dataclass stays hashable.

        Raises
        ------
        InputError
            If a key is unknown or missing, or a value is not allowed.
        """
        allowed = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass
        values = absent_values(cls) | {key: value for key, value in current_names(cls, keys).items() if key != "family"}
        if values.get("nodes_per_switch", ...) is None and "nodes_per_switch" not in allowed:
            del values["nodes_per_switch"]  # null in records of families without it
        for key in values:
            if key not in allowed:
                raise InputError(f"network.{key}: unknown; expected {', '.join(allowed)}")
        for field in fields(cls):  # type: ignore[arg-type]
            if field.name not in values and field.default is MISSING and field.default_factory is MISSING:
                raise InputError(f"network.{field.name}: missing; expected a value, which has no default")
        _require_types(cls, values)
        try:
            return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in values.items()})
        except (ValueError, TypeError) as error:  # a check of the user's own
            if isinstance(error, InputError) or not is_own(cls):
                raise
            message = str(error).partition("\n")[0] or type(error).__name__
            raise InputError(f"network={cls.name}: {message}") from error


def is_own(family: type[Family]) -> bool:
    """Whether the class of a family is from outside of this package, whose tests check the members of all others."""
    return not family.__module__.startswith("isoplane.")


def _require_types(family: type[Family], values: Mapping[str, Any]) -> None:
    """Require that values of fields of the user's own are of their types, or their defaults, before it computes."""
    types: dict[str, Any] = {}
    for base in filter(is_own, reversed(family.__mro__)):
        with suppress(NameError):  # of a type that is imported for type checkers only
            types |= get_annotations(base, eval_str=True)
    for field in fields(family):  # type: ignore[arg-type]  # a dataclass
        if field.name in types and values.get(field.name, field.default) != field.default:
            check_type(f"network.{field.name}", values[field.name], types[field.name])


def require_members(family: Family) -> None:
    """Require that the members of a family of the user's own are of their types, before they are computed with.

    Raises
    ------
    InputError
        If one is not; the message names the member and what it must return.
    """
    if is_own(type(family)):
        returned(type(family), "name", getattr(family, "name", None), str)
        for name, kind in _abstract_properties(type(family)).items():
            returned(type(family), name, getattr(family, name), kind)


@lru_cache(maxsize=64)
def _abstract_properties(family: type[Family]) -> Mapping[str, type]:
    """Return the types of all properties that are abstract in a base class, those of the nearest base first.

    Members of a further base may be computed from these, such as the ports of a switch from its cables.
    """
    found: dict[str, type] = {}
    for base in family.__mro__:
        for name in sorted(getattr(base, "__abstractmethods__", ())):
            member = getattr(base, name)
            if isinstance(member, property) and member.fget is not None:
                found.setdefault(name, member.fget.__annotations__["return"])
    return {name: kind for name, kind in found.items() if kind in (int, str)}


def plane_count(family: Family) -> int:
    """Return the number of planes, which a family of several has as a field: the number, or the planes themselves."""
    planes = getattr(family, "planes", 1)
    return planes if isinstance(planes, int) else len(planes)


def returned(family: type[Family], member: str, value: object, kind: type[Part]) -> Part:
    """Return what a member of a family is, or has returned, which must be of a kind.

    Raises
    ------
    InputError
        If it is not.
    """
    if isinstance(value, Integral if kind is int else kind) and not (kind is int and isinstance(value, bool)):
        return cast(Part, value)
    found = "a method without @property" if callable(value) else shown(value)
    expected = KINDS.get(kind, f"an object of class {kind.__name__}")
    raise InputError(f"{family.__name__}.{member}: {found}; expected {expected}")
