"""Hit counts of a web search API as a corpus. Opt-in: every query leaves the machine.

What is asked are terms of the document together with the hidden entity: the operator of the API can learn both.
Answers are kept on disk under a hash of the question.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import numpy as np

from efface.errors import InputError, PolicyError
from efface.files.web_addresses import is_web_address
from efface.knowledge.corpus.counts import Counts, Groups, Query

_MAX_ANSWER = 4 * 1024 * 1024  # bytes of an answer of the search API
_RETRY = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class SearchApi:
    """How to ask: `url` holds {query} and perhaps {key}; `count` is the dotted path to the number of hits.

    `key` names the environment variable that holds the key; it is never stored.
    """

    url: str
    count: str
    key: str | None = None
    rate: float = 1.0  # questions a second
    attempts: int = 5
    timeout: float = 20.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def ask(self, question: str) -> int:
        """The number of hits, patiently."""
        request = urllib.request.Request(self._address(question), headers={"Accept": "application/json"})  # noqa: S310
        for attempt in range(self.attempts):
            self.sleep((2.0**attempt if attempt else 1.0) / self.rate)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                    return self._hits(answer.read(_MAX_ANSWER))
            except urllib.error.HTTPError as error:
                if error.code not in _RETRY:
                    raise InputError(
                        f"The search API answered {error.code}.", "Check `url` and the key."
                    ) from None
            except (urllib.error.URLError, TimeoutError, HTTPException, ConnectionError):
                continue
        raise InputError(
            "The search API does not answer.", "Try again later, or use a corpus on this machine."
        )

    def _address(self, question: str) -> str:
        if not is_web_address(self.url) or "{query}" not in self.url:
            raise PolicyError(
                "The search API's `url` is no web address with {query} in it.",
                "Write for example https://search.example/?q={query}&key={key}.",
            )
        key = os.environ.get(self.key, "") if self.key else ""
        if self.key and not key:
            raise PolicyError(f"The environment variable {self.key} holds no key.", "Set it.")
        quote = urllib.parse.quote_plus
        return self.url.replace("{query}", quote(question)).replace("{key}", quote(key))

    def _hits(self, data: bytes) -> int:
        try:
            value = json.loads(data)
            for step in self.count.split("."):
                value = value[int(step)] if isinstance(value, list) else value[step]
            return max(0, int(value))
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise InputError(
                "The search API's answer has no count where `count` says.", "Check `count`."
            ) from None


@dataclass(frozen=True, slots=True)
class WebCorpus:
    """All pages that the API searches. `documents` is how many there are, `cache` a file for the answers."""

    api: SearchApi
    documents: int
    cache: Path
    allow_queries: bool = False

    def __post_init__(self) -> None:
        if not self.allow_queries:
            raise PolicyError(
                "Counting on the web sends terms of the document to the search API.",
                "Say `allow_queries: true` if they may leave this machine.",
            )

    def knows(self, key: str) -> bool:
        return bool(key)

    def table(self, queries: Sequence[Query]) -> WebTable:
        return WebTable(self, tuple(queries))

    def hits(self, question: str) -> int:
        """From the cache, or from the API."""
        mark = hashlib.sha256(f"{self.api.url}\n{question}".encode()).hexdigest()
        with _opened(self.cache) as store:
            row = store.execute("SELECT hits FROM answers WHERE mark = ?", (mark,)).fetchone()
        if row is not None:
            return int(row[0])
        hits = self.api.ask(question)
        with _opened(self.cache) as store, store:
            store.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (mark, hits))
        return hits


class _opened:  # noqa: N801 - reads as a function
    """The cache, opened for one statement and closed again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._store = sqlite3.connect(self._path)
            self._store.execute("CREATE TABLE IF NOT EXISTS answers (mark TEXT PRIMARY KEY, hits INTEGER)")
        except sqlite3.Error:
            raise InputError("The cache of the search API cannot be opened.", "Check its path.") from None
        return self._store

    def __exit__(self, *_: object) -> None:
        self._store.close()


@dataclass(frozen=True, slots=True)
class WebTable:
    """Queries to be counted in groups, each group one question."""

    corpus: WebCorpus
    queries: tuple[Query, ...]
    always: tuple[Query, ...] = ()

    def counts(self, groups: Groups) -> Counts:
        return np.array([self._count(group) for group in groups.tolist()], np.int64)

    def where(self, query: int) -> WebTable:
        return WebTable(self.corpus, self.queries, (*self.always, self.queries[query]))

    def _count(self, group: list[int]) -> int:
        wanted = dict.fromkeys([*self.always, *(self.queries[at] for at in group)])
        if not all(wanted):
            return 0
        return self.corpus.hits(" AND ".join(_question(query) for query in wanted))


def _question(query: Query) -> str:
    sides = [_all_of(part) for part in query]
    return sides[0] if len(sides) == 1 else "(" + " OR ".join(f"({side})" for side in sides) + ")"


def _all_of(keys: Iterable[str]) -> str:
    return " AND ".join(f'"{key}"' for key in keys)
