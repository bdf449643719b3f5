"""What does the documents of a batch: worker processes on one machine, or Spark."""
