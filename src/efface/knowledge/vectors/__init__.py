"""Static word vectors: how near a phrase is to an entity, for words that the corpus does not count."""
