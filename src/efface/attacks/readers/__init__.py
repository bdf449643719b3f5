"""Text out of released bytes, by parsers that share no code with the formats."""
