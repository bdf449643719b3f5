"""Names that mail itself defines. They are vocabulary, not content; any other name in a head is searched."""

from __future__ import annotations

from efface.formats import BY_MEDIA_TYPE

FIELDS = {
    name.lower(): name
    for name in (
        "From Sender Reply-To To Cc Bcc Subject Date Message-ID In-Reply-To References Comments Keywords "
        "Return-Path Received Delivered-To Envelope-To X-Original-To MIME-Version Content-Type "
        "Content-Transfer-Encoding Content-Disposition Content-ID Content-Description Content-Language "
        "Content-Location Content-Base Content-MD5 Content-Class Content-Length Lines Status X-Status "
        "Resent-From Resent-Sender Resent-To Resent-Cc Resent-Bcc Resent-Date Resent-Message-ID List-Id "
        "List-Help List-Subscribe List-Unsubscribe List-Unsubscribe-Post List-Post List-Owner List-Archive "
        "DKIM-Signature DomainKey-Signature ARC-Seal ARC-Message-Signature ARC-Authentication-Results "
        "Authentication-Results Received-SPF X-Google-DKIM-Signature X-Gm-Message-State X-Received "
        "Organization X-Mailer User-Agent X-Priority Priority Importance Sensitivity Precedence "
        "Auto-Submitted Errors-To Disposition-Notification-To Return-Receipt-To Thread-Topic Thread-Index "
        "X-Originating-IP X-Sender X-Spam-Status X-Spam-Level X-Spam-Flag X-Spam-Score "
        "X-Spam-Checker-Version X-Virus-Scanned X-MS-Has-Attach X-MS-TNEF-Correlator X-Attachment-Id X-UIDL "
        "X-Mozilla-Status X-Mozilla-Status2 X-Mozilla-Keys X-Accept-Language Accept-Language Followup-To "
        "Newsgroups Path Xref"
    ).split()
}
ADDRESS_FIELDS = frozenset(
    "from sender reply-to to cc bcc resent-from resent-sender resent-to resent-cc resent-bcc return-path "
    "delivered-to envelope-to x-original-to errors-to disposition-notification-to return-receipt-to "
    "x-sender".split()
)
PARAMETERS = frozenset(
    "boundary charset name filename format delsp type start start-info protocol micalg report-type method "
    "reply-type size creation-date modification-date read-date access-type expiration number total id".split()
)
DISPOSITIONS = frozenset(["inline", "attachment", "form-data"])
TRANSFER_ENCODINGS = frozenset(["7bit", "8bit", "binary", "base64", "quoted-printable"])
# Read as plain text: reports about delivery, and armoured signatures.
TEXT_TYPES = frozenset(
    "text/plain text/rfc822-headers message/delivery-status message/global-delivery-status "
    "message/disposition-notification message/feedback-report application/pgp-signature".split()
)
_MULTIPARTS = "mixed alternative related signed report digest parallel form-data appledouble encrypted"
MEDIA_TYPES = (
    frozenset(BY_MEDIA_TYPE)
    | TEXT_TYPES
    | frozenset(f"multipart/{subtype}" for subtype in _MULTIPARTS.split())
    | frozenset(["application/octet-stream", "text/text"])
)
