"""Sends requests: with errors of our own, and again where that does no harm."""
from __future__ import annotations

import http.client
import json
import secrets
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .errors import RingfoldConnectionError, RingfoldError
from .files import FileAnswer
from .retries import retry_delay

_REPEATABLE = ("GET", "PUT", "DELETE")
#: Of a refusal no more is read.
_MOST_OF_AN_ERROR = 1_048_576

Answer = TypeVar("Answer")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API has none, and the key belongs to nobody else."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


class Sender:
    """Sends with one key to one service."""

    def __init__(
        self, base_url: str, api_key: str, retries: int, timeout: float, ssl_context: ssl.SSLContext | None
    ) -> None:
        self._origin = base_url.rstrip("/")
        self._api_key = api_key
        self._retries = retries
        self._timeout = timeout
        secured = [] if ssl_context is None else [urllib.request.HTTPSHandler(context=ssl_context)]
        self._opener = urllib.request.build_opener(_NoRedirects, *secured)

    def ask(self, method: str, path: str, **request: Any) -> Any:
        """The JSON of the answer, read whole."""

        def read(response: http.client.HTTPResponse) -> Any:
            with response:
                return json.loads(response.read())

        return self._sent(method, path, read, **request)

    def open(self, method: str, path: str, **request: Any) -> FileAnswer:
        """The answer as a stream of bytes."""
        return self._sent(method, path, lambda response: FileAnswer(method, path, response), **request)

    def stream(self, path: str, **request: Any) -> http.client.HTTPResponse:
        """The answer to a GET as it is."""
        return self._sent("GET", path, lambda response: response, **request)

    def _sent(
        self,
        method: str,
        path: str,
        read: Callable[[http.client.HTTPResponse], Answer],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        takes_key: bool = False,
        idempotency_key: str | None = None,
        authorized: bool = True,
        timeout: float | None = None,
    ) -> Answer:
        sent = {"User-Agent": "ringfold-client", **(headers or {})}
        if authorized:
            sent["Authorization"] = f"Bearer {self._api_key}"
        if takes_key and idempotency_key is None and self._retries > 0:
            idempotency_key = secrets.token_hex(16)
        if idempotency_key is not None:
            sent["Idempotency-Key"] = idempotency_key
        data = None
        if form is not None:
            sent["Content-Type"], data = _multipart(form)
        elif body is not None:
            sent["Content-Type"], data = "application/json", json.dumps(body).encode()
        url = f"{self._origin}{path}{_query_of(query or {})}"
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        seconds = self._timeout if timeout is None else timeout
        failures = 0
        while True:
            try:
                return self._once(request, path, read, seconds)
            except (RingfoldError, RingfoldConnectionError) as error:
                delay = retry_delay(error, takes_key or method in _REPEATABLE, failures)
                if delay is None or failures >= self._retries:
                    raise
                time.sleep(delay)
                failures += 1

    def _once(
        self,
        request: urllib.request.Request,
        path: str,
        read: Callable[[http.client.HTTPResponse], Answer],
        seconds: float,
    ) -> Answer:
        method = request.get_method()
        try:
            return read(self._opener.open(request, timeout=seconds))
        except urllib.error.HTTPError as answer:
            with answer:
                try:
                    said = answer.read(_MOST_OF_AN_ERROR)
                except (OSError, http.client.HTTPException):
                    said = b""
            raise RingfoldError(method, path, answer.code, answer.headers, said) from None
        except urllib.error.URLError as error:
            raise RingfoldConnectionError(method, path, error.reason) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RingfoldConnectionError(method, path, error) from error


class Group:
    """The operations of a tag."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender


def filled(path: str, *values: str) -> str:
    """``/calls/:callId`` with its parameters, in their order."""
    rest = iter(values)
    parts = [urllib.parse.quote(next(rest), safe="") if part.startswith(":") else part for part in _parts(path)]
    return "".join(parts)


def _parts(path: str) -> list[str]:
    """``/calls/:callId/events`` → ``/calls/``, ``:callId``, ``/events``."""
    first, *others = path.split(":")
    parts = [first]
    for other in others:
        name = other.split("/", 1)[0].split(".", 1)[0]
        parts += [f":{name}", other[len(name) :]]
    return parts


def _query_of(values: Mapping[str, Any]) -> str:
    given = {name: _text(value) for name, value in values.items() if value is not None}
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _multipart(form: Mapping[str, Any]) -> tuple[str, bytes]:
    """Text parts, and files: bytes, or what has ``read()``."""
    boundary = secrets.token_hex(16)
    pieces: list[bytes] = []
    for name, part in form.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        if isinstance(part, str):
            pieces.append(f"{head}\r\n\r\n{part}\r\n".encode())
        else:
            content = part if isinstance(part, bytes) else part.read()
            typed = f'{head}; filename="{name}.csv"\r\nContent-Type: text/csv\r\n\r\n'
            pieces += [typed.encode(), content, b"\r\n"]
    pieces.append(f"--{boundary}--\r\n".encode())
    return f"multipart/form-data; boundary={boundary}", b"".join(pieces)
