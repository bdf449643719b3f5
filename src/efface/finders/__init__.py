"""What marks terms in a text."""
