"""What stands behind the name of a firm by law, in folded spelling."""

from __future__ import annotations

LEGAL_FORMS = frozenset("ag bv co corp gmbh inc llc ltd nv plc sa sarl".split())
# With those that are names of people as well: Sas, Ab, Oy.
ALL_LEGAL_FORMS = LEGAL_FORMS | frozenset("ab limited llp oy pty sas srl".split())
