"""The policy: its model, its YAML, its presets, and how it is bound to what it names."""
