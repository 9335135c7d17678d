"""From a composed config to objects of the package; a config notes which of its options were read."""
