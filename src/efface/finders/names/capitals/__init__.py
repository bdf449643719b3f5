"""What capitals, or the lack of them, say for or against a name."""
