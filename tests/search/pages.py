"""A checkpoint in memory, in JSON as on disk."""

import json


class Pages(dict):
    """Pages by name, as values that have been read from their text; saving is always due."""

    def load(self, name):
        return json.loads(json.dumps(self[name])) if name in self else None

    def save(self, name, data):
        self[name] = json.loads(json.dumps(data))

    def due(self):
        return True
