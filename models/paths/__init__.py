"""Over which links two nodes communicate, in which shares, and how long packets take."""
