"""From a composed config to the nouns; read once, here."""
