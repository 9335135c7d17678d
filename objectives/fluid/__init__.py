"""The fluid model: how long a workload takes on a hybrid network when flows share its links max-min fairly."""

from .model import RELAYS, FluidModel, Times

__all__ = ["RELAYS", "FluidModel", "Times"]
