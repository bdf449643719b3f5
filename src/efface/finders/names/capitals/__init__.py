"""What capitals and small letters say of whether a word is a name."""
