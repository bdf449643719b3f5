"""Days that have a name of their own: feasts of churches and holidays of states. Most people who read one know its date."""

from __future__ import annotations

import re

_YEAR = r"(?:,? (?:de |del )?(?:1[89]|20)[0-9]{2})?"
_FEASTS = (
    # English
    "(?:Palm|Easter|Whit|Trinity|Advent|Mothering|Remembrance) Sunday",
    "(?:Easter|Whit|Plough|Rose) Monday",
    "Shrove Tuesday",
    "Pancake Day",
    "Ash Wednesday",
    "(?:Maundy|Holy) Thursday",
    "Good Friday",
    "Holy Saturday",
    "Whitsun(?:tide)?",
    "(?:Ascension|Boxing|Armistice|Remembrance|Australia|Anzac|Labor|Memorial|Independence|Columbus|Veterans|Lady|May) Day",
    "(?:May|August|Easter|Whit|spring|summer) [Bb]ank [Hh]oliday",
    "(?:New Year|Presidents|Mother|Father|Valentine)['’]?s['’]? (?:Day|Eve)",
    "Michaelmas",
    "Candlemas",
    "Hogmanay",
    "Burns Night",
    "Bonfire Night",
    "Halloween",
    "Thanksgiving",
    "Fourth of July",
    "(?:St|Saint)\\.? (?:Patrick|George|David|Andrew|Stephen|Swithin)['’]s (?:Day|Eve)",
    "(?:Chinese|Lunar|Orthodox|Jewish) New Year",
    "Diwali",
    "Eid(?: al-(?:Fitr|Adha))?",
    "Ramadan",
    "Passover",
    "Yom Kippur",
    "Rosh Hashanah",
    "Hanukkah",
    # German
    "(?:Grün|grün)donnerstag",
    "Kar(?:freitag|samstag|woche)",
    "(?:Oster|Pfingst)(?:samstag|sonntag|montag|wochenende)",
    "(?:Ostern|Pfingsten|Fronleichnam|Allerheiligen|Allerseelen|Heiligabend|Silvester|Neujahr|Totensonntag|Palmsonntag)",
    "(?:Christi|Mariä) Himmelfahrt",
    "(?:Rosenmontag|Faschingsdienstag|Aschermittwoch|Reformationstag)",
    # French
    "(?:[Ll]undi|[Dd]imanche|[Mm]ardi|[Jj]eudi|[Vv]endredi|[Ss]amedi) (?:de |de la |de l['’])?(?:Pâques|Pentecôte|Ascension|[Ss]aint|[Gg]ras)",
    "[Mm]ercredi des [Cc]endres",
    "[Dd]imanche des [Rr]ameaux",
    "(?:Pâques|Pentecôte|Toussaint|Chandeleur|Saint-Sylvestre)",
    "(?<=l['’])(?:Ascension|Assomption|Épiphanie)",
    # Spanish and Portuguese
    "(?:[Ll]unes|[Mm]artes|[Mm]iércoles|[Jj]ueves|[Vv]iernes|[Ss]ábado|[Dd]omingo) (?:Santo|de Pascua|de Ramos|de Resurrección|de Gloria|de Ceniza)",
    "(?:Semana Santa|Nochebuena|Nochevieja|Año Nuevo|Todos los Santos|Corpus Christi|Pentecostés)",
    "(?<=del )Corpus",
    "(?<=[Dd]ía de )(?:Reyes|la Hispanidad|los Difuntos|los Inocentes)",
    "(?:Sexta-feira Santa|Quarta-feira de Cinzas|Corpo de Deus|Páscoa|Todos os Santos|Pentecostes)",
    # Italian
    "(?:Pasqua|Pasquetta|Ferragosto|Ognissanti|Epifania|Capodanno|Corpus Domini|Pentecoste)",
    "(?:[Ll]unedì dell['’]Angelo|[Dd]omenica delle Palme|[Vv]enerdì [Ss]anto|[Gg]iovedì [Ss]anto|[Mm]ercoledì delle [Cc]eneri)",
    "(?<=l['’])Ascensione",
    # Dutch
    "(?:Goede Vrijdag|Pasen|Pinksteren|Hemelvaart(?:sdag)?|Koningsdag|Bevrijdingsdag|Palmzondag)",
    "(?:Paas|Pinkster|paas|pinkster)(?:zondag|maandag|zaterdag)",
)
FEAST_DAY = re.compile(rf"(?=[A-Zdgjlmpsv])(?<![\w-])(?:{'|'.join(_FEASTS)})(?![\w-]){_YEAR}")
