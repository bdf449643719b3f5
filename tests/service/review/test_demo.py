"""What `efface serve --demo` brings."""

from __future__ import annotations

from pathlib import Path

from efface.service.app import Service
from efface.service.demo import bring
from efface.service.settings import ServiceSettings


def test_a_memo_waits_for_the_reviewer_and_is_brought_once(tmp_path: Path) -> None:
    service = Service.open(ServiceSettings(home=tmp_path))
    try:
        first, second = bring(service), bring(service)
        assert first.keys() == second.keys() == {"doctor", "administrator", "researcher", "reviewer"}
        assert [(row.name, row.policy) for row in service.review_store.listed(None, 9, ["main"])] == [
            ("memo.txt", "consulting")
        ]
        [row] = service.review_store.listed(None, 9, ["main"])
        service.review_store.look(row.id)
        assert service.review_store.get(row.id).state == "held"
    finally:
        service.close()
