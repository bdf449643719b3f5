"""The pipeline: the only place where reading, finding, planning, writing and attacking meet."""
