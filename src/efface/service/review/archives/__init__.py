"""Many documents at once: a zip that comes into the queue, and a matter that leaves as one."""
