"""Titles beside their texts, links that a site adds by itself, and what stands after the last true line."""

from __future__ import annotations

import pytest

from websearch_core.testing.cpu_time import within_cpu
from websearch_web.html.page_reader import HtmlContent, read_html

SENTENCE = "Rivers find their way to the sea, and on that way they carry what the mountains gave them. "
PROSE = "".join(f"<p>Part {n}. {SENTENCE * 3}</p>" for n in range(6))
ARTICLE = "<meta property=og:type content=article>"
LAST = "Part 5."
PAGE = "https://s.example/news/2024/rivers"


def reading(body: str, head: str = ARTICLE) -> HtmlContent:
    html = f"<html><head><title>Rivers</title>{head}</head><body>{body}</body></html>"
    return read_html(html.encode(), PAGE, "utf-8")


def read(body: str, head: str = ARTICLE) -> str:
    return reading(body, head).body


def test_a_title_and_its_lead_beside_the_main_element_stay_with_the_text() -> None:
    body = read(f"<div class=top><h1>Rivers</h1><p>In short, water.</p></div><main>{PROSE}</main>")
    assert body.startswith("# Rivers\n\nIn short, water.\n\nPart 0.")


def test_a_lead_stays_where_links_stand_beside_it() -> None:
    links = "<ul><li><a href=/a>Lakes</a></ul>"
    head = f"<div class=top><div><h1>Rivers</h1></div><div class=intro><p>In short, {SENTENCE}</p>{links}</div></div>"
    assert read(f"{head}<main>{PROSE}</main>").startswith(f"# Rivers\n\nIn short, {SENTENCE.strip()}\n\nPart 0.")


def test_a_banner_with_a_menu_is_no_lead() -> None:
    body = read(f"<div><h1>Rivers</h1><ul><li><a href=/a>Fish</a></ul></div><main>{PROSE}</main>")
    assert body.startswith("# Rivers\n\nPart 0.")


def test_of_two_main_elements_the_one_with_the_title_is_read() -> None:
    remarks = "".join(f"<p>{SENTENCE * 3}</p>" for _ in range(12))
    body = read(f"<div role=main><h1>Rivers</h1>{PROSE}</div><div role=main class=talk>{remarks}</div>")
    assert body.count(SENTENCE.strip()) == 18


def test_an_article_of_bare_divisions_is_found() -> None:
    text = "".join(f"<div class=line>Part {n}. {SENTENCE * 3}</div>" for n in range(6))
    shop = f"<div class=shop><p>{SENTENCE * 4}</p></div>"
    body = read(f"<div><div><h1>Rivers</h1><div class=lead>{SENTENCE}</div><div>{text}</div></div>{shop}</div>")
    assert LAST in body
    assert body.count(SENTENCE.strip()) == 19


@pytest.mark.parametrize(
    "address",
    [
        "https://www.facebook.com/sharer/sharer.php?u=x",
        "https://twitter.com/intent/tweet?url=x",
        "https://api.whatsapp.com/send?text=x",
        "mailto:?subject=x",
        "/news/2024/rivers?share=facebook",
    ],
)
def test_links_that_share_a_page_go_whatever_they_are_called(address: str) -> None:
    block = f"<ul><li><a href='{address}'>merken</a></li><li><a href='#'>mehr</a></li></ul>"
    assert read(f"<h1>Rivers</h1>{block}{PROSE}<p>The end.</p>").count("](") == 0


def test_a_link_to_a_service_within_a_sentence_stays() -> None:
    line = f"<p>{SENTENCE} Say so <a href='https://twitter.com/intent/tweet?text=x'>there</a>.</p>"
    assert "there" in read(f"<h1>Rivers</h1>{PROSE}{line}")


@pytest.mark.parametrize("link", ["<a rel=tag href=/x>Water</a>", "<a href=/tag/water>Water</a>"])
def test_what_an_article_is_filed_under_goes(link: str) -> None:
    assert "Water" not in read(f"<h1>Rivers</h1><p>Schlagworte: {link}</p>{PROSE}")


def test_tags_of_other_sites_and_affiliate_links_stay() -> None:
    links = "<ul><li><a href='https://t.example/tag/x'>There</a><li><a href='https://a.example/?tag=x'>Shop</a></ul>"
    body = read(f"<h1>Rivers</h1>{PROSE}{links}<p>{SENTENCE}</p>")
    assert "There" in body
    assert "Shop" in body


@pytest.mark.parametrize(
    "end",
    [
        "<h3>Kommentare</h3>",
        "<h4>Gallery</h4>",
        "<p>1,234 views</p>",
        "<p>(Visited 215 times, 55 visits today)</p>",
        "<p><a href=/news/>All our news</a></p>",
        "<p>Read also:</p>",
        "<p>Läs också</p>",
        "<ul><li><a href=/water>Water</a><li><a href=/sea>The sea</a></ul>",
        "<div>We use cookies to make this site better. <a href=/privacy>More</a></div>",
        "<ul><li><a href=/a><img src=/a.png>One</a><li><a href=/b><img src=/b.png>Two</a></ul>",
        "<h3><a href=/a>Lakes are next</a></h3><h3><a href=/b>Seas are next</a></h3>",
        (
            "<div><a href=/a>The lakes are rising again this year</a></div>"
            "<div><a href=/b>What the sea has in store for us</a></div>"
            "<div><a href=/c>Why nobody swims in these ponds</a></div>"
        ),
    ],
)
def test_what_stands_after_the_last_true_line_goes(end: str) -> None:
    assert read(f"<div><h1>Rivers</h1>{PROSE}{end}</div>").endswith("gave them.")


@pytest.mark.parametrize(
    "end",
    [
        "<p>Good night.</p>",
        "<p>Sources: <a href='https://o.example/a-study-of-the-rivers'>A study of the rivers of the north</a></p>",
        "<p><a href=/report.pdf>The whole report about all of the rivers</a></p>",
        "<p>A cookie for whom? Cookies.</p><p>Cookies are sweet.</p>",
        "<p>Bake each cookie for nine minutes. Now they are sweet.</p>",
        "<figure><a href=/big><img src=/i.png alt=Delta></a><figcaption>A delta</figcaption></figure>",
    ],
)
def test_the_last_true_line_stays(end: str) -> None:
    assert (
        read(f"<div><h1>Rivers</h1>{PROSE}{end}</div>").removesuffix("*").endswith(("night.", ")", "sweet.", "delta"))
    )


def test_a_heading_that_is_dropped_at_the_end_is_named() -> None:
    assert reading(f"<div><h1>Rivers</h1>{PROSE}<h3>Gallery</h3></div>").notes == ("Left out: “Gallery”.",)


@pytest.mark.parametrize("picture", ["<img src=/i.png alt=Delta>", "<div><figure><img src=/i.png></figure></div>"])
def test_a_heading_whose_section_is_a_picture_stays(picture: str) -> None:
    assert "### The delta" in read(f"<div><h1>Rivers</h1>{PROSE}<h3>The delta</h3>{picture}</div>")


def test_a_page_that_says_nothing_of_itself_is_read_for_its_one_long_text() -> None:
    menu = "".join(f"<div><a href=/{n}>Place {n}</a></div>" for n in range(20))
    page = f"<div>{menu}</div><div><h1>Rivers</h1>{PROSE}</div><div>{menu}</div>"
    assert "Place" not in read(page, "")
    assert "Place" in read(page.replace("</h1>", "</h1><pre>flow()</pre>"), "")


def test_facts_before_a_text_and_the_head_of_its_table_stay() -> None:
    facts = "<div class=event-meta><dl><dt>Begins<dd>13 May</dl></div>"
    assert "13 May" in read(f"<div><h1>Rivers</h1>{facts}<div>{PROSE}</div></div>")
    rows = "".join(f"<tr><td>{n}</td><td>{SENTENCE * 2}</td></tr>" for n in range(9))
    table = f"<table><thead><tr><th>No.</th><th>Saying</th></tr></thead><tbody>{rows}</tbody></table>"
    assert "Saying" in read(f"<h2>Rivers</h2>{table}", "")


def test_a_sites_name_before_the_title_goes_and_so_does_a_path_that_ends_in_it() -> None:
    banner = "<div><h1><a href='https://s.example/'>Water Weekly</a></h1><h2>All about it</h2></div>"
    path = "<ul><li><a href=/>Home</a><li><a href=/news/>News</a><li>Rivers</ul>"
    assert read(f"{banner}{path}<h2>Rivers</h2>{PROSE}").startswith("## Rivers")


@pytest.mark.parametrize(
    "line", ["<a href=/a>Lea también: Los lagos</a>", "Read more: <a href=/a>All about the lakes of the north</a>"]
)
def test_a_paragraph_that_only_points_to_another_page_goes(line: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}<p>{line}</p><p>{SENTENCE} And so to the sea.</p>")
    assert "/a" not in body
    assert body.endswith("to the sea.")


def test_lines_between_paragraphs_that_only_lead_elsewhere_go_with_what_announces_them() -> None:
    aside = "<p><b>Read also:</b></p><p><a href=/a>The lakes are rising again this year</a></p>"
    body = read(f"<div><h1>Rivers</h1>{PROSE}{aside}<p>{SENTENCE} And so to the sea.</p></div>")
    assert "ead also" not in body
    assert "lakes" not in body
    assert body.endswith("to the sea.")


def test_linked_pictures_with_a_line_each_are_no_part_of_an_article() -> None:
    cells = "".join(f"<td><a href=/{n}><img src=/{n}.png></a> In short, {SENTENCE}</td>" for n in range(3))
    body = read(f"<main><h1>Rivers</h1><div>{PROSE}</div><div><table><tr>{cells}</table></div></main>")
    assert "In short" not in body


def test_a_list_of_links_under_a_heading_of_its_own_is_a_section() -> None:
    reports = "".join(f"<li><a href=/report/{n}>Yearly report on the water of region {n}</a>" for n in range(3))
    body = read(f"<main><h1>Rivers</h1>{PROSE}<h2>Sources</h2><ul>{reports}</ul></main>")
    assert "## Sources" in body
    assert body.count("Yearly report") == 3


def test_what_says_where_to_learn_more_stays() -> None:
    line = "<p>Learn more: <a href=/a>All about the lakes of the north</a></p>"
    assert "All about the lakes" in read(f"<h1>Rivers</h1>{PROSE}{line}<p>{SENTENCE} And so to the sea.</p>")


def test_linked_headlines_under_a_heading_of_its_own_are_a_section() -> None:
    prizes = "<h3><a href=/1>The first prize of the year</a></h3><h3><a href=/2>The second prize of the year</a></h3>"
    body = read(f"<main><h1>Rivers</h1>{PROSE}<h2>Winners</h2>{prizes}</main>")
    assert body.endswith("### [The second prize of the year](https://s.example/2)")
    assert "## Winners" in body


def test_a_list_under_a_heading_that_leads_to_a_rubric_is_none() -> None:
    others = "".join(f"<li><a href=/{n}>The water of region number {n} is rising</a></li>" for n in range(4))
    found = reading(f"<main><h1>Rivers</h1>{PROSE}<h2><a href=/world>World</a></h2><ul>{others}</ul></main>")
    assert LAST in found.body
    assert "region" not in found.body
    assert found.notes == ("Left out: “World”.",)


CARD = "<div class=box><a href=/b><img src=/b.jpg></a><h4><a href=/b>The lakes are rising again</a></h4></div>"


@pytest.mark.parametrize(
    "card", [CARD, "<a class=box href=/b><div><img src=/b.jpg></div><div>Three months for one euro</div></a>"]
)
def test_a_teaser_between_paragraphs_goes(card: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}{card}<p>{SENTENCE} And so to the sea.</p>")
    assert "/b" not in body
    assert body.endswith("to the sea.")


def test_what_is_left_out_with_a_teaser_is_named() -> None:
    found = reading(f"<h1>Rivers</h1>{PROSE}{CARD}<p>{SENTENCE}</p>")
    assert found.notes == ("Left out: “The lakes are rising again”.",)


@pytest.mark.parametrize(
    "card",
    [
        "<a href=/b><img src=/b.jpg><div>{}</div></a>",
        "<div><a href=/b><img src=/b.jpg>{}</div>",
        "<div><h3><a href=/b>The lakes are rising again</h3>{}</div>",
    ],
)
def test_the_text_in_a_link_that_nobody_closed_stays(card: str) -> None:
    inside = "".join(f"<p>Lake {n}. {SENTENCE * 2}</p>" for n in range(6))
    assert read(f"<h1>Rivers</h1>{PROSE}{card.format(inside)}<p>{SENTENCE}</p>").count("Lake ") == 6


def test_parts_of_linked_text_at_the_end_are_no_teasers() -> None:
    parts = "".join(
        f"<div><h3><a href=/{n}>Lake number {n} of the north</a></h3><p><a href=/{n}>{SENTENCE * 9}</a></p></div>"
        for n in range(2)
    )
    assert read(f"<h1>Rivers</h1>{PROSE}{parts}").count("Lake number") == 2


def test_cards_within_cards_take_no_time_beyond_their_length() -> None:
    cards = "<p>q</p><div><a href=/b><img src=b.jpg></a>" * 2000 + "</div><p>word</p>" * 2000
    assert within_cpu(2.0, read, f"<h1>Rivers</h1>{PROSE}{cards}")


def test_links_within_many_boxes_at_the_end_take_no_time_beyond_their_length() -> None:
    boxes = "<div>" * 1200 + "<a href=/b>The lakes are rising again</a>" * 1200 + "</div>" * 1200
    assert within_cpu(2.0, read, f"<h1>Rivers</h1>{PROSE}{boxes}")


def test_an_article_about_many_linked_things_keeps_them() -> None:
    things = "".join(
        f"<div><h4><a href=/{n}>Lake number {n} of the north</a></h4><img src=/{n}.jpg></div><p>{SENTENCE * 2}</p>"
        for n in range(5)
    )
    assert read(f"<h1>Rivers</h1><p>{SENTENCE}</p>{things}").count("Lake number") == 5


@pytest.mark.parametrize(
    "card",
    [
        "<div><a href=/b.jpg><img src=/b.jpg></a></div>",
        "<div><a href=/b><img src=/b.jpg></a> The delta in the year of the flood, from the hills above the town</div>",
        "<div><img src=/b.jpg alt=Delta></div>",
        "<div><h4><a href=https://other.example/b>The lakes are rising again</a></h4></div>",
    ],
)
def test_pictures_and_links_to_other_sites_between_paragraphs_stay(card: str) -> None:
    assert "/b" in read(f"<h1>Rivers</h1>{PROSE}{card}<p>{SENTENCE}</p>")


@pytest.mark.parametrize(
    "line",
    [
        "Если вы нашли ошибку, выделите фрагмент текста и нажмите Ctrl+Enter.",
        "Якщо Ви виявили помилку на цій сторінці, виділіть її та натисніть Ctrl + Enter",
        "Подписывайтесь на канал новостей в <a href=https://t.example/x>Telegram</a>",
        "Síguenos en <a href=https://t.example/x>Twitter</a>",
        "Suivez-nous sur <a href=https://t.example/x>Facebook</a> !",
        "좋아요 12",
    ],
)
def test_lines_that_ask_readers_for_something_go_from_the_end_of_an_article(line: str) -> None:
    assert read(f"<h1>Rivers</h1>{PROSE}<p>{line}</p>").endswith(SENTENCE.strip())


@pytest.mark.parametrize(
    "line", ["Total dead: 12", "Press Ctrl+Enter to send the text.", "Follow the river to its source."]
)
def test_a_last_line_that_says_something_stays(line: str) -> None:
    assert line.rstrip(".") in read(f"<h1>Rivers</h1>{PROSE}<p>{line}</p>")
