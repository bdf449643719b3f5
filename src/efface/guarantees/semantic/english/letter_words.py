"""Words that stand in any letter or note, whatever it is about: they are no evidence for a reader of the whole text.

Each of them alone says next to nothing of any subject, but a hundred of them add up: `asked`, `meeting` and `phone` were
removed from a note about an employee's depression. Terms and groups are still judged with them.

A word is not listed when it and its like tell something together: `job`, `work` and `apply` unemployment, `client`, `pay` and `sell`
prostitution or debt, `delivery` and `expecting` a pregnancy, `absent` an illness, `slot` gambling.
"""

from __future__ import annotations

CALENDAR = frozenset(
    """
    day week fortnight month year today yesterday tomorrow tonight morning afternoon evening night weekend hour minute time
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    """.split()
)
_VERBS = """
    ask answer explain tell say mention note write read send receive reply call show give bring take get put set keep make use need want
    hope wish thank see look find come go leave arrive return start begin finish end stop continue change agree decide plan arrange
    share offer provide help review advise discuss confirm attach enclose remind try
"""
_NOUNS = """
    letter note email phone call message report copy page name address number office desk room floor door building home
    team manager colleague item list plan schedule meeting question answer reason matter part detail
    change order form file folder document reference minute agenda lunch
"""
_OTHERS = """
    dear sir grateful glad please kind regards sincerely late early new old next previous further attached
    enclosed available clear ready possible necessary
"""
_FORMS = """
    asked asking answered explained explaining told said mentioned noted writing written reading sent sending received replied called
    showed shown giving gave given brought taking taken took got putting setting kept making made used using needed wanted hoped
    seeing saw seen looked found coming came going went leaving left arrived returned starting started beginning began finished
    ended stopped continued changed agreed decided planned arranged shared offered provided helped reviewed advised
    discussed confirmed reminded trying tried stepped
"""
LETTER_WORDS = CALENDAR | frozenset(f"{_VERBS} {_NOUNS} {_OTHERS} {_FORMS}".split())
