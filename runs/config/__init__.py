"""From a composed config to objects of the package; it is read only here, once."""
