"""The machine room: floor, prices and switches; knows no network."""
