"""Programs of the description language as text: parsing and writing."""
