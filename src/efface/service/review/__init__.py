"""The review: a person decides about a document, with the attacker's view in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI

if TYPE_CHECKING:
    from efface.service.app import Service


def install(app: FastAPI, service: Service) -> None:
    """The routes of the review and the page that uses them."""
    from efface.service.review import pages, routes_game, routes_review
    from efface.service.review.desk import Desk
    from efface.service.review.game import Games

    app.state.desk = Desk(service.store, service.blobs, service.policies)
    app.state.games = Games(service.store, service.policies)
    app.include_router(routes_review.router)
    app.include_router(routes_game.router)
    pages.install(app)
