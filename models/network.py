"""Networks: a family with its parameters, on a site."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .family import Family
from .site import Site

if TYPE_CHECKING:
    from .cubes import Cubes
    from .families.hybrid import Hybrid

MAX_NODES_PER_SWITCH = 1024
NO_SITE = Site(layout=None)


@dataclass(frozen=True)
class Network:
    """One or more planes over one set of nodes: all of it follows from its family and its site.

    Compared, hashed and pickled by both.

    Parameters
    ----------
    family
        The parameters.
    site
        Where it is built; of no influence, and left out, for a family that states rates and delays itself.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> dual_cube(3, (3, 5, 7)).nodes
    32
    """

    family: Family
    site: Site = field(default_factory=Site)

    def __post_init__(self) -> None:
        if not self.family.sited:
            object.__setattr__(self, "site", NO_SITE)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is built on first use."""
        return Network, (self.family, self.site)

    @property
    def name(self) -> str:
        """Name of the family."""
        return self.family.name

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.family.nodes

    @property
    def cubes(self) -> "Cubes":
        """The planes as cubes; an `InputError` where they are none."""
        return self.family.cubes

    @property
    def hybrid(self) -> "Hybrid":
        """Groups, links and optical switch; an `InputError` where there are no circuits."""
        return self.family.hybrid

    @property
    def baseline(self) -> "Network":
        """The plainest network of the family with the same parts, on the same site."""
        return Network(self.family.baseline, self.site)
