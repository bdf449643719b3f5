"""People: the index against the definition, the promise among everybody, and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.cli.main import app
from efface.cli.who import likeliest
from efface.core import Verdict
from efface.errors import InputError, PolicyError
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.people import PeopleConfusability
from efface.knowledge.classes import LabelledDocument
from efface.knowledge.classes.names import (
    find_names,
    name_parts,
    person_part,
    short_person_parts,
    spellings,
)
from efface.knowledge.people.build import build_people, counted
from efface.knowledge.people.index import READERS, PeopleIndex
from efface.knowledge.people.person_key import person_key, written_otherwise
from efface.policy.model import Policy

WORDS = [f"{stem}{number}" for stem in ("opera", "river", "medal", "novel") for number in range(8)]
POLICY = (
    "find: {{patterns: none, names: none}}\n"
    "guarantees: [{{k-confusability: {{people: people.index, k: {k}, truth: {truth}}}}}]\n"
)
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def backgrounds(people: int = 40) -> list[LabelledDocument]:
    """Each person has a word of their own and shares the others."""
    chance = np.random.default_rng(5)
    return [
        LabelledDocument(
            " ".join([*chance.choice(WORDS, 12), f"own{n}x", f"own{n}x"]), f"Person {chr(65 + n % 26)}{n}"
        )
        for n in range(people)
    ]


def scores_of(index: PeopleIndex, text: str) -> dict[str, dict[str, float]]:
    model = index.model(text)
    return {
        reader: dict(zip(model.sensitive.names, np.round(found, 6).tolist(), strict=True))
        for reader, found in model.all_scores(text).items()
    }


@given(st.lists(texts, min_size=2, max_size=6), texts, st.integers(1, 5))
@settings(deadline=None, derandomize=True, max_examples=25)
def test_adding_people_equals_building_anew(
    tmp_path_factory: pytest.TempPathFactory, some: list[str], text: str, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("people")
    everybody = [LabelledDocument(known, f"P{n % 4}") for n, known in enumerate(some)]  # P0 may come again
    build_people(everybody, folder / "whole")
    build_people(everybody[: min(cut, len(some) - 1)], folder / "grown")
    build_people(everybody[min(cut, len(some) - 1) :], folder / "grown", add=True)
    whole, grown = PeopleIndex.open(folder / "whole"), PeopleIndex.open(folder / "grown")
    assert whole.names == grown.names
    assert whole.lengths.tolist() == grown.lengths.tolist()
    model, other = whole.model(text), grown.model(text)
    assert model.words == other.words
    assert model.sensitive.counts.tolist() == other.sensitive.counts.tolist()
    assert scores_of(whole, text) == scores_of(grown, text)
    assert whole.users(WORDS).tolist() == grown.users(WORDS).tolist()


@pytest.mark.parametrize("other", ["zoe ada", "Ada, Zoë", "ADA,ZOE"])
def test_two_spellings_of_a_name_are_one_person(tmp_path: Path, other: str) -> None:
    """As two they would be each other's crowd: the one that was not meant stood first, and the text was held."""
    people = [LabelledDocument("opera1 medal3 own9x", name) for name in ("Zoë  Ada", other)]
    build_people([people[0], *backgrounds(3)], tmp_path / "people.index")
    build_people(people[1:], tmp_path / "people.index", add=True)
    index = PeopleIndex.open(tmp_path / "people.index")
    assert len(index.names) == 4
    assert index.users(["own9x"]).tolist() == [1]
    assert index.number(other) == index.number("Zoë  Ada") is not None
    model = index.model("own9x")
    assert model.sensitive.counts.max() == 2


def test_what_stands_behind_a_name_does_not_turn_it_round() -> None:
    assert person_key("Luther King, Jr.") != person_key("Jr. Luther King")
    assert person_key("King, Martin, Atlanta") == person_key("king, martin, atlanta")


@pytest.mark.parametrize("written", ["Baker", "BAKER", "Mr. Baker", "the Baron"])
def test_a_name_that_is_everybodys_word_and_other_names_go(tmp_path: Path, written: str) -> None:
    people = [LabelledDocument(f"baker baker {d.text}", d.sensitive) for d in backgrounds()]
    people.append(LabelledDocument("opera1 river2 medal3", "Orla Baker"))
    build_people(people, tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "guarantees: [{k-confusability: {people: people.index, k: 3, truth: Orla Baker,"
        " aliases: {orla baker: the Baron}}}]\n"
    )
    text = f"{written} heard opera1 by the river2, and a baker came."
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(text.encode(), name="note.txt")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert written.rsplit(maxsplit=1)[-1].encode() not in report.released


@pytest.mark.parametrize("key", ["keep: bank", "learn: {A: {documents: [a.txt]}}", "per-occurrence: true"])
def test_what_has_no_meaning_with_people_is_refused(tmp_path: Path, key: str) -> None:
    build_people(backgrounds(3), tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(
        f"guarantees: [{{k-confusability: {{people: people.index, k: 3, truth: guess, {key}}}}}]\n"
    )
    with pytest.raises(PolicyError):
        Sanitizer.from_policy(tmp_path / "p.yaml")


def test_a_policy_with_people_survives_the_way_to_a_worker(tmp_path: Path) -> None:
    """Engines send the whole policy as JSON, where every key is given."""
    policy = _policy(tmp_path, "Person A0").policy
    assert Policy.model_validate_json(policy.model_dump_json(by_alias=True)) == policy


def test_rare_counts_everybody_known(tmp_path: Path) -> None:
    build_people([LabelledDocument("opera1", f"P{n}") for n in range(400)], tmp_path / "people.index")
    model = PeopleIndex.open(tmp_path / "people.index").model("opera1 river2")
    assert model.users("opera1") == 400
    assert model.users("river2") == 0


def test_counts_are_the_definition(tmp_path: Path) -> None:
    people = backgrounds()
    build_people(people, tmp_path / "people.index")
    index = PeopleIndex.open(tmp_path / "people.index")
    text = people[3].text
    model = index.model(text)
    assert model.readers == READERS
    for place, name in enumerate(model.sensitive.names):
        known = counted(next(p.text for p in people if p.sensitive == name))
        assert [known[word] for word in model.words] == model.sensitive.counts[:, place].tolist()
    assert model.best_guess(text) == people[3].sensitive


def _policy(folder: Path, truth: str) -> Sanitizer:
    build_people(backgrounds(), folder / "people.index", force=True)
    (folder / "key").write_text("a key of 16 bytes and more")
    (folder / "p.yaml").write_text(
        "find: {patterns: none, names: none}\nkey: file:key\n"
        f"guarantees: [{{k-confusability: {{people: people.index, k: 3, truth: '{truth}'}}}}]\n"
    )
    return Sanitizer.from_policy(folder / "p.yaml")


def test_a_person_hides_among_everybody_known(tmp_path: Path) -> None:
    person = backgrounds()[7]
    text = f"{person.sensitive} is known for {person.text} and for {' '.join(WORDS[:12])}."
    report = _policy(tmp_path, person.sensitive).sanitize(text.encode(), name="note.txt")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    left = report.released.decode()
    assert "own7x" not in left
    model = PeopleIndex.open(tmp_path / "people.index").model(left, person.sensitive)
    truth = model.sensitive.index(person.sensitive)
    for name, scores in model.all_scores(left).items():
        if name == "naive-bayes" or scores[truth] != 0:
            assert int((scores > scores[truth]).sum()) >= 2, name
    assert not any("people" in str(value) for value in report.outcomes[-1].claim.parameters.values())


def test_the_review_page_ranks_people_for_every_reader(tmp_path: Path) -> None:
    person = backgrounds()[7]
    build_people(backgrounds(), tmp_path / "people.index")
    index = PeopleIndex.open(tmp_path / "people.index")
    promise = PeopleConfusability(index, Confusability(index.model(""), 3, objective="count"))
    found = promise.bind(person.text, person.sensitive).ranking(person.text)
    assert found is not None
    assert found.order[0] == found.truth == person.sensitive
    assert found.readers == dict.fromkeys(READERS, 1)
    assert promise.bind(person.text, "Ada Nobody").ranking(person.text) is None


def test_somebody_who_is_not_in_the_index_is_unknown_and_not_held(tmp_path: Path) -> None:
    sanitizer = _policy(tmp_path, "Ada Nobody")
    text = b"Ada Nobody sang opera1."
    assert sanitizer.sanitize(text, name="note.txt").released is None
    report = sanitizer.sanitize(text, name="note.txt", allow_unproven=True)
    assert report.verdict is Verdict.UNPROVEN
    assert any("not in the index" in note for note in report.notes)
    assert report.released is not None
    assert b"Ada" not in report.released


@pytest.mark.parametrize("truth", ["Ada Whitcombe", "Whitcombe, Ada"])
def test_parts_of_an_unknown_name_and_both_orders_go(tmp_path: Path, truth: str) -> None:
    text = b"Ada Whitcombe sang opera1. Whitcombe, Ada was there; so Whitcombe left, and Ada."
    report = _policy(tmp_path, truth).sanitize(text, name="note.txt", allow_unproven=True)
    assert report.released is not None
    assert b"Ada" not in report.released and b"Whitcombe" not in report.released


@pytest.mark.parametrize("truth", ["Ada Maria Brandtner", "Brandtner, Ada Maria", "Ida Brandtner"])
@pytest.mark.parametrize(
    "written", ["#{last}{first}", "{First}{Last}", "{i}{last}", "{last}{i}", "{I}. {Last}"]
)
def test_a_name_goes_as_people_write_it_in_one_word(tmp_path: Path, truth: str, written: str) -> None:
    """Of somebody in the index, and of one who is not (`Ida`)."""
    known = [*backgrounds(), LabelledDocument("own99x own99x novel7", "Ada Maria Brandtner")]
    build_people(known, tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=2, truth=f'"{truth}"'))
    first = "ida" if truth.startswith("Ida") else "ada"
    names = {"first": first, "last": "brandtner", "i": first[0]}
    names |= {"First": first.title(), "Last": "Brandtner", "I": first[0].upper()}
    text = f"Seen at opera1 by the river2: {written.format(**names)} and a medal3."
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(
        text.encode(), name="note.txt", allow_unproven=True
    )
    assert report.released is not None
    left = report.released.decode().partition(": ")[2].partition(" and")[0]
    assert left.removeprefix("#").startswith("[WORD_") and left.endswith("]")


@pytest.mark.parametrize("truth", ["Ada Brandtner", "Ida Brandtner"])
@pytest.mark.parametrize(
    "written",
    [
        "BrandtnerFans",
        "#OurBrandtner",
        "Brandtner2",
        "Brandtners",
        "the BRANDTNERS",
        "Brandt-ner",
        "B r a n d t n e r",
        "B.R.A.N.D.T.N.E.R.",
    ],
)
def test_a_name_inside_a_longer_token_or_in_pieces_goes(tmp_path: Path, truth: str, written: str) -> None:
    """Of somebody in the index, and of one who is not (`Ida`). The claim says that the person is not named."""
    known = [*backgrounds(), LabelledDocument("own99x own99x novel7", "Ada Brandtner")]
    build_people(known, tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=2, truth=truth))
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(
        f"Seen at opera1 by the river2: {written} and a medal3.".encode(),
        name="note.txt",
        allow_unproven=True,
    )
    assert report.released is not None
    left = "".join(filter(str.isalpha, report.released.decode().lower()))
    assert "brandtner" not in left


def test_a_name_inside_of_another_word_is_that_word(tmp_path: Path) -> None:
    build_people([*backgrounds(), LabelledDocument("opera1", "Ines Hall")], tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=2, truth="Ines Hall"))
    text = b"Challenges, shall, Hallmark: river2."
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(text, name="note.txt")
    assert report.released is not None and report.released.startswith(b"Challenges, shall, Hallmark")


def test_an_initial_before_an_everyday_word_is_that_word(tmp_path: Path) -> None:
    build_people([*backgrounds(), LabelledDocument("opera1", "Anna Way")], tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=2, truth="Anna Way"))
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(b"Far away, river2.", name="note.txt")
    assert report.released is not None and b"away" in report.released


def test_a_person_of_whom_nothing_is_known_and_an_empty_text(tmp_path: Path) -> None:
    people = [*backgrounds(6), LabelledDocument("", "Silent One")]
    build_people(people, tmp_path / "people.index")
    index = PeopleIndex.open(tmp_path / "people.index")
    assert index.number("silent one") == 6
    assert "Silent One" in index.model("opera1 river2", "Silent One").sensitive.names
    assert index.model("").words == ()


def test_somebody_of_whom_nothing_is_known_is_hidden(tmp_path: Path) -> None:
    """Whoever has no background fits a text of strange words best, since nothing speaks against it."""
    build_people([*backgrounds(), LabelledDocument("", "Silent One")], tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=3, truth="Silent One"))
    sanitizer = Sanitizer.from_policy(tmp_path / "p.yaml")
    assert sanitizer.redact("Silent One likes own3x.").text == "[WORD_1] likes [WORD_2]."
    left = sanitizer.redact(f"Silent One {' '.join(WORDS)} {backgrounds()[3].text}").text
    assert "Silent" not in left
    model = PeopleIndex.open(tmp_path / "people.index").model(left, "Silent One")
    scores = model.all_scores(left)["naive-bayes"]
    assert int((scores > scores[model.sensitive.index("Silent One")]).sum()) >= 2


@pytest.mark.parametrize("text", ["", "the and of", "nothing known here", "Person C2"])
@pytest.mark.parametrize("rare", ["", ", rare: 100"])
def test_a_text_that_tells_of_nobody_is_held(tmp_path: Path, text: str, rare: str) -> None:
    """It was refused: naive Bayes was taken to prefer somebody, and to people nobody is more frequent than another."""
    build_people(backgrounds(), tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=3, truth=f"Person C2{rare}"))
    sanitizer = Sanitizer.from_policy(tmp_path / "p.yaml")
    report = sanitizer.sanitize(text.encode(), name="note.txt")
    assert report.verdict is Verdict.HELD
    assert report.released is not None and b"C2" not in report.released


def test_a_text_all_of_which_is_rare_is_held_without_it(tmp_path: Path) -> None:
    build_people(backgrounds(), tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(POLICY.format(k=3, truth="Person C2, rare: 100"))
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(b"opera1 own2x", name="note.txt")
    assert report.verdict is Verdict.HELD
    assert report.released == b"[WORD_1] [WORD_2]"


def test_a_k_that_leaves_no_rank_to_draw_is_refused(tmp_path: Path) -> None:
    build_people(backgrounds(4), tmp_path / "people.index")
    for k, refused in ((5, True), (4, True), (3, False)):
        (tmp_path / "p.yaml").write_text(POLICY.format(k=k, truth=backgrounds(4)[0].sensitive))
        sanitizer = Sanitizer.from_policy(tmp_path / "p.yaml")
        if refused:
            with pytest.raises(PolicyError, match="the last of all"):
                sanitizer.assess(b"opera1", name="note.txt")
        else:
            assert any(
                "ranks can be drawn" in note for note in sanitizer.assess(b"opera1", name="n.txt").notes
            )


def test_other_names_of_nobody_are_refused(tmp_path: Path) -> None:
    """They were passed over, so that a slip left the names in the text."""
    build_people(backgrounds(6), tmp_path / "people.index")
    person = backgrounds(6)[0].sensitive
    given = f"{person}, aliases: {{Persom A0: [the Baron]}}"
    (tmp_path / "p.yaml").write_text(POLICY.format(k=2, truth=given))
    with pytest.raises(PolicyError, match="other names"):
        Sanitizer.from_policy(tmp_path / "p.yaml").assess(b"the Baron", name="note.txt")


def test_words_that_the_end_of_a_line_cuts_tell_the_person_as_well(tmp_path: Path) -> None:
    build_people(backgrounds(), tmp_path / "people.index")
    index = PeopleIndex.open(tmp_path / "people.index")
    whole = backgrounds()[7].text
    cut = whole.replace("own", "ow-\nn").replace("medal", "me-\ndal")
    assert scores_of(index, index.model(cut).undisguised(cut)) == scores_of(index, whole)


def test_the_commands_build_add_and_tell(tmp_path: Path) -> None:
    rows = [{"person": d.sensitive, "background": d.text} for d in backgrounds()]
    for name, part in (("first", rows[:20]), ("rest", rows[20:])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, part)))
    index = tmp_path / "people.index"
    run = CliRunner().invoke
    assert run(app, ["train", "people", str(tmp_path / "first.jsonl"), "-o", str(index)]).exit_code == 0
    assert run(app, ["train", "people", str(tmp_path / "rest.jsonl"), "-o", str(index)]).exit_code != 0
    added = run(app, ["train", "people", str(tmp_path / "rest.jsonl"), "-o", str(index), "--add", "--json"])
    assert json.loads(added.output)["people"] == 40
    (tmp_path / "note.txt").write_text(backgrounds()[30].text)
    (tmp_path / "out.txt").write_text("[WORD_1]")
    told = run(
        app,
        [
            "who",
            str(tmp_path / "note.txt"),
            "--people",
            str(index),
            "--after",
            str(tmp_path / "out.txt"),
            "--json",
        ],
    )
    answer = json.loads(told.output)
    first = [row for row in answer["before"] if row["rank"] == 1]
    assert {row["person"] for row in first} == {backgrounds()[30].sensitive}
    assert "own30x" in first[0]["words"]
    assert answer["after"] == []
    assert "own30x" in run(app, ["who", str(tmp_path / "note.txt"), "--people", str(index)]).output


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        PeopleIndex.open(tmp_path)
    with pytest.raises(InputError):
        build_people([], tmp_path / "people.index")
    assert not (tmp_path / "people.index").exists()


def test_the_words_that_tell_are_those_of_the_reader(tmp_path: Path) -> None:
    """Those of naive Bayes were shown for all readers, also words that are not said of the person at all."""
    known = {"Ann Able": "alpha", "Bob Baker": "beta " * 200, "Cid Cole": "gamma " * 90 + "beta"}
    documents = [LabelledDocument(text, person) for person, text in known.items()]
    build_people(documents, tmp_path / "people.index")
    found = likeliest(PeopleIndex.open(tmp_path / "people.index"), "alpha beta gamma", 3)
    others = [one for one in found if one.reader != "naive-bayes"]
    assert any(one.words for one in others)
    for one in others:
        assert set(one.words) <= set(known[one.person].split())


@pytest.mark.parametrize(
    ("person", "text", "found"),
    [
        ("Ng Bo", "Ng wrote; NG too, not ng", ["Ng", "NG"]),
        ("Li Wei", "Li came", ["Li"]),
        ("He Jun", "He came", []),  # the pronoun
        ("John Smith", "jsmith wrote", ["jsmith"]),
        ("Anna Way", "Go away, it is a way", []),
        ("Jan van der Berg", "van der Berg, Vanderberg", ["van der Berg", "Vanderberg"]),
        ("Jean-Luc Picard", "Jean-Luc came", ["Jean-Luc"]),
    ],
)
def test_names_of_a_person(person: str, text: str, found: list[str]) -> None:
    other_names = written_otherwise(person)
    parts = filter(None, (person_part(part, own=False) for part in name_parts(person, other_names)))
    names = (*spellings(person, other_names), *short_person_parts(person, other_names), *parts)
    assert [text[span.start : span.end] for span in find_names(text, names)] == found
