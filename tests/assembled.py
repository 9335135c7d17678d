"""Networks of planes that are given one by one."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Family, InputError, Network, Plane, Site
from isoplane.models.family import Json
from isoplane.models.policy import Policy, check_policy


@dataclass(frozen=True)
class Assembled(Family):
    """Planes with a title; equal if these are the same objects; not for configs or records.

    Parameters
    ----------
    label
        Title of the network.
    assembled
        The planes.
    policy
        Which plane a packet takes.
    """

    name: ClassVar[str] = "assembled"

    label: str
    assembled: tuple[Plane, ...]
    policy: Policy = "nearest"

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.assembled[0].nodes

    @property
    def switches(self) -> int:
        """Switches of all planes."""
        return sum(plane.topology.switches for plane in self.assembled)

    @property
    def ports(self) -> int:
        """Most ports that any switch uses."""
        return max(int(plane.ports_used.max()) for plane in self.assembled)

    @property
    def cables(self) -> int:
        """Number of cables between switches, in all planes."""
        return sum(int((plane.topology.peer >= 0).sum()) // 2 for plane in self.assembled)

    @property
    def size_label(self) -> str:
        """Its nodes."""
        return f"{self.nodes} nodes"

    @property
    def title(self) -> str:
        """The label."""
        return self.label

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the planes."""
        return self.assembled

    def write(self) -> Json:
        """Refuse: planes have no parameters that a record could hold."""
        raise InputError(f"network={self.label}: a record expects a family of networks")


def assembled(label: str, planes: tuple[Plane, ...], policy: Policy = "nearest") -> Network:
    """Return a network of given planes.

    Parameters
    ----------
    label
        Title.
    planes
        Over one set of nodes.
    policy
        Which plane a packet takes.

    Raises
    ------
    InputError
        If there are none, they do not fit together, or there is no such policy.
    """
    network = Network(Assembled(label, planes, check_policy("network.policy", policy, len(planes))))
    network.planes  # noqa: B018  # raises errors at once
    return network
