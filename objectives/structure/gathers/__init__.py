"""Lower bounds on the time of all-gathers, from cuts."""
