"""How a value of a database may be written in a text: dates, numbers, words, and notations such as account numbers."""
