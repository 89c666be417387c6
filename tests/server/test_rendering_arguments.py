"""What cannot be asked of a browser together."""

from __future__ import annotations

import pytest

from websearch_core.contract.models import Caller
from websearch_core.server.argument_reader import ArgumentError
from websearch_core.server.arguments import fetch_reader, read_fetch


def test_a_picture_cannot_be_had_without_a_browser() -> None:
    raw = {"urls": ["https://example.com/"], "render": "never", "screenshot": True}
    reader = fetch_reader(renders=True)
    with pytest.raises(ArgumentError, match="screenshot: cannot be combined with render never; leave one"):
        read_fetch(raw, Caller(), reader)
    for other in ({"screenshot": False}, {"render": "auto"}):
        assert read_fetch({**raw, **other}, Caller(), reader).requests
