"""Workloads: messages between processes, whatever they follow from."""

from abc import ABC, abstractmethod
from typing import Protocol, TypeGuard

import numpy as np

from ..arrays import Ints
from .message_list import MessageList


class Workload(Protocol):
    """Messages between processes, with dependencies; equal to and hashed as another one with the same parameters."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """Name in reports."""

    @property
    def processes(self) -> int:
        """Number of processes, at least 2."""

    @property
    def iterations(self) -> int:
        """Number of iterations, each with the same messages."""

    @property
    def messages(self) -> int:
        """Number of messages per iteration, without those of processes to themselves."""

    @property
    def length_bytes(self) -> Ints:
        """Lengths of the messages of an iteration, without those of processes to themselves."""

    @property
    def most_active(self) -> int:
        """Estimate of the largest number of messages that are active at once."""

    def matrix(self) -> Ints:
        """Return the bytes per iteration, by source and destination."""

    def scaled(self, divisor: int) -> "Workload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""

    def message_list(self) -> MessageList:
        """Return the messages of all iterations, with their dependencies."""


def is_workload(value: object) -> TypeGuard[Workload]:
    """Whether a value is a workload, in place of the description of one."""
    return hasattr(value, "message_list")


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
