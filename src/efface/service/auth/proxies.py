"""The sender's address behind proxies: believed only from those that the settings name."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from starlette.types import Scope

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Proxies:
    """Addresses whose `X-Forwarded-For` counts."""

    trusted: tuple[Network, ...]

    def correct(self, scope: Scope) -> None:
        """Put the true sender's address into the scope. Each proxy adds the address it was asked from at the end of the
        list, so it is read from there, as far as the proxies are ours."""
        client = scope.get("client")
        if not self.trusted or client is None or not self._trusts(client[0]):
            return
        sender = client[0]
        for address in reversed(_forwarded(scope)):
            if not _is_address(address):
                break
            sender = address
            if not self._trusts(address):
                break
        scope["client"] = (sender, client[1] if sender == client[0] else 0)

    def _trusts(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.trusted if network.version == found.version)


def _forwarded(scope: Scope) -> list[str]:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return [each.strip() for each in ",".join(values).split(",") if each.strip()]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
