"""What lines for readers on their way are called, in the languages of most of the web: steps, tools, stamps."""

# ruff: noqa: RUF001 - the letters are those of the languages

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS = re.compile(
    r"\W*(?:next|prev(?:ious)?|up|home|top|(?:table of )?contents|index|toc|"
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
_BACK = re.compile(r"(?:<{1,2}|[«←‹◀◄⇐])\s{0,3}\S.{0,60}")
_ON = re.compile(r"\S.{0,60}?\s{0,3}(?:>{1,2}|[»→›▶►⇒])")
"""An arrow, and the name of the page that it leads to."""
_TO_TOP = re.compile(
    r"\W*(?:(?:back |go |return )?to (?:the )?top(?: of (?:the |this )?page)?|top|nach oben|"
    r"(?:zum )?seitenanfang|"
    r"(?:retour en )?haut(?: de (?:la )?page)?|(?:volver )?arriba|ir arriba|(?:voltar )?(?:ao|para o) topo|topo|"
    r"torna (?:su|all'inizio)|наверх|вверх|(?:к|в) началу?|(?:ページ|この?ページ)の?(?:先頭|トップ)(?:へ|に戻る)?|"
    r"(?:回到|返回)?[顶頂]部|맨 위로|위로|yukarı|başa dön|naar boven|do góry|til toppen|till toppen)?\W*",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"[\W_]*(?:(?:edit|improve|view|suggest edits? (?:to|for)|"
    r"report (?:an? )?(?:issue|bug|error|problem) (?:with|on|in))"
    r"(?: (?:this|the|on|in|page|article|document|section|source|history|raw|code|it)){0,4}"
    r"(?: (?:github|gitlab|bitbucket|wiki))?|"
    r"(?:printable|printer[- ]friendly|print) (?:version|page|view)|print(?: this)?(?: page| article)?|"
    r"e-?mail (?:this|to a friend)(?: page| article)?|send to a friend|permalink|copy link|download (?:as )?pdf|"
    r"(?:diese )?seite (?:bearbeiten|drucken)|druckversion|drucken|quelltext (?:anzeigen|ansehen)|"
    r"modifier cette page|éditer cette page|imprimer(?: cette page)?|version imprimable|envoyer (?:à|par).{0,20}|"
    r"editar (?:esta|essa) página|imprimir|versión (?:para imprimir|imprimible)|versão para impressão|"
    r"modifica questa pagina|stampa|versione stampabile|deze pagina bewerken|afdrukken|edytuj (?:tę )?stronę|drukuj|"
    r"upravit (?:tuto )?stránku|tisk|redigera (?:denna )?sida|skriv ut|rediger (?:denne )?side(?:n)?|udskriv|tulosta|"
    r"bu sayfayı düzenle|yazdır|править(?: эту страницу)?|редактировать(?: страницу)?|распечатать|версия для печати|"
    r"このページを編集(?:する)?|印刷(?:する|用ページ)?|编辑(?:此页|本页)?|編輯(?:此頁|本頁)?|打印(?:文稿|本页)?|列印|"
    r"이 페이지 편집|인쇄(?:하기)?|in trang này|تعديل هذه الصفحة|طباعة|הדפסה|چاپ)[\W_]*",
    re.IGNORECASE,
)
"""What a site lets a reader do with its page."""
_FOLLOW = re.compile(
    r"\W*(?:(?:follow|join|find) (?:us|\w+ news) (?:on|at|in)\b.*|subscribe to (?:our|the|us)\b.*|"
    r"(?:folgen? (?:sie )?uns|folge uns|abonnieren sie (?:unseren|uns))\b.*|(?:suivez|retrouvez|rejoignez)[- ]nous\b.*|"
    r"abonnez-vous (?:à|au|aux) .*|síguenos\b.*|suscríb(?:ete|ase) (?:a|al|en) .*|únete a nuestr.*|siga-nos\b.*|"
    r"inscreva-se (?:em|no|na) .*|seguici (?:su|anche|sui)\b.*|iscriviti (?:a|al|alla|ai) .*|volg ons (?:op|via)\b.*|"
    r"(?:obserwuj|śledź) nas (?:na|w)\b.*|sledujte nás (?:na|i)\b.*|kövess(?:en)? minket.*|urmăriți-ne (?:pe|și)\b.*|"
    r"bizi (?:\S+ )?takip ed.*|ακολουθήστε (?:μας|το|την)\b.*|"
    r"(?:подписывайтесь|подпишитесь|присоединяйтесь) (?:на|в|к) .*|"
    r"(?:читайте|следите за) .{0,30} (?:в|на) (?:telegram|телеграм).*|"
    r"(?:підписуйтесь|підпишіться|приєднуйтесь|долучайтесь) (?:на|в|у|до) .*|"
    r"تابعونا (?:على|عبر|في).*|اشترك(?:وا)? في .*|"
    r"(?:theo dõi|ikuti) .{0,30} (?:trên|di) .*|(?:点击|點擊|掃描|扫描)?(?:关注|關注|追蹤|追踪)(?:我们|我們).*|"
    r"(?:公式)?(?:twitter|x|line|instagram|facebook|youtube)(?:で|を)フォロー.*)\W*",
    re.IGNORECASE,
)
"""Lines that ask a reader to follow their site elsewhere."""
_STAMP = re.compile(
    r"(?:page |this (?:page|document|manual|file|documentation) )?(?:was )?(?:automatically )?"
    r"(?:generated|created|built|produced|rendered)(?: automatically)? (?:on|at|by|with|using|from|in(?! \d{4}))\b|"
    r"(?:page |site )?last (?:updated|modified|changed|generated|built|edited|reviewed)\b|"
    r"(?:this page was )?last (?:edited|modified|updated)\b|powered by\b|(?:made|built) with\b|"
    r"copyright\b|©|\(c\)|all rights reserved|"
    r"(?:erstellt|generiert|erzeugt) (?:am|mit|von|durch)\b|(?:zuletzt|letzte) (?:aktualisier|geänder|änderung)\w*|"
    r"généré (?:le|par|avec)\b|dernière (?:mise à jour|modification)\b|tous droits réservés|"
    r"generado (?:el|por|con)\b|última (?:actualización|modificación|atualização|modificação)\b|"
    r"todos (?:los derechos reservados|os direitos reservados)|gerado (?:em|por|com)\b|"
    r"generato (?:il|da|con)\b|ultima (?:modifica|revisione)\b|laatst (?:bijgewerkt|gewijzigd)\b|"
    r"ostatnia (?:aktualizacja|modyfikacja)\b|wygenerowano\b|poslední (?:aktualizace|změna)\b|"
    r"senast (?:uppdaterad|ändrad)\b|sist (?:oppdatert|endret)\b|son güncelleme\b|"
    r"последнее (?:обновление|изменение)\b|(?:документ )?(?:создан|сгенерирован)\w*|все права защищены|"
    r"最終更新|(?:最后|最後)(?:更新|修改)|마지막 (?:업데이트|수정)|版权所有|(?:無断|不許)(?:転載|複製)",
    re.IGNORECASE,
)
"""Who made a page, with what and when: how such a line begins."""
_WHEN = re.compile(
    r"\W*$|\s*[:：]|\W*(?:©|\(c\))|[^\W\d_][\w+-]* v?\d+\.\d|\W*(?:(?:on|at|am|le|el|il|op|den|dne|em|в|от|the) )?"
    r"(?:[^\W\d_]{1,12}\W{1,3}){0,2}"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\W{1,3}(?:(?:de|of) )?(?:[^\W\d_]{1,12}\W{1,3}(?:de )?)?)?"
    r"(?:(?:19|20)\d\d(?!\d)|\d{1,2}[./:-]\d\d)",
    re.IGNORECASE,
)
"""What follows at once: nothing, a colon, the sign of a copyright, a program with its version, a date or year."""
_STAMP_CHARS = 120
_REPORT = re.compile(
    r"(?:ошибк|опечатк|помилк|памылк|грешк|mistake|typo|error|fehler|chyb|błąd|eroare|səhv|xato|қате).*ctrl ?\+ ?enter",
    re.IGNORECASE | re.DOTALL,
)
_REPORT_CHARS = 200
_COUNT = re.compile(
    r"\W{0,3}(?:(?:post |page )?(?:views?|hits|visits|visited|reads)|(?:seiten)?aufrufe|gelesen|"
    r"vues|lectures|visitas|lecturas|visualizzazioni|letture|weergaven|wyświetle(?:nia|ń)|zobrazení|просмотр(?:ы|ов)|переглядів|görüntülenme|조회(?:수)?|閲覧数|"
    r"阅读(?:量)?|浏览(?:量)?|"
    r"likes?|gefällt mir|j['’]aime|me gusta|mi piace|нравится|좋아요|추천|点赞|いいね[!！]?)"
    r"\W{0,3}\d[\d.,  ]*(?:times?|mal)?(?:, \d+ .{0,20})?\W*|"
    r"\W{0,3}\d[\d.,  ]*k? (?:(?:post |page )?views?|hits|visits|reads|mal (?:angezeigt|gelesen|aufgerufen)|aufrufe|"
    r"vues|visitas|visualizzazioni|просмотр(?:ы|ов|а)?)\W*",
    re.IGNORECASE,
)
"""How often a page was read or liked."""


def says_step(label: str) -> bool:
    """Whether a link of this label leads to a neighbour of its page."""
    return bool(_STEPS.fullmatch(label))


def points_back(label: str) -> bool:
    """Whether an arrow back stands before the name of a page; beside one that points on it is a step.

    A name between two signs (`<file>`, «Rivers») is a placeholder or quoted.
    """
    return bool(_BACK.fullmatch(label)) and not _ON.fullmatch(label)


def points_on(label: str) -> bool:
    """Whether an arrow on follows the name of a page."""
    return bool(_ON.fullmatch(label)) and not _BACK.fullmatch(label)


def says_follow(label: str) -> bool:
    """Whether it asks to follow or subscribe."""
    return bool(_FOLLOW.fullmatch(label))


def says_top(label: str) -> bool:
    """Whether it leads to the top of its page; so does an arrow, or nothing."""
    return bool(_TO_TOP.fullmatch(label))


def says_tool(label: str) -> bool:
    """Whether it edits, prints, sends or shows the source of its page."""
    return bool(_TOOLS.fullmatch(label))


def is_count(line: str) -> bool:
    """Whether a line only counts those who read or liked its page."""
    return bool(_COUNT.fullmatch(line))


def asks_for_mistakes(line: str) -> bool:
    """Whether it asks readers to mark a mistake and report it, as sites in Russian and its neighbours do."""
    return len(line) <= _REPORT_CHARS and bool(_REPORT.search(line))


def is_stamp(line: str, links: Sequence[str]) -> bool:
    """Whether a line says who made the page, with what and when; `links` are the texts of its links."""
    begun = _STAMP.match(line) if len(line) <= _STAMP_CHARS else None
    if begun is None:
        return False
    rest = line[begun.end() :].strip()
    return begun.group() == "©" or bool(_WHEN.match(rest)) or any(link and rest.startswith(link) for link in links)
