"""The page: HTML, style and scripts, served as they are."""
