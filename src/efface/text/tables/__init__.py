"""Tables in a text: rows of cells below a row that labels the columns."""
