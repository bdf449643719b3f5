"""What several formats share to write edits back into their source."""
