"""Which language a text is in."""

# ruff: noqa: RUF001 - letters of many alphabets

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_guard.injection.text.language import PASSAGE, language_of, passages

SAID = {
    "ar": "هذا هو الكتاب الذي قرأته في المدرسة، ولم يكن من السهل أن أجده بعد ذلك في المكتبة.",
    "bg": "Това е книгата, която четох в училище, и не беше лесно да я намеря след това в града.",
    "ca": "Aquest és el llibre que vaig llegir a l'escola, i després no va ser fàcil trobar-lo amb els altres.",
    "cs": "To je kniha, kterou jsem četl ve škole, a pak už nebylo snadné ji najít, protože byla stará.",
    "da": "Det er den bog, som jeg læste i skolen, og det var ikke nemt at finde den igen efter så mange år.",
    "de": "Das ist das Buch, das ich in der Schule gelesen habe, und es war nicht leicht zu finden.",
    "el": "Αυτό είναι το βιβλίο που διάβασα στο σχολείο και δεν ήταν εύκολο να το βρω.",
    "en": "This is the book that I read at school, and it was not easy to find it again after so many years.",
    "es": "Este es el libro que leí en la escuela, y no fue fácil encontrarlo después de tantos años.",
    "fa": "این کتابی است که در مدرسه خواندم و پیدا کردن آن بعد از این همه سال آسان نبود.",
    "fi": "Tämä on se kirja, jonka luin koulussa, eikä sitä ollut helppo löytää, mutta nyt se on taas täällä.",
    "fr": "C'est le livre que j'ai lu à l'école, et il n'a pas été facile de le retrouver dans la ville.",
    "he": "זה הספר שאני קראתי בבית הספר, ולא היה קל למצוא אותו אחרי כל כך הרבה שנים, אבל הוא כאן.",
    "hi": "यह वह किताब है जो मैंने स्कूल में पढ़ी थी और इतने साल के बाद उसे खोजना आसान नहीं था।",
    "hr": "To je knjiga koju sam čitao u školi, ali nije bilo lako ponovo je naći kako bi je netko mogao čitati.",
    "hu": "Ez az a könyv, amelyet az iskolában olvastam, és nem volt könnyű megtalálni, de most már itt van.",
    "id": "Ini adalah buku yang saya baca di sekolah, dan tidak mudah untuk menemukannya setelah itu.",
    "it": "Questo è il libro che ho letto a scuola, e non è stato facile trovarlo dopo tutti questi anni.",
    "ja": "これは学校で読んだ本で、長い年月のあとで見つけるのは簡単ではありませんでした。",
    "ko": "이것은 내가 학교에서 읽은 책이며 오랜 세월이 지난 후에 찾기가 쉽지 않았습니다.",
    "lt": "Tai yra knyga, kurią skaičiau mokykloje, ir po to jos rasti nebuvo lengva, bet dabar ji jau čia.",
    "nl": "Dit is het boek dat ik op school heb gelezen, en het was niet makkelijk om het terug te vinden.",
    "no": "Dette er boken jeg leste på skolen, og det var ikke lett å finne den igjen etter så mange år.",
    "pl": "To jest książka, którą czytałem w szkole, i nie było łatwo ją znaleźć po tylu latach.",
    "pt": "Este é o livro que li na escola, e não foi fácil encontrá-lo de novo, mas agora ele está aqui.",
    "ro": "Aceasta este cartea pe care am citit-o la școală, și nu a fost ușor să o găsesc după atâția ani.",
    "ru": "Это книга, которую я читал в школе, и найти её после этого было не так просто, но вы можете.",
    "sk": "To je kniha, ktorú som čítal v škole, a potom už nebolo ľahké ju nájsť, pretože bola stará.",
    "sl": "To je knjiga, ki sem jo bral v šoli, in je po tem ni bilo lahko najti, vendar je zdaj tudi tukaj.",
    "sv": "Det är den bok som jag läste i skolan, och det var inte lätt att hitta den igen efter så många år.",
    "th": "นี่คือหนังสือที่ฉันอ่านที่โรงเรียน และไม่ใช่เรื่องง่ายที่จะหามันเจอ",
    "tr": "Bu benim okulda okuduğum kitap ve o kadar yıl sonra onu bulmak hiç de kolay olmadı.",
    "uk": "Це книга, яку я читав у школі, і після цього її було не так легко знайти, але вона вже є.",
    "vi": "Đây là cuốn sách mà tôi đã đọc ở trường, và không dễ để tìm thấy nó sau nhiều năm.",
    "zh": "这是我在学校读过的书，这么多年以后再找到它并不容易。",
}


@pytest.mark.parametrize("language", SAID)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert language_of(SAID[language]) == language


@pytest.mark.parametrize("text", ["", "2026-11-23 17:04", "Kubernetes", "x = f(y)\n", "[INST] [INST]", "🙂" * 40])
def test_what_tells_no_language_has_none(text: str) -> None:
    assert language_of(text) == ""


def test_passages_of_a_text_have_each_its_own() -> None:
    text = f"{SAID['de']}\n" * 30 + f"{SAID['th']}\n" * 40
    told = [passage.language for passage in passages(text)]
    assert told[0] == "de"
    assert told[-1] == "th"


@given(st.text(max_size=40), st.integers(0, 200))
def test_passages_hold_the_whole_text(text: str, times: int) -> None:
    long = text * times
    found = [*passages(long)]
    assert "".join(long[passage.start : passage.end] for passage in found) == long
    assert all(0 < passage.end - passage.start <= PASSAGE for passage in found)
