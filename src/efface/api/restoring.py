"""Originals back into a text that was written about a redacted one, a language model's answer for instance.

The answer may change the case of a placeholder, drop its brackets, escape it for Markdown, put an ending behind it
or cut it between two chunks of a stream. A placeholder that was never given out stays and is told. Nothing is
restored into a link: whoever fetches it would get the original.
"""

from __future__ import annotations

from collections.abc import Mapping

from efface.api.link_places import is_of_address
from efface.api.originals import Originals
from efface.api.placeholder_forms import PlaceholderForms, RestoringTally
from efface.core import Span, SpanSet
from efface.errors import UsageError

_LONG = 1024  # characters that a stream holds back before it looks less often whether they are settled


class Restored(str):
    """A text with its originals. `invented` are placeholders that were never given out, `missing` those that the
    text does not mention, `withheld` those that stand where no original may.

    >>> from efface.api.restoring import restore
    >>> answer = restore("Dear [PERSON_1], ask [PERSON_7].", {"[PERSON_1]": "Anna"})
    >>> str(answer), answer.invented
    ('Dear Anna, ask [PERSON_7].', ('[PERSON_7]',))
    """

    invented: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


def restore(text: str, originals: Originals | Mapping[str, str]) -> Restored:
    """The text with every known replacement turned back.

    >>> from efface.api.restoring import restore
    >>> str(restore("person_1's note", {"[PERSON_1]": "Anna"}))
    "Anna's note"
    """
    restorer = Restorer(originals)
    return restorer.told("".join((restorer.feed(text), restorer.close())))


class Restorer:
    """Restores a stream chunk by chunk. The pieces together are what the whole text would have become.

    >>> from efface.api.restoring import Restorer
    >>> restorer = Restorer({"[PERSON_1]": "Anna"})
    >>> "".join([restorer.feed("Dear [PER"), restorer.feed("SON_1],"), restorer.close()])
    'Dear Anna,'
    """

    def __init__(self, originals: Originals | Mapping[str, str]) -> None:
        self._originals = originals if isinstance(originals, Originals) else _given(originals)
        self._forms = PlaceholderForms(self._originals)
        self._buffer = ""
        self._last = ""  # the character before the buffer
        self._next_look = 0  # characters in the buffer at which it is worth to look for a cut again
        self._tally = RestoringTally()

    def feed(self, chunk: str) -> str:
        """What of the stream is settled: nothing that comes later can change it.

        >>> from efface.api.restoring import Restorer
        >>> Restorer({"[PERSON_1]": "Anna"}).feed("This is settled, this is not: [PER")
        'This is settled, this is not: '
        """
        if not isinstance(chunk, str):
            raise UsageError(f"A text was expected, not {type(chunk).__name__}.", "Give a str.")
        self._buffer += chunk
        if len(self._buffer) < self._next_look:
            return ""
        cut = self._cut()
        if cut:
            self._next_look = 0
            return self._emit(cut)
        # A long tag or link is not read again for every chunk, or a hostile answer would take quadratic time.
        self._next_look = len(self._buffer) * 9 // 8 if len(self._buffer) > _LONG else 0
        return ""

    def close(self) -> str:
        """The rest of the stream. What is fed after it begins another one.

        >>> from efface.api.restoring import Restorer
        >>> restorer = Restorer({"[PERSON_1]": "Anna"})
        >>> restorer.feed("[PERSON_1]") + restorer.close()
        'Anna'
        """
        rest = self._emit(len(self._buffer))
        self._last = ""
        self._next_look = 0
        return rest

    def told(self, text: str) -> Restored:
        """The restored text with what was noticed on the way.

        >>> from efface.api.restoring import Restorer
        >>> restorer = Restorer({"[PERSON_1]": "Anna"})
        >>> restorer.told(restorer.feed("Nobody.") + restorer.close()).missing
        ('[PERSON_1]',)
        """
        restored = Restored(text)
        mapping = self._originals.mapping
        restored.invented = tuple(self._tally.invented)
        restored.withheld = tuple(self._tally.withheld)
        restored.missing = tuple(one for one in mapping if one not in self._tally.used)
        return restored

    def _emit(self, cut: int) -> str:
        text = self._last + self._buffer
        restored = self._forms.restored(text, len(self._last), len(self._last) + cut, self._tally)
        self._last = text[: len(self._last) + cut][-1:]
        self._buffer = self._buffer[cut:]
        return restored

    def _cut(self) -> int:
        """The last place before which all is settled: outside of every form and link, after a character that
        cannot be inside of an address, and before every form that the stream has begun and not ended."""
        farthest = min(len(self._buffer) - 1, self._forms.unfinished(self._buffer))
        if farthest <= 0:
            return 0
        busy = SpanSet(Span(*span) for span in self._forms.busy(self._last + self._buffer))
        shift = len(self._last)
        for cut in range(farthest, 0, -1):
            if not is_of_address(self._buffer[cut - 1]) and not busy.covers(cut + shift - 1, cut + shift + 1):
                return cut
        return 0


def _given(mapping: Mapping[str, str]) -> Originals:
    """The originals of a mapping that a caller made."""
    if not isinstance(mapping, Mapping):
        raise UsageError("A mapping was expected.", "Give what each replacement stands for: `r.mapping`.")
    if not all(isinstance(one, str) for pair in mapping.items() for one in pair):
        raise UsageError("Replacements and originals are texts.", "Give a str for each.")
    return Originals(mapping)
