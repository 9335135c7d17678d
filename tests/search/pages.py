"""A checkpoint in memory."""


class Pages(dict):
    """Pages by name; every one is saved."""

    def load(self, name):
        return self.get(name)

    def save(self, name, data):
        self[name] = data

    def due(self):
        return True
