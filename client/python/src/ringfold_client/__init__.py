"""The typed client of Ringfold, with the standard library alone."""
from __future__ import annotations

import ssl

from . import types
from .errors import RingfoldConnectionError, RingfoldError
from .event_stream import EventStream
from .files import FileAnswer
from .operations import Operations
from .pages import Rows
from .requests import Sender
from .webhooks import WebhookError, WebhookRefusal, verify_webhook

__all__ = [
    "Client",
    "EventStream",
    "FileAnswer",
    "RingfoldConnectionError",
    "RingfoldError",
    "Rows",
    "WebhookError",
    "WebhookRefusal",
    "types",
    "verify_webhook",
]


class Client(Operations):
    """
    One method for each operation of the API, in a group for its tag: ``client.calls.get(call_id)``. It may be used by
    many threads at once.

    ``retries``: how often a request that failed is sent again, where that does no harm; 0: never. ``timeout``: seconds
    for which the service may be silent. ``ssl_context``: in place of the default one, for a certificate of your own.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: int = 3,
        timeout: float = 60,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._sender = Sender(base_url, api_key, retries, timeout, ssl_context)
        super().__init__(self._sender)

    def follow_events(
        self,
        *,
        after: str | None = None,
        campaign_id: str | None = None,
        types: str | None = None,
        silence: float = 45,
    ) -> EventStream:
        """
        Every event after the position ``after`` (from the beginning, when there is none; ``now``: only those to come),
        then live. ``types``: kinds with commas between them. ``silence``: seconds after which a connection counts as
        lost; the service says something at least each 15 s.
        """
        query = {"after": after, "campaignId": campaign_id, "types": types}
        return EventStream(self._sender, query, silence)
