"""What the world writes: how many documents hold a term, or all of a group of terms."""
