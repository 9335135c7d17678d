"""Networks with circuits under a workload: their fluid model, its times and loads, and lower bounds on them."""
