"""Programs of processes: sends, waits, computing and collective operations, from which messages follow."""

from .dependencies import message_list_of
from .message_counts import MessageCounts
from .message_graph import MessageGraph
from .operations import Kind, Operations
from .program import Collective, Program

__all__ = ["Collective", "Kind", "MessageCounts", "MessageGraph", "Operations", "Program", "message_list_of"]
