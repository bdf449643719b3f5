"""Software, services and goods that millions use: "log in with Okta", "a silver Vauxhall Corsa", "she watches Netflix".

Using a product identifies nobody. Working for its maker does. So the name is removed everywhere if the text speaks of
work at the maker.
"""

from __future__ import annotations

import re

from efface.core import Mention
from efface.learners.names import dictionary
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.person_words import COURTESY_TITLE

_PERSON, _FIRM = "PERSON", "ORGANIZATION"
_SOFTWARE = (
    "acrobat adobe airtable android angular ansible apache asana autocad azure bitbucket bitwarden bluetooth calendly canva "
    "chatgpt chromebook confluence cpanel datadog docker docusign dropbox drupal eclipse elasticsearch evernote excel fastapi "
    "figma firebase firefox flask fortran git github gitlab gmail gnome grafana gradle graphql hadoop hootsuite ios illustrator "
    "imagej indesign instagram intellij ipad iphone itunes java javascript jira jupyter kotlin kubernetes laravel latex lastpass "
    "libreoffice linkedin linux macbook macos mailchimp matlab microsoft miro mongodb moodle mysql netscape nextcloud nginx "
    "nodejs notepad numpy office365 okta onedrive onenote openoffice openstack outlook pandas paypal photoshop php pinterest "
    "playstation postgres postgresql powerpoint prometheus pycharm python pytorch quickbooks rabbitmq reddit redis roblox "
    "rstudio salesforce sap selenium servicenow sharepoint shopify skype slack snapchat spark splunk spotify spss sql sqlite "
    "stata stripe surveymonkey tableau teamviewer tensorflow terraform tiktok trello tumblr twitter typescript ubuntu unix "
    "vimeo vmware webex wechat whatsapp wikipedia windows wordpress workday xbox xero yahoo youtube zendesk zoom minecraft "
    "cisco ci fortnite netflix google maps teams reader kahoot duolingo airbnb uber deliveroo ebay etsy vinted tinder"
)
_GOODS = (
    "audi bmw volkswagen volvo toyota honda nissan vauxhall peugeot renault citroen skoda hyundai kia mazda subaru suzuki yamaha "
    "kawasaki mercedes fiat corsa fiesta astra qashqai polo passat corolla yaris micra clio transit focus jcb rolex adidas nike "
    "reebok levi gucci prada ikea lego playmobil pampers huggies kleenex tupperware velcro samsung huawei nokia motorola sony "
    "panasonic philips toshiba lenovo thinkpad dell epson canon nikon garmin fitbit gopro dyson bosch makita magimix nespresso "
    "guinness heineken carlsberg budweiser stella smirnoff bacardi coca cola coke pepsi fanta sprite ribena lucozade nescafe "
    "nutella marmite hovis weetabix kellogg heinz knorr oxo cadbury visa mastercard amex fairy persil nytol nurofen panadol "
    "calpol gaviscon strepsils sudafed lemsip ventolin sinemet illumina eppendorf zeiss novaseq"
)
_PRODUCTS = frozenset(f"{_SOFTWARE} {_GOODS}".split())
# People and places are called so, too: they stay only where a finder took them for a firm.
_ALSO_NAMES = frozenset(
    "alexa alpine asana bosch cadbury canon chrome dell django eppendorf fairy focus ford heinz honda jenkins kafka kawasaki kellogg "
    "kia levi mercedes miro philips polo reader sentry siri skoda slack spark sprite stella suzuki transit yamaha zeiss".split()
)
_NEXT_NAME = re.compile(rf"[ \u00a0](?P<word>{CAPITAL}[^\W\d_]+)")
_MAKER_BEHIND = re.compile(
    r"(?:['’]s)?[ \u00a0](?:employees?|staff|workers?|managers?|engineers?|executives?|offices?|headquarters|branch|stores?|plant|"
    r"factory|shareholders?|ceo|head|lawyers?|spokes\w+)\b",
    re.IGNORECASE,
)
_WORK_BEFORE = re.compile(
    r"(?<!\w)(?:(?:work(?:s|ed|ing)?|jobs?|career|post|role|director|manager|head|ceo|cfo|cto|intern\w*|engineer|apprentice\w*|"
    r"retired|redundant|sacked|fired|hired|salary|boss|colleagues?|consultant|contractor|analyst|developer|programmer|accountant|"
    r"lawyer|shares|employ(?:ed|ee|ment))\b[^.!?,;\n]{0,25} (?:for|at|of|by|from|in|to)|(?:re)?join(?:s|ed)?|left|leaving|quit|"
    r"founded|employers?\W{1,2}(?:is|was)?|sues?|sued|suing|versus|v\.?)(?: the)?[ \u00a0]?\Z",
    re.IGNORECASE,
)
# What people do and goods do not: Nike is a given name, too.
_PERSON_BEHIND = re.compile(
    r"(?:['’]s)?[ \u00a0](?:said|says|told|tells|asked|asks|felt|feels|rang|rings|wrote|writes|came|went|lives|lived|cried|smiled|"
    r"agreed|reported|denied|denies|stated|attended|complained|(?:was|is)[ ](?:seen|born|admitted|discharged|referred|married))\b"
)
_TITLE_BEFORE = re.compile(rf"(?<!\w){COURTESY_TITLE}\.?[ \u00a0]\Z")
_LOOK = 60  # characters before a mention
_SURE = 0.75  # a find this sure of a person is one: Nike and Clio are given names, Dyson and Coke surnames


def is_product(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether a mention is nothing but a product, where nobody is said to work for its maker."""
    folded = {fold_term(word) for word in words}
    known = _PRODUCTS | _ALSO_NAMES if mention.type == _FIRM else _PRODUCTS - _ALSO_NAMES
    if not folded or not folded <= known:
        return False
    if mention.type == _PERSON and (mention.score >= _SURE or not folded.isdisjoint(dictionary())):
        return False
    before = text[max(0, mention.start - _LOOK) : mention.start]
    if mention.type == _PERSON and _TITLE_BEFORE.search(before):
        return False
    if _WORK_BEFORE.search(before) or _MAKER_BEHIND.match(text, mention.end):
        return False
    if _PERSON_BEHIND.match(text, mention.end):
        return False
    beside = _NEXT_NAME.match(text, mention.end)  # "Oxo Tower" is a house
    return beside is None or fold_term(beside["word"]) in _PRODUCTS | _ALSO_NAMES
