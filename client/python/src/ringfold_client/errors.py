"""What a request can end with, beside its answer."""
from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Sequence
from email.message import Message
from typing import Any

from .types import ErrorErrorDetailsItem


class RingfoldError(Exception):
    """An answer that is a refusal."""

    #: Of the request; the path without its query.
    method: str
    path: str
    #: HTTP status.
    status: int
    #: The service's code, ``CAMPAIGN_NOT_FOUND``; None: the answer has none, as the three plain messages of the
    #: outbound start, or an answer of a proxy.
    code: str | None
    #: The problems of a VALIDATION_ERROR with their paths; else empty.
    details: Sequence[ErrorErrorDetailsItem]
    #: X-Request-Id: the id of this request in the service's logs.
    request_id: str | None
    #: Seconds to wait, from Retry-After; None: there is none.
    retry_after: float | None

    def __init__(self, method: str, path: str, status: int, headers: Message, body: bytes) -> None:
        self.method, self.path, self.status = method, path, status
        self.code, message, self.details = _problem_of(body)
        self.request_id = headers.get("x-request-id")
        self.retry_after = _retry_after(headers.get("retry-after"))
        refusal = f"{status}" if self.code is None else f"{status} {self.code}"
        said = ": ".join(part for part in (f"{method} {path} answered {refusal}", message) if part)
        places = [f"{'.'.join(map(str, each['path'])) or 'body'}: {each['message']}" for each in self.details]
        super().__init__("; ".join([said, *places]))


class RingfoldConnectionError(ConnectionError):
    """No answer, or not a whole one: whether the service did the work is not known. ``__cause__`` says why."""

    method: str
    path: str

    def __init__(self, method: str, path: str, cause: object) -> None:
        super().__init__(f"{method} {path} got no whole answer: {cause}")
        self.method, self.path = method, path


def _problem_of(body: bytes) -> tuple[str | None, str, Sequence[ErrorErrorDetailsItem]]:
    """One of the two shapes of the API, or the answer of something between the client and the service."""
    try:
        answer: Any = json.loads(body)
    except ValueError:
        return None, "", []
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, str):
        return None, error, []
    if not isinstance(error, dict):
        return None, "", []
    code, message, details = error.get("code"), error.get("message"), error.get("details")
    return (
        code if isinstance(code, str) else None,
        message if isinstance(message, str) else "",
        details if isinstance(details, list) else [],
    )


def _retry_after(text: str | None) -> float | None:
    """Seconds, or an HTTP date."""
    if text is None:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
