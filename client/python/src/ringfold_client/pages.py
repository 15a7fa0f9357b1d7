"""Lists that come in pages."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from .requests import Sender

Row = TypeVar("Row")


class Rows(Generic[Row]):
    """
    Every row of a list, page after page, each asked for when it is needed. New rows never repeat or skip one.
    Going through it again asks again.
    """

    def __init__(
        self,
        sender: Sender,
        path: str,
        *,
        limit: int,
        query: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> None:
        self._sender, self._path, self._timeout = sender, path, timeout
        self._query = {**(query or {}), "limit": limit}

    def __iter__(self) -> Iterator[Row]:
        cursor: str | None = None
        while True:
            page = self.page(cursor)
            yield from page["data"]
            cursor = page["pagination"]["nextCursor"]
            if cursor is None:
                return

    def page(self, cursor: str | None = None) -> Mapping[str, Any]:
        """One page as the API answers it: ``data``, and ``pagination`` with the ``nextCursor``."""
        query = {**self._query, "cursor": cursor}
        page: Mapping[str, Any] = self._sender.ask("GET", self._path, query=query, timeout=self._timeout)
        return page
