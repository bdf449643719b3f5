"""k-confusability: the true class ranks k-th or worse for every reader that the claim names."""
