"""Commands that study: evaluate finders, attack releases, solve k-safety instances."""
