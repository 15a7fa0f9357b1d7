"""When a request that failed is sent again."""
from __future__ import annotations

import random

from .errors import RingfoldConnectionError, RingfoldError

_FIRST_SECONDS = 0.5
_LONGEST_SECONDS = 8.0
#: A longer Retry-After is told at once.
_MOST_RETRY_AFTER = 60.0
#: The service, or a proxy before it, failed: whether the work was done is not known.
_FAILED = (500, 502, 503, 504)
#: Refused before anything was done.
_TOO_MANY = 429


def retry_delay(error: Exception, repeatable: bool, failures: int) -> float | None:
    """Seconds until the request may be sent again; None: never. ``repeatable``: twice does no harm."""
    if isinstance(error, RingfoldConnectionError):
        return backoff(failures) if repeatable else None
    if not isinstance(error, RingfoldError):
        return None
    if error.status != _TOO_MANY and not (repeatable and error.status in _FAILED):
        return None
    if error.retry_after is None:
        return backoff(failures)
    return None if error.retry_after > _MOST_RETRY_AFTER else max(error.retry_after, backoff(failures))


def backoff(failures: int) -> float:
    """Doubles from 0.5 s to 8 s; a random half to the whole of it, so that clients do not come together."""
    longest = min(_FIRST_SECONDS * 2 ** min(failures, 10), _LONGEST_SECONDS)
    return longest * (0.5 + random.random() / 2)
