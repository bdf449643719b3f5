"""Files in and out: atomic writes, bounded reading, OCR, PDFium."""
