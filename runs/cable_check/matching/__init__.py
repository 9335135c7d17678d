"""Which device of a design each device of a fabric is."""
