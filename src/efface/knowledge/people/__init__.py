"""People and what is written of them: a sparse index of who a text could be about."""
