"""Medical names of diseases, signs, scores and devices, and products used in wards and kitchens.

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
# Of these many patients have the name: "Murphy fracture clinic", "Lewis signs for it", "Jones dementia worse".
_FREQUENT = frozenset(
    "abbey addison allen baker barr barrett barton beck bell bennett berg bishop bowen child cobb conn cormack cullen denver down "
    "duffy edinburgh ellison epstein ewing foley fowler gilbert glasgow graves grey griffiths guthrie hamilton harris hawkins hill "
    "horner hudson hunt huntington jakob johnson jolly jones levine lewis lou lynch macintosh macpherson marie mcmurray montreal "
    "morse munro murphy nash norton osgood parker phillips rankin robertson salem sheehan sims smith stanford starr stevens still "
    "stokes swan swanson tanner tay thomas tooth turner usher wagner weber wells white williams wilson wong wright".split()
)
# After a frequent name these are said of a patient, or are verbs.
_SAID_OF_PATIENTS = re.compile(
    r"(?i)(?:['’]s?)?[ \u00a0-](?:dementia|disorder|tumou?r|contracture|encephalopathy|psychosis|ataxia|cyst|gangrene|fracture|sign|"
    r"test|scores?|staging|grad(?:e|ing)|coma|an[a]?emia|bod(?:y|ies)|triad|murmur|inventory|questionnaire|index|stain(?:ing)?|"
    r"protein|tit(?:re|er)|monitor|splint|cannula|airway|blade|wire|prosthesis|incision|strut|screws?|bolts?)s?\b"
)
# Nouns that are said of patients too stand in pairs: "Thomas pain 5/10" is a patient's.
_PAIRS = frozenset(
    "allen test|baker cyst|barton fracture|beck inventory|bennett fracture|bishop score|bishop scores|child grade|cobb angle|cullen sign|"
    "duffy antigen|ewing tumour|ewing tumor|glasgow coma|glasgow score|hamilton inventory|hawkins sign|hawkins test|jones fracture|levine sign|"
    "mcmurray test|morse score|murphy sign|norton score|rankin score|smith fracture|thomas splint|turner sign|weber fracture|weber test|"
    "wells score|wells scores|wright stain|"
    "abbey pain|argyll robertson|beck anxiety|beck depression|berg balance|bristol stool|broca area|cheyne stokes|erb palsy|fowler position|"
    "hamilton anxiety|hamilton depression|hickman line|hudson mask|lisfranc injury|parker bath|ryle tube|sengstaken tube|sims position|"
    "swan ganz|thomas test|trendelenburg position|wong baker|zimmer frame|zimmer frames|tenckhoff line|bristol chart".split(
        "|"
    )
)
# Scores that are called after people, with their result: "Waterlow 12", "Coombs was positive". "Coombs was seen" is a patient.
_SCORES = frozenset(
    "apgar barthel braden coombs holter karnofsky macpherson romberg schirmer snellen tinetti waterlow".split()
)
_RESULT = re.compile(
    r"(?i)s?[ \u00a0]?[:=(-]?[ \u00a0]?(?:(?:was|is|of|at|now|today|remains|still|calculated|assessed)[ \u00a0]){0,3}"
    r"(?:[0-9<>]|(?:pos|neg|positive|negative|normal|abnormal|intact|unchanged|nil|low|high|very high|risk|score[sd]?|scale|chart|test|"
    r"completed|updated|done|recorded|index|monitor|tape|study|signal|scan)\b)"
)
# These are hardly ever anything else, so they need no noun.
_ALONE = frozenset(
    # scores, tests and forms
    "babinski|centor|datix|dix hallpike|doppler|edinburgh postnatal|"
    "epstein barr|gcs|glasgow coma|glasgow coma scale|howell jolly|ishihara|kardex|mallampati|mantoux|phq|gad|hads|"
    "moca|rhesus|rorschach|sengstaken|valsalva|ziehl neelsen|bence jones|ehlers danlos|"
    "c diff|e coli|h pylori|staph aureus|pap|"
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
    """Whether a mention is an eponym before its noun ("Huntington" before "'s disease"), or the name of a clinical
    product or score."""
    words = _WORD.findall(_NUMBERED.sub("", fold_term(surface).replace("-", " ")).removesuffix("'s"))
    if not words:
        return False
    if " ".join(words) in _ALONE:
        return True
    if len(words) == 1 and words[0] in _SCORES and _RESULT.match(after):
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
    if _FREQUENT.issuperset(words) and _SAID_OF_PATIENTS.match(after):
        return False
    return _EPONYM_NOUN.match(after) is not None or _DEVICE_NOUN.match(after) is not None
