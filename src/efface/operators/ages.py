"""Ages as they are written."""

from __future__ import annotations

import re

# Only the words of an age: text that an overlapping term brought along must not be carried over.
AGE = re.compile(
    r"(?:(?:at the )?ages?d?(?: of)?[:,]?\s?)?(?P<years>[0-9]{1,3})"
    r"(?:[\s-]?(?:years?|yrs?\.?|y)[\s/.-]?(?:of age|olds?|o\.?)?)?",
    re.IGNORECASE,
)
