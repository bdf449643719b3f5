"""The review: a person decides about a document, with the attacker's view in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI

if TYPE_CHECKING:
    from efface.service.app import Service


def install(app: FastAPI, service: Service) -> None:
    """The routes of the review and the page that uses them."""
    from efface.service.review import pages, routes_review
    from efface.service.review.desk import Desk

    app.state.desk = Desk(service.store, service.blobs, service.policies)
    app.include_router(routes_review.router)
    pages.install(app)
