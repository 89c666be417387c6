"""What stands in place of a page is not a page, and a page that speaks of walls is one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_core import BackendError, Download, Page
from websearch_core.kit import BlockedBySite, NeedsRendering, NotFound, Paywalled, RateLimited
from websearch_core.testing.fakes import InProcessWorkers
from websearch_web.html.extractor import HtmlExtractor

SENTENCE = "The main text of this page tells at some length how rivers find their way to the sea and what they carry. "
ARTICLE = f"<article><h1>Rivers</h1>{''.join(f'<p>{n}. {SENTENCE * 2}</p>' for n in range(8))}</article>"


async def read(html: str, url: str = "https://site.example/story", final_url: str = "") -> Page:
    """What the extractor makes of this page."""
    return await HtmlExtractor(InProcessWorkers()).extract(
        Download(
            url=url,
            final_url=final_url or url,
            media_type="text/html",
            body=f"<!doctype html><html>{html}</html>".encode(),
            fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
    )


def titled(title: str, body: str) -> str:
    """A page of this title."""
    return f"<head><title>{title}</title></head><body>{body}</body>"


WALLS: dict[str, tuple[str, type[BackendError]]] = {
    "a browser check": (
        titled(
            "Just a moment...",
            "<h1>site.example</h1><p>Verify you are human by completing the action below.</p><script src=x></script>",
        ),
        BlockedBySite,
    ),
    "a challenge without words": (titled("site", '<form id="challenge-form"></form><p>Wait</p>'), BlockedBySite),
    "a CAPTCHA and nothing else": (
        titled("site.example", '<p>Please continue.</p><div class="h-captcha"></div><script src=x></script>'),
        BlockedBySite,
    ),
    "a refusal": (titled("Access Denied", "<h1>Access Denied</h1><p>Reference #18.2d351ab8</p>"), BlockedBySite),
    "a refusal in German": (titled("Fehler", "<h1>Zugriff verweigert</h1>"), BlockedBySite),
    "a robot check in French": (titled("", "<p>Je ne suis pas un robot</p>"), BlockedBySite),
    "a robot check in Japanese": (titled("", "<p>私はロボットではありません</p>"), BlockedBySite),
    "a robot check in Chinese": (titled("安全验证", "<p>请完成安全验证后继续访问</p>"), BlockedBySite),
    "a robot check in Russian": (titled("", "<h1>Подтвердите, что вы не робот</h1>"), BlockedBySite),
    "cookies must be on": (titled("site", "<p>Please enable cookies to use this site.</p>"), BlockedBySite),
    "consent and nothing else": (
        titled("site", f'<div id="consent-page"><p>{"We and our partners use cookies. " * 12}</p></div>'),
        BlockedBySite,
    ),
    "a log-in form": (
        titled("Log in | Site", "<h1>Log in</h1><form><input name=u><input type=password></form>"),
        BlockedBySite,
    ),
    "a log-in form in Spanish": (
        titled("Iniciar sesión", "<form><input name=u><input type=password></form><p>Bienvenido</p>"),
        BlockedBySite,
    ),
    "a soft 404": (titled("Page not found | Site", "<h1>404</h1><p>Try the search.</p>"), NotFound),
    "a soft 404 in words": (titled("Site", "<h1>Sorry, we can't find that page</h1><p>Go home.</p>"), NotFound),
    "a soft 404 in Italian": (titled("Sito", "<h1>Pagina non trovata</h1>"), NotFound),
    "a soft 404 in Korean": (titled("사이트", "<h1>페이지를 찾을 수 없습니다</h1>"), NotFound),
    "a request for scripts": (
        titled("App", "<p>You need to enable JavaScript to run this app.</p><script src=/a.js></script>"),
        NeedsRendering,
    ),
    "a request for scripts in German": (
        titled("App", "<p>Bitte aktivieren Sie JavaScript.</p><script src=/a.js></script>"),
        NeedsRendering,
    ),
    "nothing but scripts": (titled("App", "<div class=x></div><script src=/a.js></script>"), NeedsRendering),
    "a paywall and nothing else": (
        titled("Story", "<h1>Story</h1><div class=paywall>Subscribe to continue reading.</div>"),
        Paywalled,
    ),
    "a check that only blames the reader's set-up": (
        titled("site.example", "<p>Please enable JS and disable any ad blocker</p>"),
        BlockedBySite,
    ),
    "too many requests, told with a status of success": (
        titled("Too many requests", "<h1>Too Many Requests</h1><p>You have sent too many. Try again later.</p>"),
        RateLimited,
    ),
    "a refusal that explains itself": (
        titled(
            "Attention Required!",
            "<h1>Sorry, you have been blocked</h1><h2>You are unable to access site.example</h2><h2>Why have I been "
            "blocked?</h2><p>This website is using a security service to protect itself from online attacks. The "
            "action you just performed triggered the security solution. There are several actions that could trigger "
            "this block including submitting a certain word or phrase, a SQL command or malformed data.</p><h2>What "
            "can I do to resolve this?</h2><p>You can email the site owner to let them know you were blocked. Please "
            "include what you were doing when this page came up and the Ray ID found at the bottom of this page.</p>",
        ),
        BlockedBySite,
    ),
    "an interruption with a list of reasons": (
        titled(
            "Pardon Our Interruption",
            "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you "
            "were a bot. There are a few reasons this might happen:</p><ul><li>You're a power user moving through "
            "this website with super-human speed.</li><li>You've disabled cookies in your web browser.</li><li>A "
            "third-party browser plugin is preventing JavaScript from running.</li></ul>",
        ),
        BlockedBySite,
    ),
    "unusual traffic": (
        titled(
            "Sorry...",
            "<h1>Sorry</h1><p>Our systems have detected unusual traffic from your computer network. This page checks "
            "to see if it's really you sending the requests, and not a robot.</p><p>IP address: 192.0.2.1 Time: "
            "2026-01-01T00:00:00Z</p>",
        ),
        BlockedBySite,
    ),
    "a soft 404 that offers other pages": (
        titled(
            "Page not found - Blog",
            "<h1>Oops! That page can't be found.</h1><p>It looks like nothing was found at this location. Maybe try "
            "one of the links below or a search?</p><h2>Recent Posts</h2><ul>"
            + "".join(f"<li><a href=/{n}>How the river number {n} finds its way</a></li>" for n in range(5))
            + "</ul><h2>Categories</h2><ul><li><a href=/c>Rivers and lakes</a> (12)</li></ul>",
        ),
        NotFound,
    ),
    "a soft 404 of a server": (
        titled("404 Not Found", "<h1>Not Found</h1><p>The requested URL was not found on this server.</p>"),
        NotFound,
    ),
    "a soft 404 in German that explains itself": (
        titled(
            "Seite nicht gefunden",
            "<h1>Seite nicht gefunden</h1><p>Die von Ihnen gesuchte Seite existiert nicht oder wurde verschoben. "
            "Bitte prüfen Sie die Adresse.</p>",
        ),
        NotFound,
    ),
}


@pytest.mark.parametrize("wall", WALLS)
async def test_a_wall_is_no_page(wall: str) -> None:
    html, error = WALLS[wall]
    with pytest.raises(error):
        await read(html)


PAGES = {
    "a short definition of a status": titled(
        "404 Not Found",
        "<h1>404 Not Found</h1><p>The HTTP <code>404 Not Found</code> response means that the server cannot find the "
        "requested resource.</p><h2>Status</h2><pre>404 Not Found</pre>",
    ),
    "a status that limits rates": titled(
        "Too many requests",
        "<h1>429 Too Many Requests</h1><p>The status code 429 tells a client that it has sent too many requests in a "
        "given amount of time.</p>",
    ),
    "a band named like a wall, in a list and a table": titled(
        "404 Not Found",
        "<h1>404 Not Found</h1><h2>Members</h2><ul><li>Ann Brook, vocals</li><li>Bob Hill, drums</li></ul>"
        "<h2>Records</h2><table><tr><th>Year</th><th>Title</th></tr><tr><td>2001</td><td>Moved on</td></tr></table>",
    ),
    "a novel named like a wall": titled(
        "Page not found", "<h1>Page not found</h1><p>A novel by Ann Writer, 2024. Publisher: House of Rivers.</p>"
    ),
    "a story in German named like a wall": titled(
        "Seite nicht gefunden",
        "<h1>Seite nicht gefunden</h1><p>Die Seite war nicht im Buch, und Paul suchte sie bis zum Morgen.</p>",
    ),
    "a poem": titled("Are you a robot?", "<h1>Are you a robot?</h1><p>I asked the moon. It did not answer then.</p>"),
    "a short definition of a CAPTCHA": titled(
        "CAPTCHA", "<h1>CAPTCHA</h1><p>A CAPTCHA is a test to tell whether a user is human.</p>"
    ),
    "code beneath a wall's name": titled(
        "Forbidden", "<h1>Forbidden</h1><pre>location /private {\n  deny all;\n  return 403 'river';\n}</pre>"
    ),
    "an article about CAPTCHAs": titled(
        "Are you a robot? How CAPTCHAs work",
        ARTICLE.replace("Rivers", "I'm not a robot") + "<div class='g-recaptcha'></div>",
    ),
    "an article about status codes": titled("404 Not Found", ARTICLE.replace("Rivers", "Page not found")),
    "an article with a challenge's script": titled(
        "Rivers", ARTICLE + "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"
    ),
    "an article below a consent banner": titled(
        "Rivers", f"<div id=cookie-consent><p>{'We use cookies. ' * 60}</p></div>{ARTICLE}"
    ),
    "an article beside a log-in form": titled("Rivers", f"<form><input type=password></form>{ARTICLE}"),
    "an article that recommends JavaScript": titled(
        "Rivers", f"<p>Please enable JavaScript for the best experience.</p>{ARTICLE}<script>x</script>"
    ),
    "a form with a CAPTCHA": titled(
        "Contact", "<h1>Contact us</h1><p>Write.</p><form><textarea></textarea><div class=h-captcha></div></form>"
    ),
    "a short page": titled("Hours", "<h1>Hours</h1><p>Open from nine to five.</p>"),
    "an article that asks to subscribe to a newsletter": titled(
        "Rivers", f"{ARTICLE}<div class=newsletter>Subscribe to continue.</div>"
    ),
}


@pytest.mark.parametrize("kind", PAGES)
async def test_a_page_is_no_wall(kind: str) -> None:
    page = await read(PAGES[kind])
    assert page.body
    assert not page.paywalled


async def test_a_log_in_page_that_was_asked_for_is_a_page() -> None:
    html = titled("Log in", "<h1>Log in</h1><p>Use your staff card.</p><form><input type=password></form>")
    assert "staff card" in (await read(html, "https://site.example/login")).body
    with pytest.raises(BlockedBySite):
        await read(html, "https://site.example/story", "https://site.example/login?next=/story")


PAYWALLED = {
    "said in JSON-LD": (
        '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": "False"}</script>',
        "",
    ),
    "said in a block": ("", '<div class="article-paywall">Subscribe to continue reading. Already a subscriber?</div>'),
    "said in German": ("", "<p>Nur für Abonnenten: jetzt testen und weiterlesen.</p>"),
}


@pytest.mark.parametrize("way", PAYWALLED)
async def test_of_a_paywalled_article_what_is_shown_is_kept_and_marked(way: str) -> None:
    head, block = PAYWALLED[way]
    page = await read(
        f"<head><title>Rivers</title>{head}</head><body><article><p>{SENTENCE * 3}</p>{block}</article></body>"
    )
    assert page.paywalled
    assert "rivers find their way" in page.body
    assert page.notes


async def test_a_sample_of_two_short_sentences_is_a_sample() -> None:
    page = await read(
        titled(
            "Story",
            "<h1>Story</h1><p>Rivers find the sea. They carry what the mountains gave.</p>"
            "<div class=paywall>Subscribe to continue reading.</div>",
        )
    )
    assert page.paywalled
    assert "mountains" in page.body


async def test_an_article_that_is_there_in_full_is_not_paywalled_whatever_is_declared() -> None:
    head = PAYWALLED["said in JSON-LD"][0]
    page = await read(f"<head><title>Rivers</title>{head}</head><body>{ARTICLE.replace(SENTENCE, SENTENCE * 3)}</body>")
    assert not page.paywalled
