"""From a composed config to objects of the package; configs are read only here, once."""
