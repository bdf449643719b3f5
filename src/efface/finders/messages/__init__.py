"""Fields of structured messages, where the place of a value tells what it is."""
