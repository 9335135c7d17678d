"""Growth of a network, jobs on a part of it, and the largest networks of given switches."""
