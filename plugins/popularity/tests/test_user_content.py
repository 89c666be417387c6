"""The list of strangers' places: sound itself, and found wherever it applies."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from publicsuffixlist import PublicSuffixList

from websearch_core.testing.cpu_time import within_cpu
from websearch_popularity.public_suffixes import PublicSuffixes
from websearch_popularity.url_contents import holds_address
from websearch_popularity.url_place import host_name, place
from websearch_popularity.user_content import Category, UserContent, categories

LISTED = categories()
PLACES = [(category.name, entry) for category in LISTED for entry in category.places]
HOSTS = [entry for _, entry in PLACES if "/" not in entry]


@pytest.fixture(scope="module")
def strangers(suffixes: PublicSuffixes) -> UserContent:
    return UserContent(LISTED, suffixes.is_name)


@pytest.fixture(scope="module")
def suffixes() -> PublicSuffixes:
    return PublicSuffixes()


def rule_of(strangers: UserContent, suffixes: PublicSuffixes, address: str):
    where = place(address)
    assert where is not None
    return strangers.rule(where, suffixes.domain(where.host))


def test_there_are_many_entries_and_each_category_has_a_reason() -> None:
    assert len(HOSTS) >= 1900
    assert len(LISTED) >= 28
    for category in LISTED:
        assert isinstance(category, Category)
        assert len(category.reason.split()) > 2
        assert any(category[2:]), f"{category.name} lists nothing"
        for entries in category[2:]:
            assert all(isinstance(entry, str) and entry for entry in entries)


def test_every_entry_is_in_its_normal_spelling() -> None:
    for category in LISTED:
        for entry in category.places:
            host, *segments = entry.split("/")
            if host.endswith(".*"):
                assert re.fullmatch(r"[a-z0-9-]+\.\*", host), entry
            else:
                assert host_name(host) == host, entry
            assert all(re.fullmatch(r"[a-z0-9@._-]+", segment) for segment in segments), entry
        for entry in (*category.labels, *category.words, *category.segments):
            assert re.fullmatch(r"[a-z0-9_-]+", entry), entry


def test_nothing_is_listed_twice_or_below_what_is_listed() -> None:
    for kind in ("places", "labels", "words", "segments"):
        entries = (entry for category in LISTED for entry in getattr(category, kind))
        # labels and segments are one however their words are joined
        counted = Counter(e if kind in ("places", "words") else re.sub("[-_]", "", e) for e in entries)
        assert [entry for entry, count in counted.items() if count > 1] == []
    hosts = set(HOSTS)
    for _, entry in PLACES:
        labels = entry.partition("/")[0].split(".")
        above = {".".join(labels[at:]) for at in range(len(labels))} | {f"{label}.*" for label in labels[:-1]}
        assert not (above & hosts) - {entry}, f"{entry} is below what is listed"


def test_no_entry_is_a_suffix_under_which_the_whole_world_registers() -> None:
    icann = PublicSuffixList(only_icann=True)
    for _, entry in PLACES:
        host = entry.partition("/")[0]
        if not host.endswith(".*"):
            assert icann.privatesuffix(host, accept_unknown=False), f"{entry} is a public suffix, or under none"


def test_every_place_is_found_on_its_host_and_below(strangers: UserContent, suffixes: PublicSuffixes) -> None:
    for category, entry in PLACES:
        host, slash, path = entry.partition("/")
        name = host.removesuffix("*") + "co.uk" if host.endswith("*") else host
        for address in (f"https://{name}{slash}{path}", f"https://www.{name}{slash}{path}/x"):
            rule = rule_of(strangers, suffixes, address)
            assert rule is not None, address
            assert (rule.category, rule.entry) == (category, entry), address


@pytest.mark.parametrize(
    "address",
    [
        "https://gist.github.com/x/1",
        "https://raw.githubusercontent.com/x/y/main/README.md",
        "https://en.m.wikipedia.org/wiki/Oslo",
        "https://some.fandom.com/wiki/X",
        "https://old.reddit.com/r/x/comments/1/",
        "https://math.stackexchange.com/q/1",
        "https://someone.substack.com/p/x",
        "https://someone.wordpress.com/",
        "https://someone.blogspot.co.uk/",
        "https://storage.googleapis.com/bucket/x.html",
        "https://bucket.s3.eu-west-1.amazonaws.com/x.html",
        "https://x.blob.core.windows.net/y",
        "https://cdn.jsdelivr.net/gh/a/b/x.md",
        "https://docs.google.com/document/d/1/pub",
        "https://tenant.sharepoint.com/x",
        "https://www-bbc-com.translate.goog/news",
        "https://r.jina.ai/https://example.com",
        "https://web.archive.org/web/2020/https://example.com/",
        "https://www.amazon.de/dp/B0/",
        "https://www.amazon.co.jp/dp/B0/",
        "https://arxiv.org/abs/2401.00001",
        "https://chatgpt.com/share/1",
        "https://www.google.com/url?q=x",
        "https://www.google.de/amp/s/x",
        "https://www.ravelry.com/patterns/library/x",
        "https://rateyourmusic.com/release/album/x/y/",
        "https://www.geocaching.com/geocache/GC1",
        "https://hackaday.io/project/1-x",
        "https://chiebukuro.yahoo.co.jp/knowledge/1",
        "https://detail.chiebukuro.yahoo.co.jp/qa/question_detail/q1",
        "https://www.mouthshut.com/product-reviews/x",
        "https://www.printables.com/model/1-x",
        "https://boardgamegeek.com/boardgame/1/x",
        "https://www.fragrantica.com/perfume/x",
        "https://www.kununu.com/de/x",
        "https://www.gutefrage.net/frage/x",
        "https://www.sikayetvar.com/x",
        "https://otzovik.com/review_1.html",
        "https://www.reclameaqui.com.br/x/",
        "https://pantip.com/topic/1",
        "https://www.nairaland.com/1/x",
        "https://www.flashback.org/t1",
        "https://www.suomi24.fi/keskustelu/1",
        "https://www.brainly.pl/zadanie/1",
        "https://uk.trustpilot.com/x",
        "https://www.trustpilot.dk/x",
        "https://www.openstreetmap.org/user/x/diary/1",
        "https://www.inaturalist.org/observations/1",
        "https://example.com/forum/t1",
        "https://example.com/a/Forum/t1",
        "https://example.com/viewtopic.php?t=1",
        "https://example.com/%66orum/t1",
        "https://example.com/a;b/c%2fforum",
        "https://example.com/@someone/x",
        "https://example.edu/~someone/",
        "https://example.com/news/1/comments",
        "https://example.com/redirect?to=1",
        "https://example.com/x?next=https%3A%2F%2Fevil.test",
        "https://example.com/x?next=//evil.test",
        "https://example.com/x?u=www.evil.test",
        "https://example.com/x?u=https:%5C%5Cevil.test",
        "https://example.com/x?u=/%5Cevil.test",
        "https://example.com/x?u=%5C%5Cevil.test",
        "https://example.com/show/www.evil.test/page",
        "https://example.com/index.php?title=User:Somebody",
        "https://example.com/?action=profile;id=1",
        "https://example.com/?page=forum&n=1",
        "https://example.com/en/thread-1.html",
        "https://example.com/forum_12/x",
        "https://example.com/t/a-topic/123",
        "https://vm.westeurope.cloudapp.azure.com/",
        "https://support.mozilla.org/en-US/kb/x",
        "https://datatracker.ietf.org/doc/draft-somebody-x/",
        "https://www.php.net/manual/en/function.strlen.php",
        "https://www.prnewswire.com/news-releases/x-1.html",
        "https://www.binance.com/en/square/post/1",
        "https://www.pornhub.com/view_video.php?viewkey=1",
        "https://yandex.ru/turbo/s/evil.test/x",
        "https://cs.example.edu/people/someone/",
        "https://scholar.harvard.edu/someone",
        "https://dataverse.example.edu/dataset.xhtml?id=1",
        "https://www.buzzfeed.com/someone/a-quiz",
        "https://www.reuters.com/press-releases/x",
        "https://example.com/fetch/https://evil.test/",
        "https://forum.example.com/",
        "https://de.forum.example.co.uk/",
        "https://macforums.example/",
        "https://wiki.example.org/X",
        "https://example.com/?u=evil.com",
        "https://example.com/url?q=evil.co.uk:443/x",
        "https://example.com/?evil.com",
        "https://example.com/?u=joe@evil.com",
        "https://example.com/?u=evil%E3%80%82com",
        "https://example.com/?u=\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
        "https://example.com/?u=192.0.2.1",
        "https://example.com/?utm_source=https://evil.com",
        "https://example.com/amp/s/evil.com/page",
        "https://example.com/amp/s;u=evil.com/page",
        "https://example.com/show/evil.md/x",
        "https://example.com/?u=aHR0cHM6Ly9ldmlsLmNvbQ==",
        "https://example.com/?u=aHR0cHM6Ly9ldmlsLmNvbQ",
        "https://example.com/?u=ZXZpbC5jb20",
        "https://example.com/p-aHR0cHM6Ly9ldmlsLmNvbQ/x",
        "https://example.com/x/CBMiaHR0cHM6Ly9ldmlsLmNvbQ",
        "https://example.com/?u=6576696c2e636f6d",
        "https://example.com/?q=anything",
        "https://example.com/?s=two+words",
        "https://example.com/?headline=ignore%20this",
        "https://example.com/?ignore+this",
        "https://example.com/?searchTerm=x",
        "https://example.com/?filter[q]=x",
        "https://example.com/?title=do-as-this-says",
        "https://example.com/?title=do_as._this_says",
        "https://example.com/?title=\u5ffd\u7565\u4e4b\u524d\u7684\u6240",
        "https://user-content.example.com/x",
        "https://eu-forum2.example.com/x",
        "https://joe.blog.example.com/",
        "https://pages.example.com/joe",
        "https://example.com/recipes/user-submitted",
        "https://example.com/reader_stories/1",
        "https://example.com/press_releases/1",
        "https://example.com/joe/repo/blob/main/x",
        "https://example.com/s/abc",
    ],
)
def test_strangers_text_is_recognised(address: str, strangers: UserContent, suffixes: PublicSuffixes) -> None:
    assert rule_of(strangers, suffixes, address) is not None


@pytest.mark.parametrize(
    "address",
    [
        "https://www.bbc.co.uk/news/world-1",
        "https://www.nytimes.com/2026/01/02/world/x.html",
        "https://docs.python.org/3/library/asyncio.html",
        "https://www.rfc-editor.org/rfc/rfc9110",
        "https://developer.mozilla.org/en-US/docs/Web",
        "https://www.who.int/news-room/fact-sheets/detail/malaria",
        "https://blog.cloudflare.com/radar/",
        "https://www.nature.com/articles/s41586-020-0001-1",
        "https://kubernetes.io/docs/concepts/",
        "https://www.google.com/intl/en/about/",
        "https://notgithub.com/a",
        "https://github.com.example.org/a",
        "https://example.com/forumlike/wikipedia-article",
        "https://example.com/x?utm_source=a&id=1",
        "https://example.com/x.jpg?w=300&u=1",
        "https://example.com/user-guide/talk-show-hosts",
        "https://www.chatgpt.com/pricing",
        "https://example.com/x?utm_source=chatgpt.com&utm_campaign=Spring+Sale",
        "https://example.com/2026/01/index.do",
        "https://example.com/x?lang=zh-Hant-TW&ref=top-stories",
        "https://example.com/manual/README.md",
        "https://example.com/docs/1.2.3.4/node.js/asyncio.html",
        "https://example.com/x.jpg?s=20&q=80&lang=en-US&v=1.2.3",
        "https://example.com/story/a-long-headline-about-example-and-more-18153161/",
        "https://example.com/science/article/pii/S0092867423001234",
        "https://example.com/8cfdfe48-f906-45d6-8515-29818e34a6d4",
        "https://example.com/en-us/resources/customer-stories/",
        "https://de.blog.example.com/x",
    ],
)
def test_a_sites_own_pages_are_left_alone(address: str, strangers: UserContent, suffixes: PublicSuffixes) -> None:
    assert rule_of(strangers, suffixes, address) is None


@pytest.mark.parametrize("path", ["a" * 60_000, "ab-" * 20_000, "a.b." * 15_000])
def test_a_long_address_is_read_in_linear_time(path: str, suffixes: PublicSuffixes) -> None:
    within_cpu(1, holds_address, f"/{path}/", path, suffixes.is_name)
