"""What is true of any text: folding, string search, alignment, languages, calendar names, entity types."""
