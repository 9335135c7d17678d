"""Sources of imports for tests."""

from pathlib import Path

from isoplane.runs.imports.import_fabric import imported
from isoplane.runs.imports.importer import Source

GRAPHML = """<graphml>
<key id="k" for="node" attr.name="kind"/><key id="p" for="edge" attr.name="source_port"/>
<key id="n" for="node" attr.name="nodes"><default>2</default></key>
<graph><node id="a"/><node id="b"><data key="n">0</data></node>
<edge source="a" target="b"/>
</graph></graphml>"""
LISTED = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 1)), (("S1", 2), ("N1", 1))]
ASTRA = "topology: [Ring]\nnpus_count: [4]\nbandwidth: [9]\nlatency: [1]\n"


def source(text, name="fabric.txt", option="file"):
    return Source(Path(name), text.encode(), option)


def planes_of(*texts, kind=None, nodes_per_switch=None, name="fabric.txt", node_names=()):
    fabric = imported([source(text, name) for text in texts], kind, nodes_per_switch, node_names=node_names)
    return tuple(fabric.planes), fabric
