"""Writing a PDF: content streams, images and annotations without what was removed."""
