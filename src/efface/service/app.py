"""The application: its parts put together once, and its routes."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from efface import __version__
from efface.files.libreoffice import office_program
from efface.service import certificates, problem_responses
from efface.service import settings as _settings
from efface.service.audit import Event, Trail
from efface.service.audit_anchors import Anchors
from efface.service.auth import routes_sign_in
from efface.service.auth.credentials import operates
from efface.service.auth.identity import Identity
from efface.service.auth.jwt import ProviderKeys, TokenVerifier
from efface.service.auth.limits import Failures, RequestBuckets
from efface.service.auth.sessions import Sessions
from efface.service.auth.sign_in import CompanySignIn
from efface.service.auth.tokens import Accounts
from efface.service.certificates import Certificates
from efface.service.draining import Draining, ServerProcess
from efface.service.game.guessing_game import Games
from efface.service.jobs.processes import Processes, WorkerLimits
from efface.service.jobs.queue import Jobs
from efface.service.jobs.threads import Workers
from efface.service.metrics import CONTENT_TYPE, Metrics
from efface.service.middleware import Guard
from efface.service.presidio import routes as presidio
from efface.service.problem_responses import ProblemDocument
from efface.service.problems import Problem
from efface.service.readiness import Readiness
from efface.service.repository.blobs import Blobs, open_blobs
from efface.service.repository.document_search import Searches
from efface.service.repository.documents import Repository
from efface.service.repository.openings import Openings
from efface.service.repository.policies import Policies
from efface.service.repository.release_memory import ReleaseMemory
from efface.service.repository.search_index import SearchIndex
from efface.service.repository.stored_policies import StoredPolicies
from efface.service.repository.view_cache import ViewCache
from efface.service.repository.view_work import ViewWork
from efface.service.review.document_pages.renditions import Renditions
from efface.service.review.review_store import ReviewStore
from efface.service.review.review_work import ReviewWork
from efface.service.settings import ServiceSettings
from efface.service.store import Store, make_private

_TAKE_OVER_SECONDS = 30.0  # between two looks for jobs of a machine that stopped


@dataclass(frozen=True)
class Service:
    """Everything that routes need, made once for each process."""

    settings: ServiceSettings
    store: Store
    blobs: Blobs
    people: Accounts
    sessions: Sessions
    jwt: TokenVerifier | None
    sign_in: CompanySignIn | None
    trail: Trail
    certificates: Certificates
    anchors: Anchors
    policies: Policies
    repository: Repository
    processes: Processes
    review_work: ReviewWork
    jobs: Jobs
    review_store: ReviewStore
    games: Games
    workers: Workers
    metrics: Metrics
    requests: RequestBuckets
    guesses: Failures

    @cached_property
    def draining(self) -> Draining:
        return Draining(self.settings.seconds_to_drain)

    @cached_property
    def searches(self) -> Searches:
        return Searches(self.repository)

    @cached_property
    def renditions(self) -> Renditions:
        return Renditions(self.review_work)

    @cached_property
    def openings(self) -> Openings:
        return Openings(self)

    @classmethod
    def open(cls, settings: ServiceSettings) -> Service:
        """Make what is missing: the home folder, the key, the tables."""
        make_private(settings.home, settings.policies)
        key = settings.secret_key()
        store = Store.open(settings.store_url)
        blobs = open_blobs(store, settings)
        trail = Trail(store, key)
        signer = Certificates(store, key)
        index = SearchIndex(store, key)
        kept, memory = ViewCache(settings.cache), ReleaseMemory(store, key, store.clock)
        seed = hmac.digest(key, b"efface keys of documents", "sha256")
        policies = Policies(settings.policies, StoredPolicies(store, settings.policy_four_eyes), seed)
        processes = Processes(
            settings.threads, WorkerLimits(settings.memory, settings.pages), settings.per_user
        )
        review_work = ReviewWork(processes, settings)
        views = ViewWork(processes, settings)
        times = settings.threads, settings.job_hours, settings.work_seconds
        rate = settings.requests_a_second
        # Threads that wait for worker processes do not compute: whatever one person sends, the others have theirs.
        # They may have `per_user` documents open and `per_user` other requests.
        waiters = settings.threads + 2 * settings.per_user
        jwt = TokenVerifier(settings.oidc, ProviderKeys(settings.oidc.jwks)) if settings.oidc else None
        return cls(
            settings=settings,
            store=store,
            blobs=blobs,
            people=Accounts(store),
            sessions=Sessions(store, key, settings.session_hours, settings.secure),
            jwt=jwt,
            sign_in=CompanySignIn.of(jwt, key, settings.secure) if jwt else None,
            trail=trail,
            certificates=signer,
            anchors=Anchors(trail, settings.anchors, settings.anchor_minutes * 60),
            policies=policies,
            repository=Repository(store, blobs, policies, kept, trail, views, index, memory),
            processes=processes,
            review_work=review_work,
            jobs=Jobs(store, blobs, policies, trail, signer, processes, *times),
            review_store=ReviewStore(store, blobs, policies, review_work),
            games=Games(store, policies, processes, settings.work_seconds),
            workers=Workers(waiters, settings.waiting, settings.request_seconds, trail, settings.per_user),
            metrics=Metrics(),
            requests=RequestBuckets(rate, max(2 * rate, 1)),
            guesses=Failures(settings.failures),
        )

    @contextmanager
    def changing(self, who: Identity) -> Iterator[Callable[[Event], None]]:
        """One transaction for a change and for its record, by somebody who may still make it."""
        with self.trail.recording() as record, self.store.write() as connection:
            self.people.require_still(connection, who)
            yield record

    def look_at_what_waits(self) -> None:
        """Queue the reviews that no process works on: put there before this one began, or left by one that ended."""
        for id in self.review_store.unseen():
            self.workers.later(self.review_store.look, id, name=f"look {id}")

    def close(self) -> None:
        """End the work under way, and leave what waits to the next process."""
        self.jobs.stop()
        self.processes.close()
        self.jobs.close()
        self.games.close()
        self.openings.close()
        self.searches.close()
        self.workers.close()
        self.trail.close()
        self.anchors.close()
        self.store.close()


def create(service: Service, server: ServerProcess | None = None) -> Guard:
    """The whole application, guarded. `server` is given in a process that runs nothing else."""
    from efface.service.repository.direct_route import shortcut
    from efface.service.request_bodies import BodyDoor

    framework = build(service, server)
    inner = BodyDoor(shortcut(framework, service), framework, service)
    return Guard(inner, service.settings, service.metrics, service.draining)


def from_environment() -> Guard:
    """What a worker process of `efface serve` runs. It is gone soon after it was told to stop, whatever its threads do:
    all that matters is in the store, which loses nothing when a process ends at any moment."""
    service = Service.open(_settings.from_environment())
    service.processes.warm()
    if service.settings.office_pages:
        office_program()  # looked for now, not when the first reviewer waits
    return create(service, ServerProcess(service.draining))


def build(service: Service, server: ServerProcess | None = None) -> FastAPI:
    """The routes. No page of documentation is served: those load scripts from elsewhere."""
    from efface.service import static_files
    from efface.service.repository import webdav as dav

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        service.jobs.start()
        service.anchors.start()
        taking_over = asyncio.ensure_future(_take_over(service))
        if server is not None:
            server.began()
        yield
        taking_over.cancel()
        if server is not None:
            server.stops()
        await to_thread.run_sync(service.close)

    app = FastAPI(
        title="efface",
        version=__version__,
        description="Documents opened as each viewer may see them, with guarantees checked on the bytes that leave.",
        lifespan=life,
        openapi_url=None,  # `_add_description` serves it
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would send a client to whatever host the request names, and without TLS
        routes=_routes(),
        responses=problem_responses.RESPONSES,
        separate_input_output_schemas=False,
    )
    app.state.service = service
    problem_responses.install(app)
    _add_health(app, service)
    _add_description(app)
    static_files.install(app)
    app.router.routes.append(dav.HOME)
    app.mount("/dav", dav.application(service))
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


@lru_cache(maxsize=1)
def _routes() -> list[BaseRoute]:
    """The routes that are the same for every service of the process. FastAPI works out what they take and answer at
    the
    first request; an application that is made later finds it done."""
    from efface.service.auth import routes_people, routes_teams
    from efface.service.game import routes_game
    from efface.service.jobs import routes_work
    from efface.service.repository import routes_documents, routes_policies
    from efface.service.review import routes_export, routes_matters, routes_review
    from efface.service.review.archives import routes_archives
    from efface.service.review.document_pages import routes_pages

    gathered = APIRouter(responses=problem_responses.RESPONSES)
    for routes in (
        routes_work,
        routes_documents,
        routes_policies,
        routes_people,
        routes_teams,
        routes_sign_in,
        presidio,
        certificates,
        routes_pages,
        routes_review,
        routes_archives,
        routes_export,
        routes_matters,
        routes_game,
    ):
        gathered.include_router(routes.router)
    return gathered.routes


async def _take_over(service: Service) -> None:
    """Look now and then for what another machine began and did not end."""
    while True:
        service.workers.later(service.look_at_what_waits, name="what waits")
        await asyncio.sleep(_TAKE_OVER_SECONDS)


def _add_health(app: FastAPI, service: Service) -> None:
    readiness = Readiness(service.store, service.blobs, service.settings.home)

    @app.get("/health", tags=["operation"], response_class=PlainTextResponse)
    async def health(request: Request) -> Response:
        """Whether the process lives. Presidio's clients expect a sentence."""
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"status": "ok", "version": __version__})
        return PlainTextResponse("efface service is up")

    @app.get("/ready", tags=["operation"], response_class=JSONResponse)
    async def ready() -> Response:
        """Whether it can work: the store and the files take something, and there is room. A balancer asks this."""
        service.draining.require_not_begun()
        await readiness.asked()
        return JSONResponse({"status": "ready"})

    @app.get("/metrics", tags=["operation"], response_class=PlainTextResponse)
    async def metrics(request: Request) -> Response:
        """Counts and times for Prometheus. On the loopback address without credentials."""
        exposure = service.settings.exposed(service.settings.metrics)
        if exposure == "off":
            raise Problem("not-found")
        if exposure == "token":
            await operates(request)
        return Response(
            await to_thread.run_sync(service.metrics.text), headers={"content-type": CONTENT_TYPE}
        )


def _add_description(app: FastAPI) -> None:
    written: list[bytes] = []

    async def description(_request: Request) -> Response:
        """The description, written once: anybody may ask for it, as often as they like."""
        if not written:
            written.append(json.dumps(app.openapi()).encode())
        return Response(written[0], media_type="application/json")

    app.router.routes.append(Route("/openapi.json", description, include_in_schema=False))


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
                if path.startswith("/v1/") and not path.startswith((routes_sign_in.PATH, certificates.KEYS)):
                    operation["security"] = [{"token": []}, {"basic": []}, {"session": []}]
                operation["responses"].pop("422", None)
        app.openapi_schema = schema
    return app.openapi_schema
