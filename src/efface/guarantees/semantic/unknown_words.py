"""Words of which nothing is known and whose shape says what they are: drugs, genes, brands, codes, abbreviations.

Neither the counts nor a taxonomy can tell what such a word discloses, and it rarely is an everyday word. Presets for special
categories remove them (`unknown: special`). An abbreviation that few documents hold means something else there as a rule: CTO
is an officer of a company in the articles, and an order of a court in a letter about a patient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from efface.text.form_codes import LABEL_CODES
from efface.text.ordinary_words import is_ordinary

# Stems of international non-proprietary names (WHO): the endings by which drugs are named.
_DRUG = re.compile(
    r"(?:vir|vudine|citabine|mab|tinib|ciclib|parib|zomib|limus|pril|sartan|statin|azole|cillin|mycin|micin|floxacin|"
    r"cycline|olol|dipine|pine|zepam|zolam|azine|idone|peridol|oxetine|traline|pramine|triptyline|triptan|setron|"
    r"prazole|tidine|gliptin|gliflozin|glutide|glitazone|formin|caine|morphone|codone|orphan|platin|rubicin|taxel|"
    r"barbital|profen|coxib|dronate|thiazide|semide|lukast|terol|tropium|sone|solone|onide|stigmine|curium|fibrate|"
    r"parin|xaban|grel|quine|bendazole|nidazole|conazole|fungin|poetin|grastim|relin|tide|tocin|feron|cept|kinra)s?$",
    re.IGNORECASE,
)
# Enzymes, operations, illnesses and those who treat them: what a laboratory and a clinic write.
_CLINICAL = re.compile(
    r"(?:(?:er|id|in|yl|ol|at|pl|ul|en|ut|am|ip|pt|ct|cl|on|ur)ase|dopa|plasty|a?emia|itis|os[ie]s|"
    r"(?:ectom|ostom|otom|oscop|opath)(?:y|ie)|algia|(?:cyt|blast|carcin|sarc|my|aden|lip|fibr|melan|lymph|gli|oste|angi|neur)oma|ologist|iatrist)s?$",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=\w*\d)(?=\w*[^\W\d_])")  # letters and digits: CYP2D6, BRCA1, B27
_INNER_CAPITAL = re.compile(r"[^\W\d_]+[A-Z]")  # PrEP, iPhone
_LEAST_LETTERS = 6  # letters of a drug's name
_ABBREVIATION = re.compile(r"[A-Z]{2,6}s?")
_PLAIN_NAME = re.compile(r"[A-Z][a-z]+(?:['’-][A-Z][a-z]+)?")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor)\.?[ \n]\Z")
_GREETED = re.compile(r"(?:Dear|Hi|Hello|Hey) [A-Z][a-z]+")  # at the beginning of a line
FEW_MEANINGS = 50  # documents: fewer do not say what an abbreviation means in a letter
# Abbreviations of any office and any ward.
_EVERYDAY = frozenset(
    """
    HR UK US USA EU UN PA PC TV IT ID CV CEO CFO MD VAT AGM FAQ PDF RSVP FYI ASAP ETA DIY GPS SMS USB DVD CD AM PM GMT BST UTC
    PS NB TBC TBA OK EOF CRM ERP KPI ISO PTA BBC CNN NATO OPEC NASA UNESCO UNICEF FIFA UEFA FC AFC RAF BA MA BSC MSC PHD MBA
    GP NHS DOB MRN GMC NMC CQC NICE WHO MRI CT ECG EKG ENT ICU ITU ER OT BP IV OPD DNA RNA CPR VIP RE CC BCC ATT PO BOX
    MR MRS MS DR ST RD AVE LTD PLC INC LLC GMBH
    """.split()
) - {"PO", "RNA", "MS"}


def is_special(surfaces: Sequence[str]) -> bool:
    """Whether a word, as its mentions spell it, has the shape of a drug, a gene, a brand or a code."""
    return any(_is_special_word(word) for surface in surfaces for word in re.findall(r"\w+", surface))


def is_addressed(text: str, start: int, end: int) -> bool:
    """Whether a word is the name of someone who is addressed: `Mr Okafor`, or a line that begins with `Hi Priya`. It looks like a
    brand, and is none."""
    if _DRUG.search(text[start:end]):
        return False
    begins_line = not text[:start].rpartition("\n")[2].strip()
    if begins_line and _GREETED.fullmatch(text, start, end):
        return True
    is_name = _PLAIN_NAME.fullmatch(text, start, end) is not None
    return is_name and _TITLE.search(text, max(0, start - 12), start) is not None


def is_abbreviation(word: str) -> bool:
    """Whether a word is an abbreviation that not every office uses; capitals of a heading (`WARD`) make none."""
    if not _ABBREVIATION.fullmatch(word) or word.lower() in LABEL_CODES:
        return False
    return word.rstrip("s") not in _EVERYDAY and not is_ordinary(word.lower())


def _is_special_word(word: str) -> bool:
    if word.lower() in LABEL_CODES:
        return False
    if _CODE.match(word) or _INNER_CAPITAL.match(word) or is_medical(word):
        return True
    # A brand, or a name; a capital that begins a sentence was taken off before.
    return word[:1].isupper() or is_medical(word)


def is_medical(word: str) -> bool:
    """Whether a word that is no everyday one ends as drugs, enzymes, operations and illnesses do."""
    shaped = _DRUG.search(word) or _CLINICAL.search(word)
    return shaped is not None and len(word) >= _LEAST_LETTERS and not is_ordinary(word.lower())
