"""Names of switches and nodes by their numbers, in files for other tools and on pages."""

import re

SWITCH = re.compile(r"P([0-9]{1,9})-S([0-9]{1,9})")
NODE = re.compile(r"N([0-9]{1,9})")
ADAPTER = re.compile(rf"{NODE.pattern}(?::[0-9]{{1,4}})?")  # a node, or one of its adapters by a port
GUID = re.compile(r"0x[0-9a-fA-F]{1,16}")
PORT = "port "  # before the GUID of a port of a node


def is_guid(name: str) -> bool:
    """Whether a name in a file is a GUID, or that of a port.

    Examples
    --------
    >>> is_guid("0x1f"), is_guid("port 0x1f"), is_guid("leaf 0x1f")
    (True, True, False)
    """
    return GUID.fullmatch(name.removeprefix(PORT)) is not None


def name_key(name: str) -> str:
    """Return what a name or GUID in a file is looked up by: GUIDs, also those of ports, in their shortest form.

    Examples
    --------
    >>> name_key("0x00C1"), name_key("port 0x01"), name_key("leaf0")
    ('0xc1', 'port 0x1', 'leaf0')
    """
    prefix = PORT if name.startswith(PORT) else ""
    return f"{prefix}{int(name.removeprefix(prefix), 16):#x}" if is_guid(name) else name


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
