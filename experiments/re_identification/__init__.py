"""Who could this be, out of everybody known? WikiActors, published redactions and efface's own, attacked alike."""
