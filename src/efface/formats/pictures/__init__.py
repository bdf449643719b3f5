"""Pictures, by themselves and inside other files: what they say, and how they leave."""
