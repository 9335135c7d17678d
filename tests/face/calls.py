"""Options of calls that take a moment."""

SMALL = {"nodes": 16, "ports": 8, "throughput": 0.5, "families": ["full_mesh", "hyperx"], "failures": "none"}
CIRCUITS = {"network": {"family": "hybrid", "groups": 2, "nodes_per_group": 4},
            "workload": {"kind": "stencil", "shape": [2, 4]}}  # fmt: skip
QUICK = {"loads": [0.2], "saturation": False, "measurement": "rough"}
