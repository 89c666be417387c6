"""What links to the neighbours of a page, or to its top, are called in the languages of most of the web."""

# ruff: noqa: RUF001 - the letters are those of the languages

from __future__ import annotations

import re

_STEPS = re.compile(
    r"\W*(?:next|prev(?:ious)?|up|home|top|contents|index|toc|"
    r"zurück|weiter|nach oben|zum anfang|startseite|précédent|suivant|sommaire|niveau supérieur|accueil|début|haut|"
    r"anterior|siguiente|próximo|seguinte|subir|inicio|início|acima|arriba|"
    r"indietro|avanti|precedente|successivo|inizio|volgende|vorige|terug|omhoog|begin|"
    r"nästa|föregående|upp|hem|næste|neste|forrige|opp|op|hjem|seuraava|edellinen|ylös|alkuun|"
    r"następn[ya]|dalej|poprzedni[a]?|wstecz|początek|spis treści|další|předchozí|domů|nahoru|ďalej|späť|"
    r"следующ(?:ая|ий|ее)|предыдущ(?:ая|ий|ее)|назад|вперед|вперёд|далее|пред|след|наверх|вверх|уровень выше|начало|"
    r"содержание|наступн(?:а|ий)|попередн(?:я|ій)|sonraki|önceki|ileri|geri|yukarı|başlangıç|"
    r"επόμενο|προηγούμενο|πάνω|αρχή|következő|előző|înainte|înapoi|următorul|precedentul|"
    r"السابق|التالي|أعلى|البداية|הבא|הקודם|بعدی|قبلی|tiếp theo|tiếp|trước|trang chủ|"
    r"berikutnya|sebelumnya|lanjut|kembali|"
    r"前へ|次へ|前|次|戻る|前のページ|次のページ|上に戻る|ホーム|目次|上一页|下一页|上一頁|下一頁|上一章|下一章|上一步|下一步|"
    r"后退|前进|起始页|上一层|다음|이전|위로|처음|처음으로|ก่อนหน้า|ถัดไป)(?: page)?\W*",
    re.IGNORECASE,
)
"""The labels of links to the neighbours of a page."""
_TO_TOP = re.compile(
    r"\W*(?:(?:back |go |return )?to (?:the )?top(?: of (?:the |this )?page)?|top|nach oben|"
    r"(?:zum )?seitenanfang|"
    r"(?:retour en )?haut(?: de (?:la )?page)?|(?:volver )?arriba|ir arriba|(?:voltar )?(?:ao|para o) topo|topo|"
    r"torna (?:su|all'inizio)|наверх|вверх|(?:к|в) началу?|(?:ページ|この?ページ)の?(?:先頭|トップ)(?:へ|に戻る)?|"
    r"(?:回到|返回)?[顶頂]部|맨 위로|위로|yukarı|başa dön|naar boven|do góry|til toppen|till toppen)?\W*",
    re.IGNORECASE,
)


def says_step(label: str) -> bool:
    """Whether a link of this label leads to a neighbour of its page."""
    return bool(_STEPS.fullmatch(label))


def says_top(label: str) -> bool:
    """Whether it leads to the top of its page; so does an arrow, or nothing."""
    return bool(_TO_TOP.fullmatch(label))
