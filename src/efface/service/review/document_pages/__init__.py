"""How a document looks to a reviewer: its blocks of text, its pages as pictures, and the words on them."""
