"""The front door for Python."""
