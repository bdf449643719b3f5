"""Plain text, Markdown, CSV and JSON."""
