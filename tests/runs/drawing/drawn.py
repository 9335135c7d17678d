"""What a picture shows, read back from its SVG."""

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg, group, tag):
    """The shapes of groups of a class, in drawn order, as pairs of attributes and the text on hover."""
    root = ElementTree.fromstring(svg)
    for prefix in ("", SVG):
        for parent in root.iter(f"{prefix}g"):
            if parent.get("class") == group:
                for shape in parent.findall(f"{prefix}{tag}"):
                    yield shape.attrib, shape.findtext(f"{prefix}title")


def links(svg):
    """Cables, bundles or circuits: both ends, text on hover and width."""
    for shape, hover in shapes(svg, "links", "path"):
        yield tuple(map(int, shape["data-ends"].split())), hover, float(shape["stroke-width"])


def label(svg):
    """The text alternative."""
    return ElementTree.fromstring(svg).get("aria-label")


def hovers(svg):
    """All texts on hover."""
    return [text.text for text in ElementTree.fromstring(svg).iter() if text.tag.removeprefix(SVG) == "title"]


def cables_of(plane):
    """The switches at both ends of each cable of a plane."""
    lower, port = plane.topology.cable_ends()
    return list(zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True))
