"""From files about existing fabrics to networks."""
