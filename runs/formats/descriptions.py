"""What descriptions of devices say: the name of the host of an adapter, and that of a switch."""

import re

# Hosts describe their adapters as "host HCA-1" or "host mlx5_0", switches themselves as "MF0;switch:MQM8700/U1" and, in
# chassis of several, as "MF0;chassis:CS7520/L01/U1".
ADAPTER = re.compile(r"(\S+) (?:HCA-\d+|\w+_\d+)")
SWITCH = re.compile(r"MF0;([^;:/\s]+):[^;:/\s]+((?:/[^;:/\s]+)*)/U\d+")


def host_name(description: str) -> str:
    """Return the name of the host in the description of an adapter; empty if there is none.

    Examples
    --------
    >>> host_name("node00 mlx5_0"), host_name("MT4123 ConnectX6 Mellanox Technologies")
    ('node00', '')
    """
    found = ADAPTER.fullmatch(description)
    return found[1] if found else ""


def switch_host_name(description: str) -> str:
    """Return the name in the description of a switch, with the module of a chassis; empty if there is none.

    Examples
    --------
    >>> switch_host_name("MF0;leaf0:MQM8700/U1"), switch_host_name("MF0;core:CS7520/L01/U1"), switch_host_name("leaf0")
    ('leaf0', 'core/L01', '')
    """
    found = SWITCH.fullmatch(description)
    return f"{found[1]}{found[2]}" if found else ""
