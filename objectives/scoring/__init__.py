"""The table of metrics, and what is computed from it: scores, gaps and hypervolumes.

`metric` says what a metric is, `metric_table` lists all of them, with `divisors`, and `metric_scopes` looks them up by
the scope of designs; `objective` has the base of evaluators, which compute exact integers, and the objective made of
them.
"""
