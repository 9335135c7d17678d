"""Networks of planes that are given as objects."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..checks import Json
from ..device_names import DeviceNames
from ..errors import InputError
from ..family import Family
from ..planes.plane import Plane
from ..policy import Policy, check_policy
from ..site.site import Site


@dataclass(frozen=True)
class PlanesFamily(Family):
    """Given planes, so that every evaluator accepts any set of them; equal only if the planes are the same objects.

    No config and no record can represent such a network, and it is not one of `family_names`. Cable lengths are those
    of the planes: a site adds its layout, prices and switch model, but changes no plane.

    Parameters
    ----------
    label
        Title of the network.
    planes
        The planes, over the same nodes.
    policy
        Plane policy.
    names
        Names of switches and nodes; None if they have numbers only.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> (ring,) = Network(Torus(shape=(5,), node_cable_m=2.0)).planes
    >>> double = PlanesFamily("two rings", (ring, ring), policy="spray")
    >>> double.title, double.nodes, double.switches, double.ports, double.cables
    ('two rings', 5, 10, 3, 10)
    """

    name: ClassVar[str] = "given_planes"

    label: str
    planes: tuple[Plane, ...]
    policy: Policy = "nearest"
    names: DeviceNames | None = None

    def __post_init__(self) -> None:
        if not self.planes:
            raise InputError("network.planes: none; expected at least one")
        check_policy("network.policy", self.policy, len(self.planes))

    @property
    def nodes(self) -> int:
        """Number of nodes, including those without a link."""
        return self.planes[0].nodes

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return sum(plane.topology.switches for plane in self.planes)

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses."""
        return max(int(plane.ports_used.max()) for plane in self.planes)

    @property
    def cables(self) -> int:
        """Number of cables between switches, in all planes."""
        return sum(int((plane.topology.peer >= 0).sum()) // 2 for plane in self.planes)

    @property
    def size_label(self) -> str:
        """The number of nodes."""
        return f"{self.nodes} nodes"

    @property
    def title(self) -> str:
        """The label."""
        return self.label

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the planes, whatever the site."""
        return self.planes

    def write(self) -> Json:
        """Raise an `InputError`: given planes have no parameters that a record could hold."""
        raise InputError(f"network={self.label}: planes given as objects; a record expects a family with parameters")

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Raise an `InputError`: planes cannot be given by a config or a record."""
        raise InputError(f"network.family={cls.name}: planes given as objects; expected a family with parameters")
