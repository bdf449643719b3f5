"""The review: a person decides about a document, with the attacker's view in sight."""
