"""The small words without which hardly a sentence of a language is written: articles, pronouns, prepositions, forms of "be" and "have".
Beside them the words that open lines of letters and notes in other languages than English.

Finnish and Turkish put endings where other languages put small words, so they have none here.
"""

from __future__ import annotations

from collections.abc import Mapping

_LISTED = {
    "de": """
    aber als am an auch auf aus bei bin bis bitte da dann das dass dem den denn der des die dir doch du durch
    ein eine einem einen einer er es für gegen haben hat hatte heute ich ihm ihn ihr ihre im in ist ja kann
    kein keine mehr mein meine mich mir mit nach nicht noch nur oder ohne schon sein seine seit sich sie sind
    so um und uns unser unter vom von vor war waren was wenn werden wie wieder wir wird worden wurde wurden zu
    zum zur zwei über
    """,
    "fr": """
    afin ai après au aussi aux avec avez avoir bien ce cela ces cet cette chez comme dans de depuis des deux
    donc du elle en entre est et fait il ils je la le les leur lui ma mais me merci mes mon même ne nos notre
    nous on ont ou où par pas plus pour qu que qui sa sans se ses si son sont sous sur ta tous tout très tu un
    une vos votre vous y à été être
    """,
    "es": """
    a al algo como con cuando de del desde donde dos el ella en entre era es esta este esto fue ha hace han
    hasta hay la las le les lo los me mi mis muy más ni no nos o para pero por porque que qué se ser si sin
    sobre son su sus sí también te tiene todo tu un una y ya yo
    """,
    "it": """
    a ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dopo due e era essere
    fino fra gli ha hanno ho i il in io la le lei lo loro lui ma mi mia mio ne nei nel nella non o per però
    più quando questa questo se si sia sono sta su sua sul sulla suo suoi tra tutti un una uno è
    """,
    "nl": """
    aan al als ben bij daar dan dat de deze die dit door een en er gaan geen had hebben heeft het hij hoe hun
    ik in is ja je kan kunt maar me meer met mijn moet na naar niet nog nu of om onder ons ook op over te tot
    u uit uw van voor waar want was wat we wel werd wij wil wilt worden wordt zal ze zich zij zijn zo
    """,
    "pt": """
    a ao aos as até com como da das de dela dele depois do dois dos e ela ele em entre era essa esse esta este
    está eu foi há isso já lhe mais mas me mesmo meu minha muito na nas no nos não o os ou para pela pelo por
    porque quando que quem se sem ser seu sua são só também te tem um uma você é
    """,
    "da": """
    af alle at da de dem den der deres det dig din du efter eller en er et for fra få går ham han har havde
    hende her hun hvis hvor i ikke ind jeg kan kom kun man med meget men mig min mit nu når og om op os over
    på sig sin skal som så til ud under var ved vi vil være
    """,
    "sv": """
    alla att av blev bli de dem den deras det detta dig din dock du då efter eller en ett från får för ha hade
    han har henne hon i ingen inte jag kan kom kunna man med men mig min mot mycket ni nu när och om oss på
    sedan sig sin ska skulle som så till under upp ur var varit vi vid vill är över
    """,
    "no": """
    alle at av ble bli da de dem den der deres det dette dig din du eller en er et etter for fra få går hadde
    ham han har henne her hun hva hvis hvor i ikke inn jeg kan kom kun man med meg meget men min mot nå når og
    om opp oss over på seg sin skal som så til under ut var ved vi vil være
    """,
    "en": """
    a about after all also am an and any are as at be been before but by can could did do does for from get
    had has have he her him his how i if in into is it its just me more my no not now of off on one or our out
    over own re s she so some t than that the their them then there they this to too two up us was we were
    what when which who will with would you your
    """,
}
FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _LISTED.items()
}


# What opens a line or a sentence in letters and notes ("Hallo", "Beijos", "Llamar"): greetings and closings of
# letters, verbs of notes, small words, and what is said of patients. None is a name in its language.
_OPENERS_OF = {
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
OPENERS = {code: frozenset(f"{words} {_ENGLISH}".split()) for code, words in _OPENERS_OF.items()}
