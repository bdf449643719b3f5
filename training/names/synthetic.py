"""Sentences made from templates and drawn values, for forms of text that the sources hardly have.

Headings, signatures, forms, salutations, mail in lower case, names that are words, names of many countries.
Half of the templates are Presidio's (those of the training part), half are ours.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from faker import Faker

Span = tuple[int, int, str]

_FIELD = re.compile(r"\{\{?(\w+)\}?\}")
_LOCALES = (
    "en_US en_US en_GB en_GB de_DE fr_FR es_ES it_IT pl_PL tr_TR nl_NL sv_SE pt_BR cs_CZ fi_FI hu_HU ro_RO "
    "da_DK no_NO hr_HR en_IN en_AU es_MX lt_LT sl_SI vi_VN id_ID"
).split()
# Names that are also words: only what stands around them says which.
_WORDY = (
    "He Will May Brown Mark Grace Hope Faith Joy Rose Summer April June Bill Rob Frank Grant Chase Hunter Page "
    "Art Pat Drew Dawn Eve Iris Jack Jade Lily Mason Olive Penny Ray Rich Robin Ruby Sandy Sky Victor Violet "
    "Young Long Short White Black Green Gray King Bishop Pope Cook Baker Price Rice Day Knight Love Moon Park "
    "Stone Wood Wells Rivers Banks Fields Best Good Small Sharp Strong Bush Church Case Major Major Law Li An "
    "Do So Long Wang Ma Bo Yu Ho Song Sun Sung Lam Chan Ng Oh Kim Min Han"
).split()
_CHINESE = "Li Wang Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie".split()
_CHINESE_GIVEN = (
    "Wei Fang Na Min Jing Lei Qiang Jun Yang Yong Yan Jie Juan Tao Ming Chao Xia Ping Gang Hua Ying".split()
)
_ARABIC = (
    "Mohammed Ahmed Fatima Omar Yusuf Hassan Hussein Khalid Ibrahim Mariam Aisha Abdullah Mustafa Zainab Tariq "
    "Samir Nadia Layla Karim Rashid al-Masri al-Hashimi al-Sayed Haddad Khoury Mansour Nasser Saleh Farouk Aziz"
).split()
_AFRICAN = (
    "Chinedu Ngozi Emeka Ifeoma Kwame Kofi Amara Abena Oluwaseun Adebayo Okafor Okonkwo Mensah Boateng Nkosi "
    "Dlamini Mokoena Wanjiru Kamau Otieno Tesfaye Bekele Diallo Traore Camara Ndiaye"
).split()
_INDIAN = (
    "Rao Priya Anil Sharma Gupta Patel Singh Kumar Lakshmi Deepak Iyer Nair Reddy Sanjay Meena Arjun Kavita "
    "Chatterjee Banerjee Mukherjee Desai Mehta Joshi Krishnan Venkatesh Srinivasan Anand Ramesh Sunita"
).split()
_HOSPITALS = (
    "{city} General Hospital|St. {first} Hospital|{last} Memorial Hospital|{city} Medical Center|{last} Clinic|"
    "University Hospital {city}|{city} Children's Hospital|Mount {last} Hospital|{city} Cancer Institute"
).split("|")
_FIRMS = (
    "{last} & {last}|{last}, {last} and {last} LLP|{last} Ltd|{last} Inc.|{city} Bank|{last} Group|{last} Holdings|"
    "University of {city}|{city} University|{last} Industries GmbH|{city} Police Department|Ministry of {sector}|"
    "{last} Technologies|Bank of {country}|{city} Chamber of Commerce|{last} Foundation|{last} Brothers|"
    "{city} City Council|{city} {sector} Authority|{last} {sector} Partners|{last} AG|{last} S.p.A.|{city} FC|"
    "Department of {sector}|{country} {sector} Agency|First National Bank of {city}|{last} College|{last} Airlines"
).split("|")
_KNOWN_FIRMS = (
    "Barclays Deloitte KPMG Google Microsoft Amazon Siemens Toyota Samsung Novartis Pfizer Shell BP HSBC Citigroup "
    "Unilever Nestlé IKEA Accenture Oracle IBM Intel Boeing Airbus Lufthansa Vodafone Reuters Bloomberg NASA FBI "
    "Interpol Unicef Greenpeace Starbucks Walmart Tesco Lloyds Santander Allianz AXA Bayer BASF Renault Fiat Nokia "
    "Ericsson Volvo Philips Heineken Carlsberg Lego Maersk Equinor Gazprom Tencent Alibaba Huawei Sony Honda Nissan "
    "Infosys Tata Wipro Reliance Medicare Enron Chevron ExxonMobil Goldman JPMorgan UBS"
).split()
_SECTORS = "Health Finance Defence Education Justice Transport Energy Labour Agriculture Trade Housing Culture".split()
_NATIONS = (
    "American British German French Turkish Polish Dutch Italian Spanish Greek Swedish Norwegian Danish Finnish "
    "Chinese Japanese Korean Indian Pakistani Nigerian Kenyan Egyptian Syrian Iraqi Iranian Russian Ukrainian "
    "Mexican Brazilian Canadian Australian Irish Scottish Welsh Kurdish Jewish Muslim Catholic Christian Hindu "
    "Buddhist Sikh Protestant Sunni Shia Republican Democrat Romanian Bulgarian Hungarian Czech Austrian Swiss"
).split()

# A field in brackets is a value: its type is in `KINDS`. `~` stands for a new line.
OURS = tuple(
    filter(
        None,
        r"""
Patient {wordy} was seen by {person} in {city}.
Patient {last} was seen by Dr. {last} at {hospital} on {date}.
Patient: {person}~DOB: {date}~Attending: {doctor}~Location: {city}
PATIENT NAME: {person}~MRN: {number}~PHYSICIAN: {doctor}
Name: {reversed}~Date of birth: {date}~Nationality: {nation}
Dear {titled},~~Thank you for your letter of {date}. I saw {first} in my clinic today.~~Yours sincerely,~~{doctor}
Dear {first},~~Thanks for coming to {city} last week.~~Best,~{first}
hi {first},~~can you call {first} about the meeting in {city}? thanks~~{first}
hey {first}, did {first} from {org} get back to you?
thanks {first}. will talk to {wordy} tomorrow
From: {person} <{handle}@example.com>~To: {person}~Subject: visit to {city}
From: {reversed}~Sent: {date}~To: {reversed}; {reversed}~Cc: {reversed}~Subject: contract
-----Original Message-----~From: {person}~Sent: {date}~To: {person}~Subject: RE: {org}
Regards,~~{person}~{org}~{city}, {country}
Best regards~{initialed}~Senior Counsel~{org}
Cheers,~{first}
> On {date}, {person} wrote:~> I think {first} is right.
{org} hired {org} to audit its {city} office after {person} resigned.
{org} said {date} that {person}, its chief executive, will step down.
{person} and {person} married in {city} in {year}.
{titled} lives in {city}, {country}, with his wife {first} and their children {first} and {first}.
{last} told police that {last} had left {city} on {date}.
The applicant, {titled}, is a {nation} national who was born in {year} and lives in {city}.
{initialed} was represented before the Court by {titled}, a lawyer practising in {city}.
Interview with {person} ({initials}), {city}, {date}.
{initials}: Where were you born?~{initials}: In {city}.
{upper} v. {upper}
IN THE MATTER OF {upper}~~BEFORE: {upper}, JUDGE
WITNESS STATEMENT OF {upper}
{person}, {person} and {person} were present. Apologies: {person}.
Minutes taken by {first} {last}. Next meeting at {org}, {city}.
{wordy} will see {wordy} in {month} if {wordy} may come.
I think {wordy} may be late; {wordy} said so.
May I ask whether {wordy} {last} has been told?
Will {wordy} come? {wordy} {last} will know.
Ms. {wordy} said that she may ask Mr. {wordy}.
Nurse {last} gave {last} 20 mg at 8 am; Dr {last} was informed.
Mr. {last} is a {age}-year-old man from {city} with diabetes.
{person} is a {age} year old {nation} woman who presents with chest pain.
[doctor] hi {lfirst} , how are you ?~[patient] i'm good , doctor {llast} .
[doctor] hey {lfirst} , nice to see you again . so {lfirst} is a {age}-year-old male here for follow-up .
[doctor] {lfull} , date of birth 4/7/61 . {lfirst} is here for knee pain .
hey dragon , this is a progress note for {lfull}
History: {last} denies fever. Assessment: {last} has pneumonia.
referred by dr {llast} at {lhospital}
Emergency contact: {person} (sister), {phone}
Next of kin: {person}, {street}, {city}
{street}~{city}, {country}
Please send it to {person}, {street}, {city} {zip}.
Ship to:~{person}~{org}~{street}~{city} {zip}~{country}
My address is {street}, {city}.
i live at {street} in {city}
Flight from {city} to {city} via {city}, passenger {airline}.
Signed: {person}~Witness: {person}~Place: {city}
Student: {reversed}; teacher: {titled}; school: {last} College
Account holder {person} of {city} transferred EUR 4,000 to {org}.
Invoice no. {number} for {org}, attention {person}.
According to {person} of {org}, {country} will sign in {month}.
The {nation} embassy in {city} denied a visa to {person}.
{person}'s report and {last}'s reply were published by {org}.
Professor {person} ({org}) has reviewed the {nation} data.
@{handle} thanks {first}! see you in {city}
{first}, {first} & {first} at the {city} meetup
Call {first} on {date} or {person} in the {city} office.
Employee {reversed}, {org}, hired {date}, manager {person}.
The will was read by {person}; the estate went to {first} and {first}.
In the summer we grow rose, lily and violet; the brown hunter and the cook may have a price.
He said he will do so in May. So long, and thanks.
The case may be long; the court will grant the price of rice.
The court noted that the law may not apply. No one will ask for more.
Please find attached the report. Let me know if you have any questions.
Blood pressure 120/80, heart rate 72. Denies chest pain or shortness of breath.
The Committee considers that Article 6 of the Convention applies.
Table 3 shows the results for the second quarter.
Turn right after the bridge and park beside the church.
""".strip().splitlines(),
    )
)


def template_key(template: str) -> str:
    """A template without the ways of writing it."""
    return re.sub(r"\W+", " ", template.lower()).strip()


class Values:
    """Draws values for fields. Names come from Faker's locales and from the name lists of Minkov et al."""

    def __init__(self, data: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        names = data / "ner/names"
        self.firsts = [n.title() for n in (names / "firstNames.txt").read_text().split()]
        self.lasts = [n.title() for n in (names / "lastNames.txt").read_text().split()]
        for locale in _LOCALES:
            _faker(locale).seed_instance(seed)

    @property
    def _faker(self) -> Faker:
        return _faker(self.rng.choice(_LOCALES))

    def first(self) -> str:
        draw = self.rng.random()
        if draw < 0.45:
            return self.rng.choice(self.firsts[: 1200 if draw < 0.3 else None])
        if draw < 0.8:
            return self._faker.first_name()
        pools = (_CHINESE_GIVEN, _ARABIC[:20], _AFRICAN, _INDIAN, _WORDY[:40])
        return self.rng.choice(self.rng.choice(pools))

    def last(self) -> str:
        draw = self.rng.random()
        if draw < 0.5:
            return self.rng.choice(self.lasts[: 2000 if draw < 0.25 else None])
        if draw < 0.8:
            return self._faker.last_name()
        pools = (_CHINESE, _ARABIC[20:], _AFRICAN, _INDIAN, _WORDY[40:])
        return self.rng.choice(self.rng.choice(pools))

    def wordy(self) -> str:
        return self.rng.choice(_WORDY)

    def person(self) -> str:
        draw = self.rng.random()
        if draw < 0.1:
            return f"{self.rng.choice(_CHINESE)} {self.rng.choice(_CHINESE_GIVEN)}"
        if draw < 0.18:
            return f"{self.wordy()} {self.last()}"
        if draw < 0.24:
            return f"{self.first()} {self.rng.choice(['van der', 'de', 'von', 'al', 'El', 'bin', 'di'])} {self.last()}"
        if draw < 0.32:
            return f"{self.first()} {self.rng.choice('ABCDEFGHJKLMNPRSTW')}. {self.last()}"
        if draw < 0.36:
            return f"{self.first()} {self.last()}-{self.last()}"
        if draw < 0.40:
            return f"{self.first()} {self.first()} {self.last()}"
        return f"{self.first()} {self.last()}"

    def initialed(self) -> str:
        letters = "ABCDEFGHIJKLMNOPRSTVWZ"
        one = f"{self.rng.choice(letters)}."
        return (
            f"{one}{self.rng.choice(['', ' ', f'{self.rng.choice(letters)}.', ' '])} {self.last()}".replace(
                "  ", " "
            )
        )

    def initials(self) -> str:
        a, b = self.rng.sample("ABCDEFGHIJKLMNOPRSTVWZ", 2)
        return self.rng.choice([f"{a}.{b}.", f"{a}{b}", f"{a}. {b}."])

    def titled(self) -> str:
        title = self.rng.choice(
            "Mr Mr. Mrs Mrs. Ms Ms. Dr Dr. Prof. Professor Sir Judge Miss Herr Frau Sister".split()
        )
        return f"{title} {self.rng.choice([self.last, self.person, self.initialed])()}"

    def doctor(self) -> str:
        return self.rng.choice(
            [f"Dr. {self.last()}", f"{self.person()}, MD", f"Dr {self.person()}", self.person()]
        )

    def city(self) -> str:
        return self._faker.city() if self.rng.random() < 0.7 else self.rng.choice(_CITIES)

    def country(self) -> str:
        return _faker("en_US").country()

    def org(self) -> str:
        if self.rng.random() < 0.35:
            return self.rng.choice(_KNOWN_FIRMS)
        return self._filled(self.rng.choice(_FIRMS))

    def hospital(self) -> str:
        return self._filled(self.rng.choice(_HOSPITALS))

    def _filled(self, pattern: str) -> str:
        draw: dict[str, Callable[[], str]] = {
            "city": self.city,
            "first": self.first,
            "last": self.last,
            "country": self.country,
            "sector": lambda: self.rng.choice(_SECTORS),
        }
        return re.sub(r"\{(\w+)\}", lambda match: draw[match.group(1)](), pattern)

    def date(self) -> str:
        day = _faker("en_US").date_object()
        form = self.rng.choice(
            [
                "%d %B %Y",
                "%B %d, %Y",
                "%m/%d/%Y",
                "%Y-%m-%d",
                "%d.%m.%Y",
                "%d %b %Y",
                "%A",
                "%b %d",
                "%B %Y",
                "%d/%m/%y",
            ]
        )
        return day.strftime(form)

    def street(self) -> str:
        address = self._faker.street_address()
        if self.rng.random() < 0.25:
            address += self.rng.choice([", ", " ", "\n "]) + self.rng.choice(
                ["Apt. ", "Suite ", "Flat ", "Unit ", "#"]
            )
            address += str(self.rng.randint(1, 999))
        return address

    def address(self) -> str:
        fake, split = self._faker, self.rng.choice([", ", "\n", " ", "\n "])
        street = f"{fake.building_number()} {fake.street_name()} {fake.building_number()}"
        street = self.rng.choice([street, self.street()])
        if self.rng.random() < 0.3:
            street += f"{split}{self.rng.choice(['Suite', 'Apt.', 'Flat'])} {self.rng.randint(1, 999)}"
        tail = self.rng.choice([self.country(), _faker("en_US").state_abbr(), ""])
        return f"{street}{split}{self.city()}{split}{tail} {fake.postcode()}".strip()


_CITIES = (
    "Nashville London Paris Berlin Singapore Tokyo Istanbul Ankara Warsaw Oslo Vienna Zurich Geneva Madrid Rome Athens "
    "Houston Dallas Chicago Boston Denver Seattle Austin Portland Toronto Sydney Mumbai Delhi Lagos Nairobi Cairo "
    "Baghdad Damascus Kabul Tehran Moscow Kyiv Beijing Shanghai Seoul Manila Jakarta Lima Bogota Caracas"
).split()


@lru_cache(maxsize=64)
def _faker(locale: str) -> Faker:
    return Faker(locale)


def sampled(values: Values, templates: list[str]) -> tuple[str, list[Span], list[Span]]:
    """One filled template with its spans, and the stretches that are left open."""
    template = values.rng.choice(templates).replace("~", "\n").replace("\\n", "\n")
    text, spans, left_open, last = "", [], [], 0
    for match in _FIELD.finditer(template):
        text += template[last : match.start()]
        last = match.end()
        kind, draw = FIELDS[match.group(1)]
        value = draw(values)
        if kind.startswith("OPEN-"):
            left_open.append((len(text), len(text) + len(value), kind[5:]))
        elif kind:
            spans.append((len(text), len(text) + len(value), kind))
        text += value
    return text + template[last:], spans, left_open


def presidio_templates(path: Path, is_train: Callable[[str], bool]) -> Iterator[str]:
    """Presidio's templates whose values we can draw, of the training part."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and is_train(line) and all(name in FIELDS for name in _FIELD.findall(line)):
            yield line


def _digits(values: Values, count: int) -> str:
    return "".join(values.rng.choices("0123456789", k=count))


FIELDS: dict[str, tuple[str, Callable[[Values], str]]] = {
    **dict.fromkeys(("person", "name", "name_male", "name_female"), ("PERSON", Values.person)),
    **dict.fromkeys(
        ("first", "first_name", "first_name_male", "first_name_female", "first_name_nonbinary"),
        ("PERSON", Values.first),
    ),
    **dict.fromkeys(("last", "last_name", "last_name_male", "last_name_female"), ("PERSON", Values.last)),
    "wordy": ("PERSON", Values.wordy),
    "doctor": ("PERSON", Values.doctor),
    "titled": ("PERSON", Values.titled),
    "initialed": ("PERSON", Values.initialed),
    "initials": ("PERSON", Values.initials),
    "reversed": ("PERSON", lambda v: f"{v.last()}, {v.first()}"),
    "upper": ("PERSON", lambda v: v.person().upper()),
    "lfirst": ("PERSON", lambda v: v.first().lower()),
    "llast": ("PERSON", lambda v: v.last().lower()),
    "lfull": ("PERSON", lambda v: f"{v.first()} {v.last()}".lower()),
    "airline": ("PERSON", lambda v: f"{v.last()}/{v.first()}".upper()),
    "city": ("LOCATION", Values.city),
    "country": ("LOCATION", Values.country),
    "state_abbr": ("LOCATION", lambda _: _faker("en_US").state_abbr()),
    "street": ("ADDRESS", Values.street),
    "address": ("ADDRESS", Values.address),
    "street_name": ("ADDRESS", lambda v: v._faker.street_name()),
    "building_number": ("ADDRESS", lambda v: v._faker.building_number()),
    "secondary_address": ("ADDRESS", lambda v: f"{v.rng.choice(['Suite', 'Apt.'])} {v.rng.randint(1, 999)}"),
    **dict.fromkeys(("zip", "zipcode", "postcode"), ("ADDRESS", lambda v: v._faker.postcode())),
    **dict.fromkeys(("org", "organization"), ("ORGANIZATION", Values.org)),
    "hospital": ("ORGANIZATION", Values.hospital),
    "lhospital": ("ORGANIZATION", lambda v: v.hospital().lower()),
    **dict.fromkeys(("date", "date_of_birth", "date_time", "day_of_week"), ("DATE_TIME", Values.date)),
    "month": ("DATE_TIME", lambda _: _faker("en_US").month_name()),
    "year": ("DATE_TIME", lambda v: str(v.rng.randint(1920, 2025))),
    "age": ("OPEN-ANY", lambda v: str(v.rng.randint(1, 99))),
    **dict.fromkeys(("nation", "nationality"), ("NRP", lambda v: v.rng.choice(_NATIONS))),
    "number": ("CODE", lambda v: _digits(v, v.rng.randint(5, 9))),
    "credit_card_number": ("CODE", lambda v: _digits(v, 16)),
    "iban": ("CODE", lambda _: _faker("de_DE").iban()),
    "ssn": ("CODE", lambda _: _faker("en_US").ssn()),
    "phone": ("OPEN-CODE", lambda _: _faker("en_US").phone_number()),
    "phone_number": ("OPEN-CODE", lambda v: v._faker.phone_number()),
    "email": ("OPEN-CODE", lambda _: _faker("en_US").email()),
    "url": ("OPEN-CODE", lambda _: _faker("en_US").url()),
    "ip_address": ("OPEN-CODE", lambda _: _faker("en_US").ipv4()),
    "handle": ("OPEN-ANY", lambda _: _faker("en_US").user_name()),
    **dict.fromkeys(
        ("prefix_male", "prefix_female", "prefix"),
        ("OPEN-PERSON", lambda v: v.rng.choice(["Mr.", "Mrs.", "Dr."])),
    ),
    "job": ("", lambda _: _faker("en_US").job()),
}
