"""Families: what decides a network, apart from the site where it is built."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .errors import InputError
from .policy import Policy
from .variables import Variable

if TYPE_CHECKING:
    from .cubes import Cubes
    from .families.hybrid import Hybrid
    from .plane import Plane
    from .site import Site

Json = dict[str, Any]
ADDED_LATER: Mapping[str, Any] = MappingProxyType({"added_later": True})  # metadata of a field that old records lack


class Family(ABC):
    """The parameters of a network: a frozen dataclass, whose fields are the keys of its YAML and of its record.

    Attributes
    ----------
    name
        What configs and records call the family.
    sited
        Whether layout, prices and switch mean anything to it; one that states rates and delays itself needs no site.
    laid_out
        Whether the lengths of its cables follow from the layout; else they are given.
    is_cubes
        Whether the planes are cubes with dimension-order routes, whose metrics the kernels know.
    has_circuits
        Whether an optical switch joins nodes by circuits.
    baseline_title
        What people call the plainest member of the family; empty where there is no other.
    """

    name: ClassVar[str]
    sited: ClassVar[bool] = True
    laid_out: ClassVar[bool] = False
    is_cubes: ClassVar[bool] = False
    has_circuits: ClassVar[bool] = False
    baseline_title: ClassVar[str] = ""

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
        """Most ports that any switch uses, for cables and for nodes."""

    @property
    @abstractmethod
    def cables(self) -> int:
        """Number of cables between switches, in all planes."""

    @property
    def policy(self) -> Policy:
        """Which plane a packet takes: the nearest, unless the family says otherwise."""
        return "nearest"

    @abstractmethod
    def build(self, site: "Site") -> "tuple[Plane, ...]":
        """Return the planes, as they are on a site.

        Raises
        ------
        InputError
            If the site does not allow it, or the family has no planes.
        """

    @property
    @abstractmethod
    def size(self) -> str:
        """What tells it from others of its family, for people, such as ``n=8``."""

    @property
    def title(self) -> str:
        """What people call the network: its family and its size."""
        return f"{self.name} {self.size}"

    @property
    def description(self) -> str:
        """What it is, in a line or two, for people."""
        return f"{self.title}, {self.switches} switches, {self.nodes} nodes"

    @property
    def stem(self) -> str:
        """How names of its files begin."""
        return f"{self.name}-{self.nodes}"

    @property
    def cubes(self) -> "Cubes":
        """The planes as cubes.

        Raises
        ------
        InputError
            If they are none.
        """
        raise InputError(f"network.family={self.name}: expected planes of cubes")

    @property
    def hybrid(self) -> "Hybrid":
        """The groups, links and optical switch of a network with circuits.

        Raises
        ------
        InputError
            If it has no optical switch.
        """
        raise InputError(f"network.family={self.name}: expected networks with circuits")

    @property
    def baseline(self) -> Self:
        """The plainest member of the family with the same parts; what a better one is compared with."""
        return self

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the sizes with at least so many nodes and at most so many ports at a switch, by formula alone.

        Only those of which nothing can be taken away: a size that fits is at least as large, in every parameter, as
        one of them. Those with the fewest switches come first, then those with the fewest ports. Nothing by default:
        a family whose size is given, as that of a graph, or is no question of ports, as that of groups whose
        circuits and rates count, has none to offer.
        """
        yield from ()

    @property
    def variables(self) -> Mapping[str, Variable]:
        """What a search may vary, by the keys under which a config narrows the limits; nothing by default."""
        return {}

    @classmethod
    def has_variables(cls) -> bool:
        """Whether there is something that a search may vary."""
        return cls.variables is not Family.variables

    def class_key(self) -> Any:
        """Return what is the same for isomorphic networks and differs for others, as JSON; None where that is unknown.

        Layout and names do not count.
        """
        return None

    def write(self) -> Json:
        """Return the fields of a record that say what the network is: ``network`` and ``nodes_per_switch``.

        Fields that are `ADDED_LATER` are left out at their default, so that records and ids stay as they were.

        Raises
        ------
        InputError
            If records cannot hold it.
        """
        own = {
            field.name: getattr(self, field.name)
            for field in fields(self)  # type: ignore[arg-type]  # a dataclass
            if not (field.metadata.get("added_later") and getattr(self, field.name) == field.default)
        }
        shared = own.pop("nodes_per_switch", None)
        return {"network": {"family": self.name, **own}, "nodes_per_switch": shared}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config: the keys of its ``network``, and ``nodes_per_switch``.

        Lists become tuples, as a frozen dataclass has them.

        Raises
        ------
        InputError
            If a key is unknown, or a value is not allowed.
        """
        allowed = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass
        own = {key: value for key, value in keys.items() if key != "family"}
        if own.get("nodes_per_switch", ...) is None and "nodes_per_switch" not in allowed:
            del own["nodes_per_switch"]  # null in records of families without it
        for key in own:
            if key not in allowed:
                raise InputError(f"network.{key}: unknown; expected {', '.join(allowed)}")
        return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in own.items()})

    @classmethod
    def searched(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a config that leaves `variables` to a search, with any values for them.

        Raises
        ------
        InputError
            If it is none that can be searched, or a value is not allowed.
        """
        return cls.read(keys)
