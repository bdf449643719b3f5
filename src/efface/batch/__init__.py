"""Many documents at once: enumerated into a manifest, done by worker processes, never twice, never lost."""
