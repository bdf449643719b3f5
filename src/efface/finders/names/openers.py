"""Words with a capital only because a line or a sentence begins with them, in other languages than English.

The readers learned from news, where nobody says "Hallo", signs with "Beijos" or notes "Llamar a Rosa": there a word that
they do not know, and that has a capital, is a name. None of these words is a given name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import WordPieces
from efface.text.folding import fold_term

Floats = npt.NDArray[np.float32]

_NEW_LINE = 2  # the gap before a word that begins a line
_MARKS = frozenset(".!?:;»«“”\"'()-–—*•>|")  # what a sentence may begin after
# Greetings and closings of letters, verbs of notes, small words, and what is said of patients. None is a name in its language.
_BY_LANGUAGE = {
    "de": "hallo hi moin servus gruezi liebe lieber guten tag gruss grusse grussen danke vielen viele herzliche herzlichst "
    "freundliche mfg anrufen bitte kopie ruckruf telefonat termin achtung betreff anbei siehe mein meine unser unsere ihr "
    "ihre wir sie ich wenn dann auch noch nur heute gestern patient patientin leukozyten kreatinin medikation labor",
    "fr": "salut bonjour bonsoir coucou chere chers cheres cordialement bises bisous amicalement merci salutations appeler "
    "rappeler voir copie objet attention suite mon mes notre nos votre vous nous je elle hier demain patient patiente "
    "creatinine antecedents traitement",
    "es": "hola buenos buenas querido querida queridos estimado estimada estimados saludos abrazo abrazos besos gracias "
    "atentamente cordialmente llamar avisar copia asunto recordar ingresa acude refiere avise mis nuestro nuestra sus yo "
    "nosotros manana paciente hemoglobina creatinina",
    "it": "ciao salve buongiorno buonasera egregio spettabile gentili saluti baci abbracci grazie cordiali distinti "
    "cordialmente chiamare avvisare vedere oggetto ricordare mio miei nostro nostra suo noi ieri domani oggi paziente "
    "emoglobina creatinina",
    "nl": "hallo hoi geachte goedemorgen goedemiddag goedendag groet groeten groetjes liefs bedankt hoogachtend bellen "
    "gebeld neem onderwerp betreft graag mijn onze wij jij hij zij gisteren vandaag kunnen kunt patient patiente "
    "paracetamol medicatie",
    "pt": "oi ola bom boa prezado prezada exmo exma beijos beijo abraco abracos obrigado obrigada cumprimentos atenciosamente "
    "ligar avisar assunto lembrar falar fale meu minha nosso nossa ontem amanha hoje paciente creatinina",
    "da": "hej kaere kære goddag hilsen hilsner knus tak husk vedr skriv vores jeg patienten",
    "no": "hei kjære kjaere hilsen hilsner klem takk mvh husk vedr skriv jeg pasient pasienten",
    "sv": "hej basta halsning halsningar tack kram kramar ring vart jag igar patienten",
    "fi": "hei terve moikka arvoisa hyva terveisin terveiset kiitos kiitoksia muista soita aihe minun eilen tanaan potilas",
    "tr": "merhaba sevgili selam selamlar degerli sevgiler saygilar saygilarimla tesekkurler tesekkur unutma annem babam bugun yarin "
    "dun",
}
_ENGLISH = "hello dear regards cheers thanks best sincerely yours kind"  # around a mail that is quoted
OPENERS = {code: frozenset(f"{words} {_ENGLISH}".split()) for code, words in _BY_LANGUAGE.items()}
_NONE: frozenset[str] = frozenset()


def without_openers(chances: Floats, words: WordPieces, texts: Sequence[str], language: str) -> Floats:
    """How probable each kind is, nothing for the words that are known to open a line or a sentence and do so here."""
    known = OPENERS.get(language, _NONE)
    places = [at for at in range(len(texts)) if _opens(at, words, texts) and fold_term(texts[at]) in known]
    if not places:
        return chances
    left = np.array(chances)
    left[places] = 0
    return left


def _opens(at: int, words: WordPieces, texts: Sequence[str]) -> bool:
    begins = not at or words.gaps[at] >= _NEW_LINE or texts[at - 1] in _MARKS
    return bool(begins and texts[at][:1].isupper())
