"""The sizing rule: the cheapest members of the families that reach a throughput."""
