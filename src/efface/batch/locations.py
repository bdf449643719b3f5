"""Where a batch reads and writes: folders of this machine, or addresses of object stores that are mirrored here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from efface.batch.stores import mirror, publish
from efface.batch.work_folder import BatchFolders
from efface.errors import OutputError, UsageError
from efface.files.store_addresses import address_of

_SAME_STORE = {"s3a": "s3", "gcs": "gs", "abfss": "abfs"}  # two names of one kind


@dataclass(frozen=True, slots=True)
class Places:
    """The inputs as they were named, the folders to work in, and where the output goes from there."""

    sources: tuple[str, ...]
    folders: BatchFolders
    mirrors: Path
    shown: str  # the output as its user named it
    target: str | None = None

    @classmethod
    def of(cls, sources: Sequence[str], output: Path, work: Path | None) -> Places:
        """With a store on either side, the work folder holds what was fetched and what waits to be sent."""
        target = address_of(output)
        _check_apart([one for one in map(address_of, sources) if one], target)
        remote = target is not None or any(address_of(source) for source in sources)
        if target is not None and work is None:
            raise UsageError(
                "A batch that writes to a store keeps its manifest here.", "Name a folder for it with --work."
            )
        base = (work or output.with_name(f"{output.name}.work")).absolute()
        if not remote:
            return cls(tuple(sources), BatchFolders(output.absolute(), base), base, str(output))
        here = base / "output" if target is not None else output.absolute()
        folders = BatchFolders(here, base / "batch")
        return cls(tuple(sources), folders, base / "mirror", target or str(output), target)

    def fetched(self) -> list[str]:
        """The inputs as files and folders of this machine."""
        here = []
        for source in self.sources:
            address = address_of(source)
            here.append(str(mirror(address, self.mirrors)) if address else source)
        return here

    def send(self) -> None:
        """Sends the output to the store if it may leave. Without an output, because the release is withheld,
        nothing is left there."""
        if self.target is not None:
            publish(self.folders.output, self.target, self.folders.work)


def _check_apart(sources: Sequence[str], target: str | None) -> None:
    """Outputs among the inputs would be read as inputs by the next run."""
    if target is None:
        return
    written = _pieces(target)
    for source in map(_pieces, sources):
        if source[: len(written)] == written[: len(source)]:
            raise OutputError("The output and the input must not hold one another.", "Name another folder.")


def _pieces(address: str) -> list[str]:
    kind, _, path = address.partition("://")
    return [_SAME_STORE.get(kind, kind), *filter(None, path.split("/"))]
