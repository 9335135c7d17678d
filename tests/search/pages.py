"""A checkpoint in memory."""


class Pages(dict):
    """Pages by name; saving is always due."""

    def load(self, name):
        return self.get(name)

    def save(self, name, data):
        self[name] = data

    def due(self):
        return True
