"""Maximum concurrent flows, and the lengths of links that bound them."""
