"""The demo in the service: the hospital with its policy, database, documents and people, and a memo to review."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files

from efface.demo import DOCUMENTS, VIEWERS, bring_consultancy, create_hospital_database
from efface.service.app import Service
from efface.service.auth.identity import Identity, allowed

FOLDER = "hospital"


def bring(service: Service) -> dict[str, str]:
    """A token for each of the hospital's people. What is there already stays; tokens are new each time."""
    with as_file(files("efface.demo").joinpath("hospital")) as hospital:
        policies = service.settings.policies
        database = policies / "hospital.db"
        if not database.exists():
            create_hospital_database(database)
        if not (policies / "hospital.yaml").exists():
            shutil.copyfile(hospital / "hospital.yaml", policies / "hospital.yaml")
        if FOLDER not in service.repository.folders():
            service.repository.put_folder(FOLDER, "hospital")
            for name in DOCUMENTS:
                service.repository.add(FOLDER, name, (hospital / name).read_bytes())
    if not (policies / "consulting.yaml").exists():
        bring_consultancy(policies)
        reviewer = Identity("reviewer", "reviewer", "reviewer", allowed("reviewer"), "demo")
        service.review_store.add(reviewer, "consulting", "memo.txt", (policies / "memo.txt").read_bytes())
    issued: dict[str, str] = {}
    for name, role in {**dict.fromkeys(VIEWERS, "reader"), "reviewer": "reviewer"}.items():
        if service.people.get(name) is None:
            service.people.put(name, role)
        issued[name] = service.people.issue(name, label="demo", days=7)[1]
    return issued
