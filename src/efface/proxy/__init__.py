"""A proxy between a program and a language model: placeholders go out, originals come back."""
