"""A batch from beginning to end: enumerate, skip what is finished, do, place, assemble, sweep, judge, publish."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.batch.containers.sources import KINDS, Inputs, SourceEntry
from efface.batch.engines.one_document import Engine, Spec
from efface.batch.engines.pool import Limits, Pool
from efface.batch.items import WHOLE, Item, ItemResult, State
from efface.batch.manifest import Manifest, ManifestRow
from efface.batch.output_commit import OutputCommit
from efface.batch.recipe import recipe_of
from efface.batch.release import Judgement, check_labels, judge, judges_linked, needs_judgement
from efface.batch.summary import first_broken, first_left, summary_page
from efface.batch.work_folder import BatchFolders, at, is_settled, unchanged
from efface.errors import EffaceError, InputError, OutputError, UsageError
from efface.files.local import write_output
from efface.report.data import to_json

_CHUNK = 256  # items looked up together, and
_CHUNK_BYTES = 8 << 20  # of documents that are handed to an engine at once

ResultListener = Callable[[ItemResult], None]


class Runner(Protocol):
    """Does items in worker processes, or on a cluster."""

    def run(self, items: Iterable[Item]) -> Iterator[ItemResult]: ...


@dataclass(frozen=True)
class Batch:
    """What is asked for."""

    sanitizer: Sanitizer
    inputs: Inputs
    folders: BatchFolders
    viewer: str | None = None
    options: Options = field(default_factory=Options)
    limits: Limits = field(default_factory=lambda: Limits(os.cpu_count() or 1))
    engine: str = "local"
    labels: Path | None = None
    allow_unproven: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """How a batch ended: how many in each state, how many were done already, and the release's verdict."""

    counts: dict[str, int]
    kept: int
    broken: int  # containers that could not be read
    judgement: Judgement
    published: bool
    left: tuple[tuple[str, str, str], ...] = ()  # (file, state, reason) of the first that may not leave
    unread: tuple[tuple[str, str], ...] = ()  # (file, reason) of the first containers that could not be read


def run(batch: Batch, watch: ResultListener = lambda _done: None) -> BatchOutcome:
    """Do what is not done yet. Only one batch at a time writes to an output."""
    _check_folders_are_separate(batch)
    _check_travels(batch.sanitizer)
    check_labels(batch.sanitizer, batch.viewer, batch.labels)
    batch.folders.prepare()
    with batch.folders.lock():
        temporary = batch.folders.clean()
        policy, folder = batch.sanitizer.policy, batch.sanitizer.folder
        key = policy.secret_key(folder) or batch.folders.key()
        # The policy is bound here, so that mistakes are found and indexes made before any worker starts.
        spec = Spec.of(policy, folder, batch.viewer, key, batch.options.max_bytes)
        engine = Engine(replace(spec, refuses_unproven=not batch.allow_unproven))
        if judges_linked(engine, batch.options):
            engine = engine.following_links()
        manifest = Manifest(batch.folders.manifest, recipe_of(engine, batch.options))
        try:
            _check_inputs(batch, manifest)
            return _BatchRun(batch, engine, manifest, temporary).all(watch)
        finally:
            manifest.close()
            shutil.rmtree(batch.folders.temporary, ignore_errors=True)


def _check_travels(sanitizer: Sanitizer) -> None:
    """Refuse objects of this process: worker processes bind the policy again, where they would be missing silently."""
    if sanitizer.extras:
        raise UsageError(
            "A batch cannot use finders, operators or guarantees that were given as objects.",
            "Name them in the policy as `package.module:Name`, or install them as entry points.",
        )


def _check_folders_are_separate(batch: Batch) -> None:
    """Outputs among the inputs would be read as inputs by the next run."""
    for _, root in batch.inputs.roots:
        source = Path(root).resolve()
        for folder in (batch.folders.output.resolve(), batch.folders.work.resolve()):
            if folder == source or source in folder.parents or folder in source.parents:
                raise OutputError(
                    "The output and the input must not hold one another.", "Name another folder."
                )


def _check_inputs(batch: Batch, manifest: Manifest) -> None:
    """Files whose inputs are gone are removed, so an output must not be fed from elsewhere by mistake."""
    said = json.dumps([[os.fsdecode(where), root] for where, root in sorted(batch.inputs.roots)])
    if manifest.about("inputs", said) != said:
        raise OutputError("This output was made from other inputs.", "Name another output folder.")


class _BatchRun:
    """One run over one output."""

    def __init__(self, batch: Batch, engine: Engine, manifest: Manifest, temporary: Path) -> None:
        self._batch = batch
        self._engine = engine
        self._manifest = manifest
        self._temporary = temporary
        self._withhold = needs_judgement(engine, batch.options)
        self._root = self._prepared()
        self._outputs = OutputCommit(self._root, temporary, manifest)
        self._kept = 0

    def all(self, watch: ResultListener) -> BatchOutcome:
        for done in self._runner().run(self._todo()):
            self._outputs.add(done)
            self._kept += done.same  # the file was touched, and its content is that of an earlier run
            watch(done)
        self._outputs.flush()
        self._assemble()
        self._sweep()
        batch = self._batch
        judgement = judge(
            self._engine, self._manifest, self._root, batch.options, batch.labels, self._withdraw
        )
        self._assemble()  # containers with a member that may not leave after all
        published = self._publish(judgement)
        self._record(judgement, published)
        return BatchOutcome(
            self._manifest.counts(),
            self._kept,
            self._manifest.broken(),
            judgement,
            published,
            first_left(self._manifest),
            first_broken(self._manifest),
        )

    def _runner(self) -> Runner:
        if self._batch.engine == "spark":
            from efface.batch.engines.spark_waves import Cluster

            return Cluster(self._engine.spec, self._batch.limits, self._temporary)
        return Pool(self._engine.spec, self._batch.limits, self._temporary)

    def _prepared(self) -> Path:
        """Where outputs are gathered: in the folder `withheld` as long as the release must be judged."""
        output, withheld = self._batch.folders.output, self._batch.folders.withheld
        if not self._withhold:
            shutil.rmtree(withheld, ignore_errors=True)
            output.mkdir(exist_ok=True)
            return output
        if output.exists() and not withheld.exists():
            output.rename(withheld)
        withheld.mkdir(exist_ok=True)
        return withheld

    def _publish(self, judgement: Judgement) -> bool:
        if not self._withhold:
            return True
        if not judgement.verdict.may_leave(allow_unproven=self._batch.allow_unproven):
            return False
        output = self._batch.folders.output
        if output.exists():
            output.rmdir()  # fails unless it is empty: another process may be writing there
        self._root.rename(output)
        return True

    def _record(self, judgement: Judgement, published: bool) -> None:
        """The certificate and the summary, beside the manifest."""
        work = self._batch.folders.work
        write_output(work / "certificate.json", to_json(judgement.certificate(published)), force=True)
        page = summary_page(self._manifest, judgement, published).encode("utf-8", "backslashreplace")
        write_output(work / "summary.html", page, force=True, private=True)

    def _todo(self) -> Iterator[Item]:
        """Yields the items that have to be processed. Finished, unchanged items are skipped; the manifest is
        compared in chunks."""
        options = self._batch.options
        chunk: list[Item] = []
        for entry in self._batch.inputs.entries():
            kind = entry.kind(options)
            if kind is not None:
                yield from self._container(entry, kind)
                continue
            chunk.append(entry.item(options))
            if len(chunk) >= _CHUNK:
                yield from self._unfinished(chunk)
                chunk = []
        yield from self._unfinished(chunk)

    def _container(self, entry: SourceEntry, kind: str) -> Iterator[Item]:
        manifest, settled = self._manifest, entry.stamp if _settled(Path(entry.file)) else f"{entry.stamp}?"
        known = None if self._batch.again else manifest.container(entry.path)
        if known is not None and known[0] == entry.stamp and known[2] is State.DONE:
            intact = unchanged(at(self._root, entry.path), known[1])
            if intact and manifest.is_quiet(entry.path):
                with manifest.writing():
                    self._kept += manifest.keep_container(entry.path)
                return
        with manifest.writing():
            manifest.set_container(entry.path, kind, settled, State.PENDING)
        try:
            yield from self._members(entry, kind)
        except EffaceError as error:
            with manifest.writing():
                manifest.set_container(entry.path, kind, settled, State.FAILED, error.message)
            self._outputs.remove(entry.path)

    def _members(self, entry: SourceEntry, kind: str) -> Iterator[Item]:
        chunk: list[Item] = []
        weight = 0
        for item in entry.items(kind, self._batch.options):
            chunk.append(item)
            weight += item.size
            if len(chunk) >= _CHUNK or weight > _CHUNK_BYTES:
                yield from self._unfinished(chunk)
                chunk, weight = [], 0
        yield from self._unfinished(chunk)

    def _unfinished(self, chunk: list[Item]) -> Iterator[Item]:
        """Returns the items of the chunk that must be done. All of the chunk is in the manifest before the first is
        begun."""
        if not chunk:
            return
        known = {} if self._batch.again else self._manifest.known(chunk)
        kept, todo = [], []
        for item in chunk:
            row = known.get((item.path, item.part))
            unfinished = item if row is None else self._compared(item, row)
            if unfinished is None:
                kept.append(item)
            else:
                todo.append(unfinished)
        with self._manifest.writing():
            self._manifest.keep(kept)
            self._manifest.begin(todo)
        self._kept += len(kept)
        yield from todo

    def _compared(self, item: Item, row: ManifestRow) -> Item | None:
        """Returns None if the item is done. If only the time stamp of its file changed, it returns the item with the
        file's hash."""
        if not row.is_final(self._manifest.recipe):
            return item
        if item.part != WHOLE:
            same = item.data is not None and item.digest(item.data) == row.input
            return None if same else item
        if row.state is not State.DONE:
            return None if row.stamp and row.stamp == item.stamp else item
        if not unchanged(at(self._root, item.path), row.output_stamp):
            return item
        return None if row.stamp == item.stamp else replace(item, known=row.input)

    def _assemble(self) -> None:
        """Containers, whole or not at all, from what became of their members."""
        for path, kind, stamp in self._manifest.waiting_containers():
            state, reason, output = State.DONE, "", ("", "")
            try:
                output = self._outputs.write(
                    path, partial(self._produce, path, kind, stamp.removesuffix("?"))
                )
            except InputError as error:
                state, reason = State.FAILED, error.message
                self._outputs.remove(path)
            with self._manifest.writing():
                self._manifest.set_container(path, kind, stamp, state, reason, output)
        with self._manifest.writing():
            self._manifest.fail_members()

    def _produce(self, path: bytes, kind: str, stamp: str, output: BinaryIO) -> None:
        """Write a container again, from the very file whose members were read."""
        file = self._file_of(path)
        result = partial(self._manifest.result, path)
        try:
            KINDS[kind].write(file, self._batch.options, result, output)
        except Exception:
            if unchanged(str(file), stamp):
                raise
        if not unchanged(str(file), stamp):
            raise InputError("The file changed while it was read.")

    def _file_of(self, path: bytes) -> Path:
        """Where an output's input is."""
        for where, root in self._batch.inputs.roots:
            if path == where:
                return Path(root)
            if not where or path.startswith(where + b"/"):
                return Path(at(Path(root), path[len(where) :].removeprefix(b"/")))
        raise AssertionError("a path of this run is under one of its roots")

    def _sweep(self) -> None:
        """Outputs whose inputs are gone go too."""
        for path in list(self._manifest.unseen()):
            self._outputs.remove(path)
        with self._manifest.writing():
            self._manifest.forget()

    def _withdraw(self, path: bytes, part: int, reason: str) -> None:
        """A document may not leave after all: its file goes, its container is assembled again."""
        with self._manifest.writing():
            self._manifest.refuse(path, part, reason)
            if part != WHOLE:
                self._manifest.reopen_container(path)
        if part == WHOLE:
            self._outputs.remove(path)


def _settled(file: Path) -> bool:
    try:
        return is_settled(file.lstat())
    except OSError:
        return False
