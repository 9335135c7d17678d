"""What descriptions of devices say: the name of the host of an adapter, and that of a switch."""

import re

# Hosts describe their adapters as "host HCA-1", as "host mlx5_0" (rdma-ndd, with the kernel's name of the device, or
# the persistent one of rdma-core, "host ibp26s0f0"), or by their name alone; sites choose other separators. Switches
# describe themselves as "MF0;switch:MQM8700/U1" and, in chassis of several, as "MF0;chassis:CS7520/L01/U1".
HCA, KERNEL = r"HCA-[0-9]+", r"(?:[A-Za-z0-9_]+_[0-9]+|(?:qib|ipath|mthca|ehca)[0-9]+)"
PERSISTENT = (
    r"(?:ib|opa|roce|iw|rdma)(?:(?:P[0-9]+)?p[0-9]+s[0-9]+(?:f[0-9]+)?(?:v[0-9]+)?|o[0-9]+|s[0-9]+(?:f[0-9]+)?"
    r"|x[0-9a-f]{12,16})"
)
ADAPTER = re.compile(
    rf"(\S+) +(?:{HCA}|{KERNEL}|{PERSISTENT})(?: \(.*\))?|(\S+?)[:/-](?:{HCA}|(?:mlx[0-9]+|hfi[0-9]+)_[a-z0-9_]*[0-9])"
)
HOST = re.compile(r"[A-Za-z][A-Za-z.-]*[0-9][A-Za-z0-9.-]*")  # a name alone; other words may be of a product
NO_HOSTS = ("localhost", "localhost.localdomain", "(none)")  # before a host has its name
PRODUCT = re.compile(  # a word of the description of one
    r"(?i:MT[0-9]{3}[A-Z0-9-]*|MCX[0-9][A-Z0-9-]*|Connect-?(?:X|IB)[A-Z0-9-]*|BlueField[A-Z0-9-]*|Mellanox|NVIDIA"
    r"|Voltaire|QLogic|HCA)"
)
DEVICE = re.compile(rf"{HCA}|{KERNEL}|{PERSISTENT}|H-[0-9a-f]{{16}}")
SWITCH = re.compile(r"MF0;([^;:/\s]+):[^;:/\s]+((?:/[^;:/\s]+)*)/U[0-9]+")


def host_name(description: str) -> str:
    """Return the name of the host in the description of an adapter; empty if there is none.

    Examples
    --------
    >>> host_name("node00 mlx5_0"), host_name("node00 ibp26s0"), host_name("node00"), host_name("node00:mlx5_bond_0")
    ('node00', 'node00', 'node00', 'node00')
    >>> host_name("MT4123 ConnectX6 Mellanox Technologies"), host_name("localhost HCA-1"), host_name("mlx5_0")
    ('', '', '')
    """
    found = ADAPTER.fullmatch(description)
    if found is not None:
        name: str = found[1] or found[2]
    else:
        name = description if HOST.fullmatch(description) and not _is_as_made(description) else ""
    return "" if name in NO_HOSTS else name


def is_without_host(description: str) -> bool:
    """Whether the description of an adapter is empty, or one that it has before its host gives it another one.

    Examples
    --------
    >>> [is_without_host(each) for each in ("", "MT4123 ConnectX6", "localhost mlx5_0", "login", "node00 mlx5_0")]
    [True, True, True, False, False]
    """
    return not host_name(description) and (
        not description.strip() or description.split()[0] in NO_HOSTS or _is_as_made(description)
    )


def _is_as_made(description: str) -> bool:
    """Whether a description is that of a product or a device alone."""
    return DEVICE.fullmatch(description) is not None or any(map(PRODUCT.fullmatch, description.split(" ")))


def switch_host_name(description: str) -> str:
    """Return the name in the description of a switch, with the module of a chassis; empty if there is none.

    Examples
    --------
    >>> switch_host_name("MF0;leaf0:MQM8700/U1"), switch_host_name("MF0;core:CS7520/L01/U1"), switch_host_name("leaf0")
    ('leaf0', 'core/L01', '')
    """
    found = SWITCH.fullmatch(description)
    return f"{found[1]}{found[2]}" if found else ""
