"""What a review keeps: the document under review, and every decision in the order in which it was made."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, String, Table, Text

from efface.service.store import TABLES

reviews = Table(
    "efface_reviews",
    TABLES,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("file", String, nullable=False),
    Column("policy", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("viewer", String, nullable=False),
    Column("created", Float, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("version", Integer, nullable=False, default=0),  # the last decision that the state includes
    Column("findings", Integer, nullable=False, default=0),
    Column("problem", Text, nullable=False, default=""),
    Column(
        "four_eyes", Integer, nullable=False, default=0, server_default="0"
    ),  # asked for when it was added
    Column("attempts", Integer, nullable=False, default=0, server_default="0"),  # first looks that were begun
    Column(
        "lease", Float, nullable=False, default=0.0, server_default="0"
    ),  # until when a process has the look
    Column("team", String, nullable=False, default="main", server_default="main"),
    Column("matter", String, nullable=False, default="", server_default="", index=True),
    Column("assignee", String, nullable=False, default="", server_default=""),
    Column("due", Float),
    Column("risk", Float, nullable=False, default=0.0, server_default="0"),  # what a reviewer may have missed
)
decisions = Table(
    "efface_decisions",
    TABLES,
    Column("review", String, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("actor", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
)
shown = Table(  # states of a release that a reviewer has been shown: only these can they approve
    "efface_review_shown",
    TABLES,
    Column("review", String, primary_key=True),
    Column("actor", String, primary_key=True),
    Column("state", String, primary_key=True),
    Column("at", Float, nullable=False),
)
games = Table(
    "efface_games",
    TABLES,
    Column("id", String, primary_key=True),
    Column("title", String, nullable=False),
    Column("policy", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("created", Float, nullable=False),
    Column("state", String, nullable=False),
    Column("problem", Text, nullable=False, default=""),
    Column("classes", Text, nullable=False, default="{}"),  # JSON: each class, and how many documents it has
    Column("players", Text, nullable=False, default="[]", server_default="[]"),  # JSON: who is invited
    Column(
        "tells", Integer, nullable=False, default=0, server_default="0"
    ),  # whether an answer tells the class
    Column("team", String, nullable=False, default="main", server_default="main"),
    Column("lease", Float, nullable=False, default=0.0, server_default="0"),  # until when a process makes it
)
posts = Table(
    "efface_game_posts",
    TABLES,
    Column("game", String, primary_key=True),
    Column("document", Integer, primary_key=True, autoincrement=False),
    Column("k", Integer, primary_key=True, autoincrement=False),
    Column("truth", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("ranks", Text, nullable=False),  # JSON: each automatic attacker, and the true class's rank
)
answers = Table(
    "efface_game_answers",
    TABLES,
    Column("game", String, primary_key=True),
    Column("document", Integer, primary_key=True, autoincrement=False),
    Column("player", String, primary_key=True),
    Column("k", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("guesses", Integer, nullable=False),
    Column("found", Integer, nullable=False),
)
