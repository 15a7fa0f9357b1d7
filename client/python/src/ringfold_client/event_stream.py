"""Every event, live."""
from __future__ import annotations

import codecs
import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple

from .errors import RingfoldConnectionError, RingfoldError
from .requests import Sender
from .retries import backoff, retry_delay
from .types import OwnerEvent

_PATH = "/api/v1/events"
#: Says why the service ends the connection. The next connection shows whether the key is still good.
_CLOSING = "closing"


class ServerSentEvent(NamedTuple):
    id: str | None
    event: str
    #: None: a block that only changed the id.
    data: str | None


class EventParser:
    """Parses a stream of server-sent events (WHATWG HTML §9.2), whose pieces are cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._block: list[str] = []

    def push(self, piece: bytes) -> Iterator[ServerSentEvent]:
        # A \r at the end may be half of a \r\n, so it waits for the next piece.
        *lines, self._rest = re.split(r"\r\n|\n|\r(?!\Z)", self._rest + self._decoder.decode(piece))
        for line in lines:
            if line:
                self._block.append(line)
            else:
                block, self._block = self._block, []
                yield _event_of(block)


def _event_of(lines: list[str]) -> ServerSentEvent:
    values: dict[str, list[str]] = {}
    for line in lines:
        name, _, value = line.partition(":")
        values.setdefault(name, []).append(value[1:] if value.startswith(" ") else value)
    data = values.get("data")
    return ServerSentEvent(
        id=values.get("id", [None])[-1],
        event=values.get("event", ["message"])[-1],
        data=None if data is None else "\n".join(data),
    )


class EventStream(Iterator[OwnerEvent]):
    """
    Every event of the owner after a position, then live, each once and in order. A connection that is lost is
    opened again, as often as needed, after the last event. It raises where that does not help: the first
    connection fails (after the client's retries), or the service refuses.
    """

    def __init__(self, sender: Sender, query: Mapping[str, Any], silence: float) -> None:
        self._sender, self._query, self._silence = sender, query, silence
        self._closed = threading.Event()
        self._response: http.client.HTTPResponse | None = None
        self._last_id: str | None = None
        self._was_open = False
        #: Connections in a row without an event.
        self._failures = 0
        self._events = self._followed()

    def __next__(self) -> OwnerEvent:
        return next(self._events)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends it, from any thread: its loop ends without an error."""
        self._closed.set()
        response = self._response
        if response is None:
            return
        # Whoever reads holds the response, so that it cannot be closed from here: its connection can.
        with suppress(OSError, ValueError):
            connection = socket.socket(fileno=response.fileno())
            try:
                connection.shutdown(socket.SHUT_RDWR)
            finally:
                connection.detach()

    def _followed(self) -> Iterator[OwnerEvent]:
        while not self._closed.is_set():
            try:
                yield from self._until_it_ends()
                delay = backoff(self._failures)
            except (RingfoldError, RingfoldConnectionError) as error:
                if self._closed.is_set():
                    return
                wanted = retry_delay(error, True, self._failures) if self._was_open else None
                if wanted is None:
                    raise
                delay = wanted
            self._failures += 1
            self._closed.wait(delay)

    def _until_it_ends(self) -> Iterator[OwnerEvent]:
        """One connection."""
        headers = {"Accept": "text/event-stream"}
        if self._last_id is not None:
            headers["Last-Event-ID"] = self._last_id
        with self._sender.stream(_PATH, query=self._query, headers=headers, timeout=self._silence) as response:
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                raise RingfoldConnectionError("GET", _PATH, "the answer is no stream of events")
            self._response = response
            self._was_open = True
            try:
                for id, event, data in self._received(response):
                    self._last_id = self._last_id if id is None else id
                    if data is not None and event != _CLOSING:
                        self._failures = 0
                        yield json.loads(data)
            finally:
                self._response = None

    def _received(self, response: http.client.HTTPResponse) -> Iterator[ServerSentEvent]:
        parser = EventParser()
        while not self._closed.is_set():
            try:
                piece = response.read1(65_536)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise RingfoldConnectionError("GET", _PATH, error) from error
            if not piece:
                return
            yield from parser.push(piece)
