"""Networks assembled from given planes."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Family, InputError, Network, Plane, Site
from isoplane.models.family import Json
from isoplane.models.policy import Policy, check_policy


@dataclass(frozen=True)
class Assembled(Family):
    """Given planes with a title; equal only if the planes are the same objects; not for configs or records.

    Parameters
    ----------
    label
        Title of the network.
    given_planes
        The planes.
    policy
        Which plane a packet takes.
    """

    name: ClassVar[str] = "assembled"

    label: str
    given_planes: tuple[Plane, ...]
    policy: Policy = "nearest"

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.given_planes[0].nodes

    @property
    def switches(self) -> int:
        """Number of switches, in all planes."""
        return sum(plane.topology.switches for plane in self.given_planes)

    @property
    def ports(self) -> int:
        """Largest number of ports that any switch uses."""
        return max(int(plane.ports_used.max()) for plane in self.given_planes)

    @property
    def cables(self) -> int:
        """Number of cables between switches, in all planes."""
        return sum(int((plane.topology.peer >= 0).sum()) // 2 for plane in self.given_planes)

    @property
    def size_label(self) -> str:
        """The number of nodes, as text."""
        return f"{self.nodes} nodes"

    @property
    def title(self) -> str:
        """The label."""
        return self.label

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the planes."""
        return self.given_planes

    def write(self) -> Json:
        """Raise an error: given planes have no parameters that a record could hold."""
        raise InputError(f"network={self.label}: a record expects a family of networks")


def assembled(label: str, planes: tuple[Plane, ...], policy: Policy = "nearest") -> Network:
    """Return a network of the given planes.

    Parameters
    ----------
    label
        Title.
    planes
        The planes, over the same nodes.
    policy
        Which plane a packet takes.

    Raises
    ------
    InputError
        If there are no planes, they do not fit together, or the policy is unknown.
    """
    network = Network(Assembled(label, planes, check_policy("network.policy", policy, len(planes))))
    network.planes  # noqa: B018  # raises errors at once
    return network
