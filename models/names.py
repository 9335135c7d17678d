"""Names of switches and nodes by their numbers, in files for other tools and on pages."""

import re

SWITCH = re.compile(r"P(\d+)-S(\d+)")
NODE = re.compile(r"N(\d+)")


def switch_name(plane: int, switch: int) -> str:
    """Return the name of a switch, which is unique in the network.

    Examples
    --------
    >>> switch_name(1, 12)
    'P1-S12'
    """
    return f"P{plane}-S{switch}"


def node_name(node: int) -> str:
    """Return the name of a node.

    Examples
    --------
    >>> node_name(5)
    'N5'
    """
    return f"N{node}"


def node_port_name(node: int, port: int) -> str:
    """Return the name of a port of a node, which is counted from 1 over all planes.

    Examples
    --------
    >>> node_port_name(5, 1)
    'N5:1'
    """
    return f"{node_name(node)}:{port}"
