"""Words for classes of things that people say of a thing that they do not name: `a disease`, `a city`, `a relative`.

WordNet puts much above a word that is true and that nobody would write in its place: water is a material, a chest X-ray is
radiation, alcohol is food. Only a word of this list may stand for another one. Where none is above it, a placeholder does.
"""

from __future__ import annotations

from efface.knowledge.taxonomy.concepts import Taxonomy
from efface.knowledge.taxonomy.countability import countability

PERSON = "person"
CONDITION = "condition"

_HEALTH = """
    disease illness disorder infection condition syndrome symptom injury wound fracture tumor cancer allergy disability phobia addiction
    drug medicine antibiotic vaccine painkiller vitamin virus
    operation procedure treatment therapy vaccination
"""
_PEOPLE = """
    person child parent relative friend neighbour doctor physician surgeon nurse specialist therapist teacher
    student pupil politician writer author artist musician singer actor soldier lawyer judge priest monk
    criminal athlete customer
"""
_PLACES = """
    city town village country province river mountain lake island sea ocean continent street
    church temple hospital clinic school college university museum prison hotel restaurant shop airport
"""
_GROUPS = "company bank organization organisation agency party club team army religion sect government"
_THINGS = """
    bird fish insect dog cat horse tree flower fruit vegetable truck ship boat weapon
    book newspaper magazine letter certificate song game sport crime offence offense tax fee debt loan
    contract law language war battle election festival holiday celebration ceremony prayer ideology
"""
# Classes whose members have proper names: Lyon is a city, and Bayer is no medicine. Calvin is a person and Syria a country, but `the
# practice of a person` and `he came back from a country` say less than a placeholder, and nobody writes `in a month 2013` or `baptised at a holiday`.
NAMED_CLASSES = frozenset(
    """
    city town village river mountain lake sea ocean street
    church university company bank organization organisation agency party religion language war battle
    newspaper book disease
    """.split()
)
HEALTH_CLASSES = frozenset((*_HEALTH.split(), "mental illness"))
KIN_CLASSES = frozenset(("relative", "parent"))
PEOPLE_CLASSES = frozenset(_PEOPLE.split())
# Classes that say enough of a phrase that ends in one of their members: home oxygen is no gas.
PHRASE_CLASSES = HEALTH_CLASSES | frozenset(f"{_PEOPLE} {_PLACES} {_GROUPS}".split())
# Classes that are said of what somebody has: `her condition`, `his doctor`, and not `her ceremony`.
OWNED_CLASSES = HEALTH_CLASSES | frozenset(
    """
    person child friend neighbour doctor physician surgeon nurse specialist therapist teacher
    house school university city country religion company dog cat profession language
    """.split()
)
# What a word must be a kind of before a class of several senses is said of it: dentistry is a medicine in a dictionary only, an
# algorithm a procedure, a consonant a letter, and venison game.
_MEANT = {
    "actor": "performer",
    "bird": "animal",
    "book": "publication",
    "club": "association",
    "company": "institution",
    "contract": "written agreement",
    "disorder": "physical condition",
    "fish": "animal",
    "game": "activity",
    "infection": "ill health",
    "injury": "ill health",
    "law": "legal document",
    "letter": "text",
    "medicine": "drug",
    "operation": "medical procedure",
    "organization": "social group",
    "party": "organization",
    "procedure": "medical procedure",
    "school": "educational institution",
    "treatment": "medical care",
}
# Kinds of a class that nobody calls so.
_NEVER_CALLED = {
    "drug": ("tobacco", "dosage"),
    "medicine": ("dosage",),
    "organization": ("enterprise", "team"),  # `a family firm`
}
# Classes whose members are often not counted themselves: asthma is a disease, but personnel is no organization.
_OF_MASSES = HEALTH_CLASSES | frozenset(
    "religion ideology language sport game crime offence offense debt loan".split()
)
# Words in small letters have these classes in another sense: churches are buildings, as a rule, and the police is no agency.
_OF_NAMES_ALONE = frozenset("religion sect party city country language agency lake sea".split())
CLASS_WORDS = frozenset(f"{_HEALTH} {_PEOPLE} {_PLACES} {_GROUPS} {_THINGS}".split()) | {
    "mental illness",
    "public holiday",
}
# Heads that say enough without the noun before them (`blood tests`, `staff meeting`), beside the classes and things one can touch.
_HEADS = CLASS_WORDS | frozenset(
    """
    exam examination appointment meeting visit course programme program group centre center service report result letter call
    form card number date name question answer decision plan problem reason change test film dance car hormone payment
    """.split()
)
# Heads that say nothing without what is before them: `immune system`, `the eastern part`.
LEANING_HEADS = frozenset(
    """
    part side half end portion piece area system level rate state class order line limit age kind form term location cause
    position factor role purpose basis nature aspect amount process effect way base type north south east west
    """.split()
)
_TOUCHED = frozenset(("physical object", "substance", PERSON))
_ILL = frozenset(("illness", "disease", "disorder"))


def may_stand(taxonomy: Taxonomy, concept: int, label: str, *, is_name: bool) -> bool:
    """Whether a label may stand for a word that means the concept."""
    if label == CONDITION:
        return is_illness(taxonomy, concept)
    return label in (NAMED_CLASSES if is_name else CLASS_WORDS - _OF_NAMES_ALONE) and _is_meant(
        taxonomy, concept, label
    )


def _is_meant(taxonomy: Taxonomy, concept: int, label: str) -> bool:
    """Whether a class is said of a concept in the sense that people mean by it."""
    if label in _MEANT and not taxonomy.is_below(concept, _MEANT[label]):
        return False
    return not any(taxonomy.is_below(concept, above) for above in _NEVER_CALLED.get(label, ()))


def has_mass_members(label: str) -> bool:
    """Whether what a class names is often not counted: asthma, football, fraud."""
    return label in _OF_MASSES


def counts_alike(noun: str, label: str) -> bool:
    """Whether a class that is counted can stand for a noun: what is not counted has no members (`personnel`)."""
    return has_mass_members(label) or noun[0].isupper() or not countability().is_mass(noun)


def is_illness(taxonomy: Taxonomy, concept: int) -> bool:
    """Whether a concept is an illness of the body or the mind; a breakdown and a bump are conditions, but no illnesses."""
    return any(_ILL & {*taxonomy.names(above)} for above in taxonomy.ancestors(concept))


def are_people(taxonomy: Taxonomy, senses: tuple[int, ...]) -> bool:
    """Whether all senses are persons: a city may be a host."""
    return all(taxonomy.is_below(sense, PERSON) for sense in senses)


def is_eaten(taxonomy: Taxonomy, senses: tuple[int, ...]) -> bool:
    """Whether a sense is food or drink: beer is a drug to WordNet, and to nobody else."""
    return any(taxonomy.is_below(sense, above) for sense in senses for above in ("food", "beverage"))


def are_illnesses(taxonomy: Taxonomy, senses: tuple[int, ...]) -> bool:
    """Whether all senses are illnesses."""
    return all(is_illness(taxonomy, sense) for sense in senses)


def is_class_head(head: str) -> bool:
    """Whether a noun is the class of what phrases that end in it name: a blood test is a test."""
    return head in _HEADS


def is_beast_or_plant(taxonomy: Taxonomy, noun: str) -> bool:
    """Whether a noun means an animal or a plant first of all; with a noun before it, it may mean none: a porcelain dog."""
    return any(
        taxonomy.is_below(sense, above)
        for sense in taxonomy.senses(noun)[:1]
        for above in ("animal", "plant")
        if not taxonomy.is_below(sense, PERSON)
    )


def stands_alone(taxonomy: Taxonomy, head: str) -> bool:
    """Whether a noun says enough without the noun before it: of `bladder control` and `weight loss` the second does not."""
    if is_class_head(head):
        return True
    sense = next(iter(taxonomy.senses(head)), None)
    return sense is not None and any(
        _TOUCHED & {*taxonomy.names(above)} for above in taxonomy.ancestors(sense)
    )
