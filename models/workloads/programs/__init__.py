"""Programs of processes: sends, waits, computing and collective operations, from which messages follow."""

from .dependencies import STARTS, message_list_of
from .message_counts import MessageCounts
from .message_graph import MessageGraph
from .operations import COMPUTE, SEND, WAIT, Operations
from .program import Collective, Program
from .step_list import StepList

__all__ = [
    "COMPUTE",
    "SEND",
    "STARTS",
    "WAIT",
    "Collective",
    "MessageCounts",
    "MessageGraph",
    "Operations",
    "Program",
    "StepList",
    "message_list_of",
]
