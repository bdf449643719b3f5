"""Ways to write values in other languages and scripts: months, years of eras, large amounts, words in other cases.

All of it is compared in folded text, so the tables are folded. Polish, Czech and Finnish cases are in `cases`: their endings
are also endings of English words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from types import MappingProxyType

from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.folding import UNSPACED, fold_term

# A letter that parts of a word are made of. In scripts without spaces every letter is a word.
LETTER = rf"[^\W{UNSPACED}]"

_MORE_MONTHS = (
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",  # Russian
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "янв февр март апр май июнь июль авг сент окт нояб дек",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",  # Ukrainian
    "януари февруари март април май юни юли август септември октомври ноември декември",  # Bulgarian
    "јануара фебруара марта априла маја јуна јула августа септембра октобра новембра децембра",  # Serbian
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",  # Romanian
    "január február március április május június július augusztus szeptember október november december",  # Hungarian
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",  # Croatian
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",  # Slovak
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",  # Slovene
    "januari februari maret april mei juni juli agustus september oktober november desember",  # Indonesian
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",  # Catalan
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",  # Estonian
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",  # Arabic
    "جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر",
    "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",  # Persian
    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",  # Hebrew
    "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",  # Hindi
)


def _months() -> dict[str, frozenset[int]]:
    """Months by their folded names. `listopada` is October in Croatian and November in Polish."""
    found = {name: {number} for name, number in MONTH_NUMBERS.items()}
    for names in _MORE_MONTHS:
        for number, name in enumerate(names.split(), 1):
            found.setdefault(fold_term(name), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in found.items()}


MONTHS = MappingProxyType(_months())

# Before a year of an era: the year before its first one.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
_IN_ERA = re.compile(
    rf"(?P<era>{'|'.join(_ERAS)})(?P<year>\d{{1,3}}|元)年 ?(?P<month>\d{{1,2}})月 ?(?P<day>\d{{1,2}})日"
)
KOREAN_DATE = r"(?P<year>\d{{4}}) ?{} ?(?P<month>\d{{1,2}}) ?{} ?(?P<day>\d{{1,2}}) ?{}".format(
    *map(fold_term, "년월일")
)
VIETNAMESE_DATE = r"(?P<day>\d{1,2}) thang (?P<month>\d{1,2}),? nam (?P<year>\d{4})"

_SCALES = {
    "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "тысячи": 3, "тысяч": 3, "тыс": 3, "тис": 3, "миллионов": 6,
    "миллиона": 6, "миллион": 6, "млн": 6, "миллиардов": 9, "миллиарда": 9, "миллиард": 9, "млрд": 9, "ألف": 3, "آلاف": 3,
    "مليون": 6, "مليار": 9, "אלף": 3, "מיליון": 6, "χιλιάδες": 3, "χιλ": 3, "εκατ": 6,
}  # fmt: skip
SCALES = {fold_term(word): zeros for word, zeros in _SCALES.items()}


def dates_of_eras(text: str) -> Iterator[tuple[int, int, str]]:
    """Dates whose year is one of an era: 昭和44年1月31日."""
    for match in _IN_ERA.finditer(text) if "年" in text else ():
        year = _ERAS[match["era"]] + (1 if match["year"] == "元" else int(match["year"]))
        try:
            yield match.start(), match.end(), date(year, int(match["month"]), int(match["day"])).isoformat()
        except ValueError:  # no such day
            continue


# Before a family name, in the cases that they have.
TITLES = frozenset(
    fold_term(word)
    for word in (
        "господин господина господину господином господине госпожа госпожи госпоже госпожу госпожой г-н г-жа "
        "доктор доктора доктору доктором профессор профессора профессору профессором пан пана пану паном пані "
        "κύριος κυρίου κύριο κύριε κυρία κυρίας δρ γιατρός "
        "السيد السيدة الدكتور الدكتورة دكتور دكتورة الأستاذ الأستاذة الشيخ والسيد والسيدة للسيد للسيدة د "
        "מר גברת דוקטור פרופסור"
    ).split()
)

# Endings of Russian and Ukrainian words, and those that the same word has in the nominative.
_ENDINGS = {
    "ого": "ый ий ой", "его": "ий", "ому": "ый ий ой", "ему": "ий", "ой": "а ая", "ей": "я а ь", "ою": "а", "ью": "ь",
    "ую": "ая", "ым": "- ый ой", "им": "ий", "ых": "- ый", "ами": "- а", "ями": "ь я", "ах": "- а", "ях": "ь я", "ам": "- а",
    "ов": "-", "ом": "- о ой", "ем": "й ь -", "у": "- а о", "ю": "й ь я", "а": "- о", "я": "й ь", "е": "- а о я й", "і": "- а я ь",
    "и": "ь я а й", "ы": "- а",
}  # fmt: skip
# The same of Greek: Παπαδόπουλου of Παπαδόπουλος, Αθήνας of Αθήνα. Accents do not matter, since words are folded.
_GREEK_ENDINGS = {
    "ου": "ος ης ας",
    "ον": "ος",
    "ο": "ος",
    "ε": "ος",
    "η": "ης",
    "α": "ας",
    "ας": "α",
    "ης": "η",
    "ων": "α ες ος",
}
_LEAST_STEM = 3  # letters that are left of a word without its ending
_CYRILLIC = re.compile(r"[\u0400-\u04ff]+")
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]+")
_ARABIC, _HEBREW = re.compile(r"[\u0600-\u06ff]+"), re.compile(r"[\u05d0-\u05ea]+")
_LEAST_WITH_PREFIX = 4  # letters of a word and the one-letter word that is written with it


def nominatives(_word: str, written: str) -> Iterator[str]:
    """Words that a Russian, Ukrainian or Greek word may be a case of: Ивановой of Иванова, Казани of Казань."""
    if _CYRILLIC.fullmatch(written):
        endings = _ENDINGS
    elif _GREEK.fullmatch(written):
        written, endings = _unaccented(written), _GREEK_ENDINGS
    else:
        return
    for ending, others in endings.items():
        stem = written.removesuffix(ending)
        if stem != written and len(stem) >= _LEAST_STEM:
            for other in others.split():
                yield fold_term(stem + other.strip("-"))


def _unaccented(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def without_prefix(_word: str, written: str) -> Iterator[str]:
    """An Arabic or Hebrew word without the "in", "and" or "to" that is written with it."""
    if len(written) < _LEAST_WITH_PREFIX:
        return
    if _ARABIC.fullmatch(written):
        if written.startswith("لل"):
            yield fold_term("ا" + written[1:])  # "to the" drops a letter
        if written[0] in "وبلفك":
            yield fold_term(written[1:])
    elif _HEBREW.fullmatch(written) and written[0] in "בלמהוכש":
        yield fold_term(written[1:])
