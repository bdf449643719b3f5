"""A taxonomy of concepts, and the word classes of English."""
