"""What workloads that are one complete list of messages have in common."""

from abc import ABC, abstractmethod

import numpy as np

from ..arrays import Ints
from .message_list import MessageList


class CompleteList(ABC):
    """A workload whose list of messages is complete, without iterations that repeat it."""

    @property
    @abstractmethod
    def processes(self) -> int:
        """Number of processes."""

    @abstractmethod
    def message_list(self) -> MessageList:
        """Return all messages, with their dependencies."""

    @property
    def iterations(self) -> int:
        """One: the list is complete."""
        return 1

    @property
    def messages(self) -> int:
        """Number of messages, without those of processes to themselves."""
        return len(self.length_bytes)

    @property
    def length_bytes(self) -> Ints:
        """Lengths of all messages, without those of processes to themselves."""
        listed = self.message_list()
        return listed.length_bytes[~listed.local]

    @property
    def most_active(self) -> int:
        """Number of processes, each of which mostly sends one message at a time."""
        return self.processes


def divided(length_bytes: Ints, divisor: int) -> Ints:
    """Return lengths divided and rounded down, to at least one byte unless there was none."""
    return np.maximum(length_bytes // divisor, np.minimum(length_bytes, 1))
