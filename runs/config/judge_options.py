"""From a composed config to who judges the designs of a search, and how."""

from collections.abc import Mapping
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .config_values import shown

JUDGES = (None, "simulator")


def judge_of(config: Mapping[str, Any]) -> str | None:
    """Return who judges the designs that a search finds.

    Raises
    ------
    InputError
        If it is nobody that is known.
    """
    judge: str | None = config.get("judge")
    if judge not in JUDGES:
        raise InputError(f"judge={shown(judge)}: expected simulator, null")
    return judge


def shorten_of(config: Mapping[str, Any]) -> int | None:
    """Return by which factor a judge shortens messages; None if that is left to it.

    Raises
    ------
    InputError
        If it is no factor, or nobody judges.
    """
    shorten = config["shorten"]
    if shorten == "auto":
        return None
    if config.get("judge") is None:
        raise InputError(f"shorten={shown(shorten)}: without effect; allowed with judge=simulator")
    return check_int("shorten", shorten, 1)
