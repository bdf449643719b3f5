"""What the words beside a name tell: firms, times, and who speaks."""
