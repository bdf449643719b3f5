"""The application: its parts put together once, and its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, PlainTextResponse, Response

from efface import __version__
from efface.service import presidio, problems, routes_sign_in
from efface.service import settings as _settings
from efface.service.audit import Trail
from efface.service.blobs import Blobs, open_blobs
from efface.service.documents import Repository
from efface.service.guard import Guard
from efface.service.jobs import Jobs
from efface.service.jwt import Keys, Tokens
from efface.service.limits import Buckets
from efface.service.metrics import CONTENT_TYPE, Metrics
from efface.service.openings import Openings
from efface.service.policies import Policies
from efface.service.problems import Problem, ProblemDocument
from efface.service.review.desk import Desk
from efface.service.review.game import Games
from efface.service.sessions import Sessions
from efface.service.settings import Settings
from efface.service.sign_in import CompanySignIn
from efface.service.store import Store
from efface.service.tokens import People
from efface.service.views import Views
from efface.service.who import needs
from efface.service.workers import Workers


@dataclass(frozen=True)
class Service:
    """Everything that routes need, made once for each process."""

    settings: Settings
    store: Store
    blobs: Blobs
    people: People
    sessions: Sessions
    jwt: Tokens | None
    sign_in: CompanySignIn | None
    trail: Trail
    policies: Policies
    repository: Repository
    jobs: Jobs
    desk: Desk
    games: Games
    workers: Workers
    metrics: Metrics
    requests: Buckets
    guesses: Buckets

    @cached_property
    def openings(self) -> Openings:
        return Openings(self)

    @classmethod
    def open(cls, settings: Settings) -> Service:
        """Make what is missing: the home folder, the key, the tables."""
        settings.policies.mkdir(parents=True, exist_ok=True)
        key = settings.secret_key()
        store = Store.open(settings.store_url)
        blobs = open_blobs(store, settings.home)
        trail = Trail(store, key)
        policies = Policies(settings.policies)
        rate = settings.requests_a_second
        jwt = Tokens(settings.oidc, Keys(settings.oidc.jwks)) if settings.oidc else None
        return cls(
            settings=settings,
            store=store,
            blobs=blobs,
            people=People(store),
            sessions=Sessions(store, key, settings.session_hours, settings.secure),
            jwt=jwt,
            sign_in=CompanySignIn.of(jwt, key, settings.secure) if jwt else None,
            trail=trail,
            policies=policies,
            repository=Repository(store, blobs, policies, Views(settings.cache), trail),
            jobs=Jobs(store, blobs, policies, trail, settings.threads, settings.job_hours),
            desk=Desk(store, blobs, policies),
            games=Games(store, policies),
            workers=Workers(settings.threads, settings.waiting, settings.request_seconds, trail),
            metrics=Metrics(),
            requests=Buckets(rate, max(2 * rate, 1)),
            guesses=Buckets(settings.failures / 60, settings.failures),
        )

    def look_at_what_waits(self) -> None:
        """Documents that were put on the desk before this process began."""
        for id in self.desk.unseen():
            self.workers.later(self.desk.look, id)

    def close(self) -> None:
        """What is in hand is ended, what waits is left to the next process."""
        self.jobs.close()
        self.openings.close()
        self.workers.close()
        self.trail.close()
        self.store.close()


def create(service: Service) -> Guard:
    """The whole application, guarded."""
    from efface.service.shortcut import shortcut

    return Guard(shortcut(build(service), service), service.settings, service.metrics)


def from_environment() -> Guard:
    """What a worker process of `efface serve` runs."""
    return create(Service.open(_settings.from_environment()))


def build(service: Service) -> FastAPI:
    """The routes. No page of documentation is served: those load scripts from elsewhere."""
    from efface.service import dav, routes_documents, routes_people, routes_work
    from efface.service.review import pages, routes_game, routes_review

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        service.jobs.start()
        service.workers.later(service.look_at_what_waits)
        yield
        await to_thread.run_sync(service.close)

    app = FastAPI(
        title="efface",
        version=__version__,
        description="Documents opened as each viewer may see them, with guarantees checked on the bytes that leave.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        responses=problems.RESPONSES,
        separate_input_output_schemas=False,
    )
    app.state.service = service
    problems.install(app)
    for routes in (
        routes_work,
        routes_documents,
        routes_people,
        routes_sign_in,
        presidio,
        routes_review,
        routes_game,
    ):
        app.include_router(routes.router)
    _add_health(app, service)
    pages.install(app)
    app.mount("/dav", dav.application(service))
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _add_health(app: FastAPI, service: Service) -> None:
    @app.get("/health", tags=["operation"], response_class=PlainTextResponse)
    def health(request: Request) -> Response:
        """Whether the service and its store answer. Presidio's clients expect a sentence."""
        try:
            with service.store.read() as connection:
                connection.execute(sa.text("SELECT 1"))
        except sa.exc.SQLAlchemyError:
            raise Problem("busy", "The store does not answer.") from None
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"status": "ok", "version": __version__})
        return PlainTextResponse("efface service is up")

    @app.get("/metrics", tags=["operation"], response_class=PlainTextResponse)
    async def metrics(request: Request) -> Response:
        """Counts and times for Prometheus. On the loopback address without credentials."""
        exposure = service.settings.exposed(service.settings.metrics)
        if exposure == "off":
            raise Problem("not-found")
        if exposure == "token":
            await needs("admin")(request)
        return Response(
            await to_thread.run_sync(service.metrics.text), headers={"content-type": CONTENT_TYPE}
        )


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The description, with the ways to say who you are and the form of every error."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = schema.setdefault("components", {})
        components.setdefault("schemas", {})["ProblemDocument"] = ProblemDocument.model_json_schema()
        components["schemas"].update(presidio.schemas())
        components["securitySchemes"] = {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token, or a JSON Web Token.",
            },
            "basic": {
                "type": "http",
                "scheme": "basic",
                "description": "A name with a token as the password.",
            },
            "session": {"type": "apiKey", "in": "cookie", "name": app.state.service.sessions.cookie},
        }
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                if path.startswith("/v1/") and not path.startswith(routes_sign_in.PATH):
                    operation["security"] = [{"token": []}, {"basic": []}, {"session": []}]
                operation["responses"].pop("422", None)
        app.openapi_schema = schema
    return app.openapi_schema
