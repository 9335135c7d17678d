"""From a composed config to the options of `judge=simulator`: simulating the designs of a search."""

from collections.abc import Mapping
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .config_values import shown

JUDGES = (None, "simulator")


def judge_of(config: Mapping[str, Any]) -> str | None:
    """Return `simulator` if the designs found are to be simulated, else None.

    Raises
    ------
    InputError
        If the value is neither.
    """
    judge: str | None = config.get("judge")
    if judge not in JUDGES:
        raise InputError(f"judge={shown(judge)}: expected simulator, null")
    return judge


def shorten_of(config: Mapping[str, Any]) -> int | None:
    """Return the factor by which messages are shortened in simulations; None if it is chosen automatically.

    Raises
    ------
    InputError
        If it is not a positive integer.
    """
    shorten = config["shorten"]
    return None if shorten == "auto" else check_int("shorten", shorten, 1)
