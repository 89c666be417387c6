"""Ordinary text in many languages out of Debian's packages: manuals, handbooks, help pages, messages, stories.

    python -m evals.training.clean_text PACKAGES FOLDER

PACKAGES is a folder of `.deb` files (`scripts/clean-text.sh` fetches those of `clean_packages.txt`). Each package goes
as a whole, in all its languages, to one of three parts: `train`, `calibrate` and `test`. Written are
`FOLDER/PART/LANGUAGE/PACKAGE.jsonl.gz`, rows of package, page and text. Nothing of the text is kept in the project.
"""

from __future__ import annotations

import bz2
import contextlib
import gettext
import gzip
import html
import io
import itertools
import json
import random
import re
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from websearch_guard.injection.text.language import language_of as language_told
from websearch_web.html.page_reader import read_html

PARTS = ("train", "calibrate", "test")
LANGUAGES = frozenset(
    (
        *("ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu"),
        *("id", "it", "ja", "ko", "lt", "lv", "mk", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta"),
        *("th", "tr", "uk", "ur", "vi", "zh"),
    )
)
ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cn": "zh", "tw": "zh", "gr": "el", "jp": "ja", "br": "pt"}
HAND = {
    "train": "wesnoth-data debian-faq debian-edu-doc manpages linuxcnc-doc mediawiki kstars-data gnucash-docs firefox"
    " mate-user-guide installation-guide vlc evolution-common gnumeric-doc okular wordpress cataclysm-dda-data"
    " fillets-ng-data freedroidrpg-data sword-text-web fortune-anarchism dict-jargon lordsawar-data",
    "calibrate": "debian-handbook developers-reference apt aisleriot konqueror freeciv-data gedit-common inkscape"
    " python-django stellarium-data gcc-locales kmail calibre yelp atril-common widelands-data freeorion-data"
    " sword-text-sparv crawl-common",
    "test": "apache2-doc thunderbird gramps harden-doc kicad-doc dpkg evince-common emacs vim kmymoney-common dokuwiki"
    " gnome-terminal-data hplip-data dolphin lilypond-doc-html live-manual gnome-software-common scilab-doc man-db"
    " fortunes anarchism debian-history warzone2100-data hedgewars-data freecol unknown-horizons sword-text-kjv sympa",
}
"""Where the larger packages go, so that every language has enough of each part; the rest goes by its name's hash."""
SIDE = {name: part for part, names in HAND.items() for name in names.split()}
_STORIES = (
    "wesnoth-data cataclysm-dda-data fillets-ng-data freedroidrpg-data sword-text-web fortune-anarchism dict-jargon"
    " lordsawar-data widelands-data freeorion-data sword-text-sparv crawl-common fortunes anarchism debian-history"
    " warzone2100-data hedgewars-data freecol unknown-horizons sword-text-kjv sympa colobot-common"
)
STORIES = frozenset(_STORIES.split())
"""Tales, dialogues, scripture, sayings: people who say "I" and "you", as in news, forums and letters."""
BROKEN = (ValueError, OSError, EOFError, LookupError, RecursionError, zipfile.BadZipFile)
LEAST, LONGEST = 400, 20_000
"""Characters of a page; what is longer is cut at a line."""
MESSAGES = 4_000
"""Characters of a page of messages."""
EACH = 300
"""Pages of one package and language, at most."""
TURNS = 15
"""A package of stories is drawn from as often as so many others: there are few of them, and manuals are all alike."""

_SUFFIX = re.compile(
    r"-(?:l10n-)?(?:ar|bg|br|ca|cs|da|de|el|en|es|fi|fr|he|hu|id|it|ja|ko|mk|nb|nb-no|nl|pl|pt|pt-br|pt-pt|ro|ru|sr|sv"
    r"|tr|uk|vi|zh|zh-cn|zh-tw)(?:-(?:dev|off))?$"
)
_CODE = re.compile(r"([a-z]{2})(?:[_-][A-Za-z]{2,4})?(?:\.[Uu][Tt][Ff]-?8)?")
_PLACES = re.compile(
    r"(?:^|/)(?:usr/share/)?(?:help|doc/kde/HTML|doc/HTML|man|locale|translations|lang|languages|fortunes|l10n|i18n)"
    r"/([^/]+)/"
)
_ENGLISH = re.compile(
    r"/man/man\d/|/help/C/|manual/en|/en/|/fortunes/[a-z-]+$|\.dict$|ztext/eng|/dat/(?:descript|database)/[^/]+$"
    r"|/anarchism/html/",
    re.IGNORECASE,
)
"""What names no language and is known to be English."""
_DEFLATED = b"\x78\x9c"
"""How compressed books begin."""
_BLOCK = re.compile(
    r"</(?:p|para|title|item|entry|td|th|li|simpara|programlisting|screen|pre|h\d|code)>\s*", re.IGNORECASE
)
_SHOWN = frozenset({".SH", ".SS", ".B", ".I", ".BR", ".IR", ".BI", ".IB", ".RB", ".RI", ".SM", ".Nm", ".Nd", ".Sh"})
_BREAKS = frozenset({".PP", ".P", ".LP", ".TP", ".IP", ".br", ".sp", ".Pp", ".It", ".HP"})
_FONT = re.compile(r"\\(?:f(?:\[[^\]]*\]|\(..|.)|s[-+]?\d|m\[[^\]]*\]|[&|^:%c/,])")
_ESCAPE = re.compile(r"\\(?:\[[^\]]*\]|\(..|([-'` ])|e|.)")
_TAG = re.compile(r"<[^>]{0,2000}>")


def family_of(package: str) -> str:
    """A package's name without its language and version: its translations belong together."""
    name = package.removeprefix("python3-").replace("firefox-esr", "firefox")
    name = re.sub(r"-(?:amd64|common-el|\d[\d.]*)(?=-|$)", "", name)
    name = re.sub(r"^manpages(?:-.*)?$", "manpages", name)
    name = _SUFFIX.sub("", name)
    name = re.sub(r"^live-manual-(?:html|txt)$", "live-manual", name)
    return {"django": "python-django", "emacs-common": "emacs", "vim-runtime": "vim", "apt-utils": "apt"}.get(
        name, name.partition("-l10n")[0]
    )


def part_of(package: str) -> str:
    """Where all of a package goes."""
    name = family_of(package)
    if name == "manpages":  # one translator's hand for each language: too large to stand on one side alone
        return "train"
    return SIDE.get(name) or PARTS[(0, 0, 1, 2, 2)[zlib.crc32(name.encode()) % 5]]


def language_of(code: str) -> str:
    """ISO code without its region; "": not one of ours."""
    found = _CODE.fullmatch(code.partition("@")[0])
    short = ALIASES.get(found[1], found[1]) if found else ""
    return short if short in LANGUAGES and "@" not in code else ""


def pages_of(deb: Path) -> Iterator[tuple[str, str, str]]:
    """Language, name and text of each page of a package."""
    package = deb.name.partition("_")[0]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                if member.isfile() and member.size < 40_000_000 and _wanted(member.name):
                    file = archive.extractfile(member)
                    raw = file.read() if file else b""
                    with contextlib.suppress(
                        ValueError, OSError, EOFError, LookupError, RecursionError, zipfile.BadZipFile
                    ):
                        yield from _read(package, member.name.removeprefix("./"), raw)


def _wanted(path: str) -> bool:
    return bool(
        re.search(
            r"\.(?:html?|xhtml|page|xml|docbook|txt|mo|ftl|json|xpi|zip|bzz|dict|lua|properties)(?:\.[a-z]{2}(?:[-_.][\w-]+)*)?(?:\.gz|\.bz2|\.dz)?$"
            r"|/man/(?:[^/]+/)?man\d/[^/]+$|/fortunes/|/TUTORIAL\.\w+$|/tutor\.[\w-]+$|/mc\.hlp\.|/hints/",
            path,
        )
    )


def _read(package: str, path: str, raw: bytes) -> Iterator[tuple[str, str, str]]:
    if path.endswith((".gz", ".dz")):
        path, raw = path[:-3], gzip.decompress(raw)
    elif path.endswith(".bz2"):
        path, raw = path[:-4], bz2.decompress(raw)
    if path.endswith((".xpi", ".zip")):
        with zipfile.ZipFile(io.BytesIO(raw)) as inside:
            for name in inside.namelist():
                if name.endswith((".ftl", ".properties", ".mo")):
                    yield from _read(package, f"{path}/{name}", inside.read(name))
        return
    language = _language(package, path)
    if not language:
        return
    if path.endswith(".mo"):
        texts = _catalog(raw)
    elif path.endswith(".bzz"):
        texts = _verses(raw)
    elif path.endswith(".dict"):
        texts = iter(_parts(_decoded(raw)))
    elif path.endswith(".lua"):
        texts = _messages(re.findall(r"(?:=|Str\()\s*\"((?:[^\"\\\n]|\\.)+)\"", raw.decode("utf-8")))
    elif path.endswith((".ftl", ".properties")):
        texts = _messages(re.findall(r"=\s*(.{40,})", raw.decode("utf-8")))
    elif path.endswith(".json"):
        found = json.loads(raw)
        texts = _messages([v for v in found.values() if isinstance(v, str)] if isinstance(found, dict) else [])
    else:
        texts = iter([_text(path, raw)])
    for number, text in enumerate(texts):
        yield language, f"{path}#{number}", text


def _language(package: str, path: str) -> str:
    """By the path, else by the package's name; English where manuals have no language."""
    if found := _PLACES.search(path):
        if language := language_of(found[1]):
            return language
        if not re.fullmatch(r"man\d|C|[a-z-]{4,}|en.*", found[1]):
            return ""  # a language that is not one of ours
    name = path.rsplit("/", 1)[-1]
    if "spaRV" in path:
        return "es"
    for code in re.findall(r"\.([a-z]{2}(?:[-_][a-z]{2,4})?)(?=\.|$)", name, re.IGNORECASE) + re.findall(
        r"/([a-z]{2}(?:[-_][A-Za-z]{2,4})?)/", path
    ):
        if language := language_of(code):
            return language
    if suffix := re.search(r"-([a-z]{2})(?:-[a-z]{2})?(?:-(?:dev|off))?$", package):
        return language_of(suffix[1])
    if re.search(r"(?:^|/)([a-z]{2})(?:[_-][A-Za-z]{2,4})?\.json$", path):
        return language_of(path.rsplit("/", 1)[-1][:-5])
    if code := re.search(r"(?:stringtables/|Locale/(?:\w+_)?|Messages_|dialogs_)([a-z]{2}(?:_[A-Z]{2})?)\.\w+$", path):
        return language_of(code[1])
    return "en" if _ENGLISH.search(path) else ""


def _text(path: str, raw: bytes) -> str:
    if re.search(r"/man\d/", path):
        return plain(_decoded(raw))
    if re.search(r"\.(?:html?|xhtml)\b", path):
        return read_html(raw, "https://docs.example/page").body
    text = _decoded(raw)
    if re.search(r"\.(?:page|docbook|xml)$", path):
        if "<" in text and "<!ENTITY" in text[:3000]:
            text = re.sub(r"<!DOCTYPE.*?\]>", "", text, count=1, flags=re.DOTALL)
        lines = [re.sub(r"\s+", " ", html.unescape(_TAG.sub("", block))).strip() for block in _BLOCK.split(text)]
        return "\n\n".join(line for line in lines if line)
    return re.sub(r"\n%\n", "\n\n", text)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""  # older encodings are not worth guessing at


def plain(roff: str) -> str:
    """A manual's text without its macros."""
    lines: list[str] = []
    for line in roff.splitlines():
        macro, _, rest = line.partition(" ")
        if not line.startswith((".", "'")):
            lines.append(line)
        elif macro in _SHOWN:
            lines.append(("\n\n" if macro.startswith(".S") else "") + rest.replace('"', ""))
        elif macro in _BREAKS:
            lines.append("\n")
    text = _FONT.sub("", re.sub(r"\\\[u([0-9A-F]{4})\]", lambda code: chr(int(code[1], 16)), " ".join(lines)))
    return re.sub(r"\s*\n\s*", "\n", _ESCAPE.sub(lambda found: found[1] or "", text)).strip()


def _verses(raw: bytes) -> Iterator[str]:
    """A module of the SWORD project: compressed books, one after the other."""
    text = ""
    while raw:
        book = zlib.decompressobj()
        with contextlib.suppress(zlib.error):
            text += _TAG.sub("", book.decompress(raw).decode("utf-8", "replace"))
        begins = raw.find(_DEFLATED, 1)
        raw = book.unused_data or (raw[begins:] if begins > 0 else b"")
    return iter(_parts(text))


def _parts(text: str) -> list[str]:
    return [text[at : at + MESSAGES] for at in range(0, len(text), MESSAGES)]


def _catalog(raw: bytes) -> Iterator[str]:
    said: dict[object, str] = gettext.GNUTranslations(io.BytesIO(raw)).__dict__["_catalog"]
    return _messages([str(text) for key, text in said.items() if key and text != key])


def _messages(said: list[str]) -> Iterator[str]:
    """Pages of what a program says, in its own order; short labels are left out."""
    page: list[str] = []
    length = 0
    for text in dict.fromkeys(text.strip() for text in said):
        if len(text) >= 40 or (len(text) >= 15 and re.search("[\u0e00-\u9fff\uac00-\ud7af]", text)):
            page.append(text)
            length += len(text)
            if length > MESSAGES:
                yield "\n".join(page)
                page, length = [], 0
    yield "\n".join(page)


def kept(found: Iterator[tuple[str, str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Of each language, pages of some length, none twice; where there are more than EACH, evenly drawn ones."""
    by: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for language, name, whole in found:
        text = _cut(whole.strip())
        if len(text) >= LEAST:
            by[language].setdefault(text[:2000], (name, text))
    return {
        language: sorted(pages.values(), key=lambda page: zlib.crc32(page[0].encode()))[:EACH]
        for language, pages in by.items()
    }


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    end = text.rfind("\n", LEAST, LONGEST)
    return text[: end if end > 0 else LONGEST]


def texts_of(part: Path, most: int) -> dict[str, list[str]]:
    """The texts of each language in a part, as many from each package as there is room for, in an order by chance.

    Pages that were left in English are no text of another language.
    """
    found: dict[str, list[str]] = {}
    for folder in sorted(part.iterdir()):
        language, rng = folder.name, random.Random(folder.name)
        packages: list[list[str]] = []
        for path in sorted(folder.glob("*.gz")):
            pages = _pages(path)
            rng.shuffle(pages)
            turns = TURNS if _tells(path) else 1
            packages += [pages[turn::turns] for turn in range(turns)]
        drawn = (text for level in itertools.zip_longest(*packages) for text in level if text)
        own = (text for text in drawn if language == "en" or language_told(text) != "en")
        found[language] = list(itertools.islice(own, most))
        rng.shuffle(found[language])
    return found


def stories_of(part: Path) -> dict[str, int]:
    """How many pages of stories each language has in a part."""
    return {
        folder.name: sum(len(_pages(path)) for path in folder.glob("*.gz") if _tells(path)) for folder in part.iterdir()
    }


def _tells(path: Path) -> bool:
    return family_of(path.name.removesuffix(".jsonl.gz")) in STORIES


def _pages(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def main(packages: Path, folder: Path) -> None:
    """Write every part, and print what there is of each language."""
    counts: Counter[tuple[str, str]] = Counter()
    for deb in sorted(packages.glob("*.deb"), key=lambda path: path.stat().st_size):
        package = deb.name.partition("_")[0]
        part = part_of(package)
        done = folder / "done" / package
        if done.exists():
            continue
        for language, pages in kept(pages_of(deb)).items():
            out = folder / part / language / f"{package}.jsonl.gz"
            out.parent.mkdir(parents=True, exist_ok=True)
            rows = [{"package": package, "page": name, "text": text} for name, text in pages]
            with gzip.open(out, "wt", encoding="utf-8", compresslevel=3) as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            counts[part, language] += len(pages)
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()
        print(package, part, flush=True)
    for (part, language), count in sorted(counts.items()):
        print(part, language, count)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:3]))
