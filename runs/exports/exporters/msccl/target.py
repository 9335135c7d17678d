"""What a runtime of MSCCL XML accepts, and how a collective is written for it."""

from dataclasses import dataclass, fields

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_int

PROTOCOLS = ("Simple", "LL", "LL128")
MAX_LIMIT = (1 << 15) - 1  # runtimes have 16-bit numbers of steps and offsets


@dataclass(frozen=True)
class Target:
    """The limits of a runtime, by default those of microsoft/msccl 0.7.4.

    Parameters
    ----------
    protocol
        NCCL's protocol: one of `PROTOCOLS`.
    ordered
        Whether a rank begins a phase only when its own messages of the phase before are sent and received.
    max_steps
        Steps of a thread block.
    max_chunks
        Chunks of a step; longer messages are split.
    max_blocks, max_blocks_per_channel
        Thread blocks of a rank, and those of them that send, or receive, on one channel.
    max_channels
        Channels.
    max_awaited_block
        Highest number of a thread block that others may wait for, which the runtime keeps in 8 bits.

    References
    ----------
    ``src/include/msccl.h`` and ``src/graph/topo.cc`` of microsoft/msccl.
    """

    protocol: str = "Simple"
    ordered: bool = True
    max_steps: int = 256
    max_chunks: int = 71
    max_blocks: int = 216
    max_blocks_per_channel: int = 32
    max_channels: int = 32
    max_awaited_block: int = 127

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InputError(f"msccl.protocol={self.protocol}: expected {', '.join(PROTOCOLS)}")
        check_bool("msccl.ordered", self.ordered)
        for field in fields(self):
            if field.name.startswith("max_"):
                low = 0 if field.name == "max_awaited_block" else 1
                check_int(f"msccl.{field.name}", getattr(self, field.name), low, MAX_LIMIT)

    def require(self, limit: str, needed: int, what: str) -> None:
        """Require that a limit allows what is needed.

        Examples
        --------
        >>> Target().require("max_blocks", 256, "256 thread blocks")
        Traceback (most recent call last):
        isoplane.models.errors.InputError: format=msccl: needs 256 thread blocks; expected at most 216, msccl.max_blocks
        """
        allowed = getattr(self, limit)
        if needed > allowed:
            raise InputError(f"format=msccl: needs {what}; expected at most {allowed}, msccl.{limit}")
