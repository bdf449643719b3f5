"""Long work of the service: the queue, the threads, and the routes that accept files."""
