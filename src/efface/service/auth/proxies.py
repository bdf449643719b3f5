"""The sender's address behind proxies: believed only from those that the settings name."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from starlette.types import Scope

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")
_HOST_BITS = 64  # of an IPv6 address, which whoever has the network chooses


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
        for forwarded in reversed(_forwarded(scope)):
            found = _address(forwarded)
            if found is None:
                break
            sender = str(found)
            if not self._trusts(sender):
                break
        scope["client"] = (sender, client[1] if sender == client[0] else 0)

    def _trusts(self, address: str) -> bool:
        found = _address(address)
        if found is None:
            return False
        return any(found in network for network in self.trusted if network.version == found.version)


def one_sender(address: str) -> str:
    """What counts as one sender: an address, or with IPv6 its network. A subscriber has 2^64 addresses there."""
    found = _address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(found) >> _HOST_BITS << _HOST_BITS, 128 - _HOST_BITS)))
    return address if found is None else str(found)


def _forwarded(scope: Scope) -> list[str]:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return [each.strip() for each in ",".join(values).split(",") if each.strip()]


def _address(text: str) -> Address | None:
    """An address, with or without a port. One of IPv4 that a socket of IPv6 tells is the one of IPv4."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        found = ipaddress.ip_address(with_port[1] or with_port[2] if with_port else text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
