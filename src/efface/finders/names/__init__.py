"""Names of persons, places and organisations, by the packaged model."""
