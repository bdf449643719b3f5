"""Commands that prepare knowledge: policies, indexes, trained models."""
