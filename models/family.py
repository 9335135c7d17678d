"""Families: what decides a network, apart from the site where it is built."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .errors import InputError

if TYPE_CHECKING:
    from .cubes import Cubes
    from .families.hybrid import Hybrid
    from .plane import Plane
    from .site import Site

Json = dict[str, Any]


class Family(ABC):
    """The parameters of a network: a frozen dataclass, whose fields are the keys of its YAML and of its record.

    Attributes
    ----------
    name
        What configs and records call the family.
    sited
        Whether layout, prices and switch mean anything to it; one that states rates and delays itself needs no site.
    """

    name: ClassVar[str]
    sited: ClassVar[bool] = True

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
    def stem(self) -> str:
        """How names of its files begin."""
        return f"{self.name}-{self.nodes}"

    @property
    def is_cubes(self) -> bool:
        """Whether the planes are cubes, whose metrics the kernels know."""
        return False

    @property
    def cubes(self) -> "Cubes":
        """The planes as cubes.

        Raises
        ------
        InputError
            If they are none.
        """
        raise InputError(f"network.family={self.name}: allowed here are cubes, hypercube or folded_hypercube")

    @property
    def hybrid(self) -> "Hybrid":
        """The groups, links and optical switch of a network with circuits.

        Raises
        ------
        InputError
            If it has no optical switch.
        """
        raise InputError(f"network.family={self.name}: allowed here is hybrid")

    @property
    def has_circuits(self) -> bool:
        """Whether an optical switch joins nodes by circuits."""
        return False

    @property
    def baseline(self) -> Self:
        """The plainest member of the family with the same parts; what a better one is compared with."""
        return self

    def class_key(self) -> Any:
        """Return what is the same for isomorphic networks and differs for others, as JSON; None where that is unknown.

        Layout and names do not count.
        """
        return None

    def write(self) -> Json:
        """Return the fields of a record that say what the network is: ``network`` and ``nodes_per_switch``.

        Raises
        ------
        InputError
            If records cannot hold it.
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass
        shared = own.pop("nodes_per_switch", None)
        return {"network": {"family": self.name, **own}, "nodes_per_switch": shared}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record: the keys of its ``network``, and its ``nodes_per_switch``.

        Raises
        ------
        InputError
            If a value is not allowed.
        """
        return cls(**{key: value for key, value in keys.items() if key != "family"})
