"""Names that medicine has given to diseases, signs, scores and devices, and the products of wards and kitchens.

In "Murphy's sign", "Barthel 14/20" and "Tegaderm" nobody of the text is meant. Should a person of such a name be cut elsewhere
in it, the name goes here too.
"""

from __future__ import annotations

import re

from efface.text.folding import fold_term

# After whom something is called. With the noun behind it the name tells of no person in the text.
_EPONYMS = frozenset(
    "abbey addison adie allen alport alzheimer angelman apgar asperger babinski baker ballard bankart barr barrett barthel barton "
    "bayley beck behcet bell bence bennett berg bishop blatchford bowen braden bristol broca brudzinski brugada budd burkitt calve "
    "centor chagas charcot charnley cheyne chiari child chvostek cobb coca colles conn coombs cormack cowden creutzfeldt crohn "
    "cullen cushing danlos denver dix doppler down dravet duffy dupuytren edinburgh ehlers ellison epley epstein erb ewing fabry "
    "fallot fanconi finkelstein foley fournier fowler framingham friedreich galeazzi ganz gastaut gaucher gehrig giemsa gilbert "
    "gilles glasgow gleason goodpasture gram graves griffiths grey guedel guillain guthrie hallpike hamilton harris hashimoto "
    "hawkins heaf heimlich henoch hickman hill hirschsprung hodgkin hoehn holter homans horner howell hudson hunt huntington hurler "
    "ishihara jakob jeghers johnson jolly jones kaposi karnofsky kawasaki kell kernig kirschner klinefelter koplik korsakoff "
    "kussmaul kveim lachman lasegue legg lehane leishman lennox levine lewis lewy lhermitte likert lisfranc lou lyme lynch "
    "macintosh macpherson magill maisonneuve mallampati mantoux marfan marie mcburney mcmurray meniere monteggia montreal moro morse "
    "munchausen munro murphy nash neer neelsen nissen norton osgood paget pap papanicolaou parker parkinson perthes peutz pfannenstiel "
    "phalen phillips poirier pott prader pugh quincke rankin ranson raynaud reiter rett reye rhesus rinne robertson rockall romberg "
    "rorschach rovsing ryle sachs salem salter schatzker schilling schirmer schlatter schonlein scheuermann sengstaken sheehan sims "
    "sjogren smith snellen stanford starr stevens still stokes sturge swan swanson takayasu tanner tay tenckhoff thomas tinel tinetti "
    "tooth tourette trendelenburg trousseau turner usher valsalva virchow wagner wallenberg waterlow weber wechsler wegener wells "
    "wernicke whipple williams willi wilms wilson wolff wong wright yahr yankauer ziehl zimmer zollinger argyll barre non white".split()
)
# What is never said of a person by a name without a possessive, or is called after its discoverer with one.
_EPONYM_NOUN = re.compile(
    r"(?i)(?:['’]s?)?[ \u00a0-](?:disease|syndrome|pals(?:y|ies)|chorea|dementia|disorder|lymphoma|sarcoma|tumou?r|contracture|"
    r"thyroiditis|phenomenon|encephalopathy|psychosis|o?esophagus|purpura|aphasia|ataxia|arteritis|catheter|cyst|gangrene|"
    r"fracture|sign|test|reflex|criteria|classification|scores?|scale|staging|grad(?:e|ing)|man(?:oeuvre|euver)|"
    r"bod(?:y|ies)|coma|an[a]?emia)s?\b"
)
_DEVICE_NOUN = re.compile(
    r"(?i)[ \u00a0-](?:triad|murmur|inventory|questionnaire|index|stain(?:ing)?|antibod(?:y|ies)|antigen|protein|agar|"
    r"tit(?:re|er)|monitor|splint|cannula|airway|blade|forceps|retractor|wire|prosthesis|incision|strut|screws?|bolts?)s?\b"
)
# Nouns that are said of patients too stand in pairs: "Thomas pain 5/10" is a patient's.
_PAIRS = frozenset(
    "abbey pain|argyll robertson|beck anxiety|beck depression|berg balance|bristol stool|broca area|cheyne stokes|erb palsy|fowler position|"
    "hamilton anxiety|hamilton depression|hickman line|hudson mask|lisfranc injury|parker bath|ryle tube|sengstaken tube|sims position|"
    "swan ganz|thomas test|trendelenburg position|wong baker|zimmer frame|zimmer frames|tenckhoff line|bristol chart".split(
        "|"
    )
)
# These are hardly ever anything else, so they need no noun.
_ALONE = frozenset(
    # scores, tests and forms
    "apgar|babinski|barthel|braden|centor|coombs|datix|dix hallpike|doppler|edinburgh postnatal|"
    "epstein barr|gcs|glasgow coma|glasgow coma scale|holter|howell jolly|ishihara|kardex|karnofsky|mallampati|mantoux|phq|gad|hads|"
    "moca|must|rhesus|romberg|rorschach|schirmer|sengstaken|snellen|tinetti|valsalva|waterlow|ziehl neelsen|bence jones|ehlers danlos|"
    "macpherson|c diff|e coli|h pylori|staph aureus|pap|"
    # dressings, feeds, aids
    "allevyn|aptamil|aquacel|arjo|bovril|calogen|complan|conveen|elastoplast|ensure|ensure plus|fortijuce|fortisip|fresubin|granuflex|"
    "horlicks|inadine|jelonet|kaltostat|mepilex|opsite|ovaltine|rollator|sara stedy|sudocrem|tegaderm|tubigrip|velcro|zimmer|"
    # medicines by their trade names
    "adalat|advil|augmentin|benadryl|buscopan|calpol|cialis|coumadin|dettol|diprivan|dulcolax|eliquis|epipen|farxiga|gaviscon|"
    "humalog|humira|humulin|imodium|jardiance|keppra|klonopin|lantus|lasix|laxido|levemir|lipitor|lovenox|lyrica|motrin|movicol|narcan|"
    "neurontin|nexium|norvasc|novorapid|nurofen|oramorph|ozempic|paxil|plavix|prozac|ritalin|seretide|seroquel|sertraline|suboxone|"
    "symbicort|synthroid|tamiflu|toujeo|tylenol|valium|ventolin|viagra|voltaren|voltarol|warfarin|wegovy|wellbutrin|xanax|xarelto|zestril|"
    "zofran|zoloft|zyprexa|zyrtec|adaptil|metacam|frontline|bravecto".split("|")
)
_NUMBERED = re.compile(r"\s?[0-9]{1,2}\Z")  # "PHQ-9"
_WORD = re.compile(r"[^\W\d_]+")
_NEXT_WORD = re.compile(r"(?:['’]s?)?[ \u00a0-]([^\W\d_]+)")


def is_clinical_word(surface: str, after: str) -> bool:
    """Whether a mention is an eponym before its noun ("Huntington" before "'s disease"), or such a product or score."""
    words = _WORD.findall(_NUMBERED.sub("", fold_term(surface).replace("-", " ")).removesuffix("'s"))
    if not words:
        return False
    if " ".join(words) in _ALONE:
        return True
    follows = _NEXT_WORD.match(after)
    if follows is not None and " ".join((*words, follows[1].lower())) in _PAIRS:
        return True
    if _is_eponym(words, after):
        return True
    # The noun may be a part of the mention: "Beck Depression Inventory".
    return " ".join(words) in _PAIRS or (len(words) > 1 and _is_eponym(words[:-1], f" {words[-1]}"))


def _is_eponym(words: list[str], after: str) -> bool:
    if not _EPONYMS.issuperset(words):
        return False
    return _EPONYM_NOUN.match(after) is not None or _DEVICE_NOUN.match(after) is not None
