"""Verifies webhooks."""
from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Literal, Union

from .types import WebhookEvent

WebhookRefusal = Literal["missing_header", "timestamp_too_far_off", "wrong_signature"]

_TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    """The request is not to be trusted. Answer it with 401."""

    reason: WebhookRefusal

    def __init__(self, reason: WebhookRefusal) -> None:
        super().__init__(f"The webhook is not to be trusted: {reason.replace('_', ' ')}")
        self.reason = reason


def verify_webhook(
    *, secret: str, headers: Mapping[str, str], body: Union[bytes, str], now: float | None = None
) -> WebhookEvent:
    """
    What a webhook says. Raises a WebhookError when a header is missing, when the timestamp is more than 5 minutes
    away from ``now`` (seconds; the machine's time unless given), or when the signature is wrong (compared in
    constant time). While a rotated secret lives beside the new one, both are good.

    ``body``: as it was received, before any JSON was parsed. Names of ``headers`` in any case. The same event may
    come more than once: ``data["eventId"]`` tells.
    """
    signature, timestamp = (_header(headers, name) for name in ("x-service-signature", "x-service-timestamp"))
    if signature is None or timestamp is None:
        raise WebhookError("missing_header")
    seconds = time.time() if now is None else now
    if not timestamp.isdecimal() or abs(seconds - float(timestamp) / 1_000) > _TOLERANCE_SECONDS:
        raise WebhookError("timestamp_too_far_off")
    raw = body.encode() if isinstance(body, str) else body
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest()
    expected = f"sha256={digest}".encode()
    given = (signature, _header(headers, "x-service-signature-next") or "")
    if not any([hmac.compare_digest(each.encode(), expected) for each in given]):
        raise WebhookError("wrong_signature")
    event: WebhookEvent = json.loads(raw)
    return event


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """None: it is missing, or there more than once."""
    found = [value for key, value in headers.items() if key.lower() == name]
    return found[0] if len(found) == 1 else None
