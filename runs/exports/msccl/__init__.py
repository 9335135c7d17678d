"""Collectives as MSCCL XML: chunks, thread blocks of each rank, and the document."""

from .document import document
from .schedule import Schedule, all_gather, all_to_all
from .target import PROTOCOLS, Target
from .thread_blocks import require_thread_blocks

__all__ = ["PROTOCOLS", "Schedule", "Target", "all_gather", "all_to_all", "document", "require_thread_blocks"]
