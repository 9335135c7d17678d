"""Growth of a network, and jobs on a part of it."""
