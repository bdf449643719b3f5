"""What the commands share: options, the console, logs, and the run over one document."""
