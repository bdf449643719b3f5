"""Words that a text does not show as plain words: encoded, compressed, inside longer tokens, with letters spaced out or transliterated."""
