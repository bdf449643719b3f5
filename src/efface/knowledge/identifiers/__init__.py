"""What GreedySanitize learned about a collection of labelled texts."""
