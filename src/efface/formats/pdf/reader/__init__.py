"""Reading a PDF: content streams to text, with the place of every glyph."""
