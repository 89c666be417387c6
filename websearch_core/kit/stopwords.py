"""Articles, prepositions and the like: words that nearly every text holds, so that to find one says nothing."""

# ruff: noqa: RUF001 - Cyrillic and Greek are meant
from __future__ import annotations

_BY_LANGUAGE = {
    "English": """a about an and any are as at be been but by can could did do does for from had has have how i if
        in into is it its me my of on or our please should so than that the their them then there these they this
        those to was we were what when where which who why will with would you your""",
    "German, Dutch": """als am auf aus bei das dass dem den der des die durch ein eine einem einen einer es für ich
        im ist kann mit nach nicht oder sich sie sind um und von was wenn wer werden wie wird wo zu zum zur aan dat
        de een het hoe met naar niet ook op te uit van voor wat zijn""",
    "French, Spanish, Italian, Portuguese, Romanian": """al alla ao au aux avec ce ces cette che como comment con
        cu da dans del della di do dos du e el em en est et il la las le les lo los na não o on où ou par para pas
        pe per por pour qu que qui quoi se si sont sur un una une uno y è és și""",
    "Swedish, Norwegian, Danish": """att av det där en er ett för har hur hvordan och og på som til till är""",
    "Polish, Czech, Slovak, Croatian": """co czy dla do i jak jako je jest nie od oraz po się są to v w ve z za ze
        že""",
    "Turkish, Finnish, Indonesian": """bir bu için ile mi ne nasıl ja on että mitä dan dari di ke untuk yang""",
    "Russian, Ukrainian, Greek": """в во для до за и из как к ли на не о от по с что это та що як і з το τα η ο και
        της του για με να από σε πώς""",
}

SMALL_WORDS = frozenset(word for words in _BY_LANGUAGE.values() for word in words.split())
