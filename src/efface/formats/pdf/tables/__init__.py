"""Tables on the pages of a PDF."""
