"""Who is asking: tokens, sessions, sign-in, roles and limits."""
