"""The guessing game: people guess against automatic attackers what a redacted document hides."""
