"""English around what is replaced: which words may stand there, and in which form."""
