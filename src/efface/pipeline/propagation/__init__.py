"""What is cut once is cut everywhere: the strings that a cut makes unwelcome, and the places where they stay."""
