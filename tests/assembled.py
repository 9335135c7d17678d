"""Networks assembled from given planes."""

from isoplane.models import Network, Plane
from isoplane.models.family_kinds.planes import PlanesFamily as Assembled
from isoplane.models.policy import Policy


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
    network = Network(Assembled(label, planes, policy))
    network.planes  # noqa: B018  # raises errors at once
    return network


__all__ = ["Assembled", "assembled"]
