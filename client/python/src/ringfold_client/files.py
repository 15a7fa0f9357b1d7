"""Answers that are files."""
from __future__ import annotations

import http.client
import io
from typing import Any

from .errors import RingfoldConnectionError


class FileAnswer(io.RawIOBase):
    """
    The bytes of a file as they come: to be read, or given to ``shutil.copyfileobj``. Raises a
    RingfoldConnectionError when they end too early; it is not asked for again.
    """

    def __init__(self, method: str, path: str, response: Any) -> None:
        super().__init__()
        self._asked = (method, path)
        self._response = response
        length = response.headers.get("Content-Length")
        self._missing: int | None = None if length is None else int(length)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            size: int = self._response.readinto(buffer)
        except (OSError, http.client.HTTPException) as error:
            raise RingfoldConnectionError(*self._asked, error) from error
        if self._missing is not None:
            self._missing -= size
            if size == 0 and len(buffer) > 0 and self._missing > 0:
                raise RingfoldConnectionError(*self._asked, f"{self._missing} bytes are missing")
        return size

    def close(self) -> None:
        self._response.close()
        super().close()
