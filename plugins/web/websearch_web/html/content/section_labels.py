"""What a heading says when its section is not the page's main content, in the languages of most of the web."""

# ruff: noqa: RUF001 - the letters are those of the languages

from __future__ import annotations

import re

MAX_CHARS = 70
"""Of a label; longer lines are sentences."""

_THINGS = (
    r"(?:articles?|posts?|content|stories|story|products?|news|topics?|reading|links|pages?|resources?|items?|videos?|"
    r"searches|threads?|discussions?|questions?|blogs?|blog posts|coverage|insights|courses?|guides?|recipes|jobs|tags|"
    r"categories|services|events|reads|podcasts|collections|announcements|projects)"
)
_GERMAN_THINGS = (
    r"(?:artikel|beiträge|produkte|themen|meldungen|nachrichten|inhalte|videos|seiten|links|rezepte|angebote|news)"
)
_DUTCH_THINGS = (
    r"(?:artikel(?:en|s)?|berichten|nieuws|producten|onderwerpen|pagina['’]s|links|inhoud|video['’]s|vacatures|"
    r"blogs?|posts|verhalen|zoekopdrachten)"
)
_NORDIC_THINGS = (
    r"(?:artik(?:el|ler|lar)|nyheder|nyheter|produkter|emner|ämnen|indlæg|innlegg|inlägg|sider|sidor|indhold|innhold|"
    r"innehåll|links?|länkar|lenker|videoer|saker|søgninger)"
)
_POLISH_THINGS = (
    r"(?:artykuły|wpisy|produkty|tematy|wiadomości|newsy|posty|treści|strony|materiały|linki|filmy|oferty|teksty)"
)
_CZECH_THINGS = r"(?:články|příspěvky|produkty|témata|zprávy|odkazy|obsah|stránky|videa)"
_UKRAINIAN_THINGS = r"(?:статті|новини|матеріали|записи|товари|теми|публікації|пости|відео)"
_SORTED_BY = (
    r"(?:price|popularity|relevance|date|newest|latest|oldest|ratings?|name|featured|best|most|top|default|recommended|"
    r"new|reviews?)"
)
_AROUND = (
    # English
    rf"related(?:(?: \w+)? {_THINGS})?",
    r"(?:you )?(?:may|might) also (?:like|enjoy|be interested in).*",
    r"you (?:may|might|will|'ll) (?:also )?(?:like|love|enjoy|be interested in).*",
    r"if you liked this.*",
    r"more (?:from|in|on|about|like this|to explore|to read)\b.*",
    rf"more(?: \w+)? {_THINGS}",
    (
        rf"(?:recommended|suggested|similar|popular|trending|recent|latest|other|top|most popular|"
        rf"most read|featured|hot)(?: \w+)? {_THINGS}"
    ),
    r"(?:recommended|suggested)(?: for you| reading| by .*)?",
    r"(?:most|recently) (?:read|viewed|popular)(?: .*)?",
    r"(?:read|up|what to read|watch) next",
    r"(?:keep|continue) reading|(?:learn|read) more",
    r"read (?:also|this next)",
    r"don'?t miss.*",
    r"(?:please )?share(?: (?:this|on|via|with|the|your|it)\b.*)?",
    r"(?:follow|find|connect with) us.*",
    r"(?:about|meet) (?:the |our )?authors?",
    r"(?:leave|post|add|write|submit) (?:a|your) (?:reply|comment|review)s?.*",
    r"(?:\d+ |no |add |all |reader |view )?(?:comments?|responses|replies)(?: \(\d+\))?",
    r"\d+ (?:thoughts?|responses|comments?|replies) (?:on|to)\b.*",
    r"join (?:the|our) (?:conversation|discussion|newsletter|community|mailing list).*",
    r"(?:our )?newsletters?(?: sign[- ]?up)?",
    r"(?:subscribe|sign[- ]?up)(?: (?:to|for|now|today|and|here|via)\b.*)?",
    r"stay (?:in touch|up to date|informed|connected|updated|in the loop|in the know).*",
    r"get (?:the|our) (?:latest|newsletter|best).*",
    r"advertisements?|sponsored(?: \w+)?|ads? by .*|promoted(?: \w+)?|partner content",
    r"customers (?:who|also) .*",
    r"(?:people|users|others|shoppers) also (?:bought|viewed|searched|ask|like|read).*",
    r"frequently bought together",
    r"(?:complete|shop|get) the (?:look|set|bundle)",
    r"pairs (?:well|perfectly) with.*",
    r"recently viewed.*",
    r"(?:filed under|posted in|tagged(?: with| as)?|tags|categories|share|labels)",
    r"instagram|@\w+ on instagram",
    r"(?:previous|next|older|newer) (?:article|post|story|page)s?",
    r"print(?: this page)?",
    r"was this (?:\w+ )?(?:\w+ )?helpful.*",
    r"rate this \w+",
    r"cite this (?:article|page|paper|post).*",
    r"skip to .*",
    r"(?:all )?comments (?:are )?closed.*|no comments(?: yet)?|be the first to comment|show comments",
    # German
    r"(?:das )?könnte (?:sie|dich|ihnen|dir) auch .*",
    rf"(?:ähnliche|verwandte|weitere|passende|beliebte|neueste|aktuelle|empfohlene) {_GERMAN_THINGS}(?: .*)?",
    r"mehr zum thema.*",
    r"mehr (?:themen|artikel|news|storys?|stories|kolumnen|lesen)(?: (?:auf|zu|von|aus) .*)?",
    r"lust auf mehr|schon gelesen|weiterlesen|meist(?:gelesen|kommentiert|geklickt)e?(?: .*)?",
    r"entdecken? (?:sie )?weitere .*",
    r"(?:diese[rs]? |das )?(?:artikel|beiträge?|themen?) könnten? (?:dich|euch|sie) (?:auch |ebenfalls )?interessieren",
    r"(?:diesen? (?:artikel|beitrag|seite) |artikel )(?:teilen|(?:weiter)?empfehlen|bewerten|versenden|kommentieren)",
    r"teilen? (?:sie )?(?:diesen? )?(?:artikel|beitrag|seite)|empfehlen sie .* weiter|möchten sie .* teilen",
    r"(?:war|hat|gefällt) (?:ihnen |dir |euch )?(?:der|dieser?) (?:artikel|beitrag|seite)(?: .*)?",
    r"(?:noch |derzeit noch )?keine kommentare|kommentare? (?:sind )?geschlossen|kommentieren|lesermeinung(?:en)?",
    r"(?:neuen )?kommentar (?:hinzufügen|verfassen|schreiben|abgeben)|newsletter (?:abonnieren|bestellen)",
    r"mehr (?:von|aus|zu|über)\b.*",
    r"auch interessant",
    r"lesen sie (?:auch|mehr).*|lies (?:auch|mehr).*",
    r"(?:artikel |beitrag |seite )?teilen",
    r"(?:\d+ )?kommentare?",
    r"(?:schreibe?|hinterlasse?n?)\b.*kommentar",
    r"über (?:den autor|die autorin)",
    r"kunden (?:kauften|haben).*",
    r"zuletzt angesehen.*",
    r"schlagw(?:o|ö)rter",
    # French
    (
        r"(?:articles?|produits|contenus|sujets|actualités|pages) (?:similaires|liés|associés|connexes|"
        r"récents|populaires)"
    ),
    r"(?:à )?lire (?:aussi|également).*",
    r"sur le même (?:sujet|thème)",
    r"(?:vous|tu) (?:aimerez|aimeriez|pourriez|pourrait).*",
    r"(?:cela|ceci) (?:pourrait|peut) vous intéresser",
    r"partager(?: (?:cet?(?:te)?|sur|via|par|avec|l['’]article|la page)\b.*)?",
    r"(?:\d+ )?commentaires?",
    r"laisser un commentaire",
    r"(?:aucun|publier un|ajouter un|écrire un) commentaire|les plus (?:lus|populaires|récents)|dans la même rubrique",
    r"nos derniers? .*",
    r"mots[- ]clés",
    # Spanish and Portuguese
    (
        r"(?:art[íi]culos|artigos|productos|produtos|noticias|notícias|entradas|contenidos|conteúdos|"
        r"temas|posts|publicaciones|matérias) (?:relacionad|similar|recient|recent|popular|destacad)\w+"
    ),
    r"(?:también|quizás?|tal vez)? ?te puede(?:n)? (?:también )?interesar.*",
    r"(?:leia|lea|lee|veja|ver|mira) (?:também|también|mais|más)\b.*",
    r"você (?:também )?pode(?:rá)? (?:também )?gostar.*",
    (
        r"(?:comp?artilh(?:ar?|e|em)|compart[ei]r?)(?: (?:est[ea]|isso|isto|esto|n[oa]s?|en|em|via|com|con|por|"
        r"[oe]l? art\w+|l?a (?:página|notícia|noticia|matéria))\b.*)?"
    ),
    r"(?:\d+ )?coment[áa]rios?",
    r"(?:deja|deixe|escribe|deixar) (?:un|um) (?:comentario|comentário)",
    r"más (?:noticias|artículos|sobre)\b.*|más (?:de|en) (?:\w+|(?:est[ea]|nuestr[oa]s?) .*)",
    r"mais (?:notícias|artigos|sobre|lidas|lidos)\b.*",
    r"etiquetas",
    r"relacionad[oa]s|(?:le|les|te) puede interesar|(?:no hay|sin|publicar un) comentarios?",
    r"m[áa]s leíd[oa]s|mais lidas",
    r"lo más (?:leído|visto)",
    r"sobre (?:el autor|la autora|o autor|a autora)",
    # Italian
    r"(?:articoli|prodotti|notizie|contenuti) (?:correlat|simil|recent)\w+",
    r"potrebbe(?:ro)? (?:anche )?interessarti.*",
    r"ti potrebbe.*",
    r"leggi anche.*",
    r"condividi(?: .*)?",
    r"(?:\d+ )?commenti",
    r"lascia un commento",
    r"nessun commento|(?:gli )?articoli più letti|i più letti|altri articoli",
    # Dutch, Scandinavian, Polish, Czech
    rf"gerelateerde? {_DUTCH_THINGS}",
    r"lees (?:ook|meer|verder).*",
    r"(?:dit|misschien) vind je.*",
    r"delen|(?:\d+ )?reacties",
    rf"relater(?:et|ede|te|ade|at) {_NORDIC_THINGS}",
    r"l[æäe]s (?:også|också|mere|mer|även).*",
    r"del(?:a)? artik\w+|dela|del",
    r"(?:\d+ )?kommentarer",
    rf"(?:powiązane|podobne|polecane) {_POLISH_THINGS}",
    r"(?:zobacz|czytaj|przeczytaj) (?:też|także|również|więcej).*",
    r"udostępnij\b.*|(?:\d+ )?komentarze(?: ?\(?\d+\)?| do (?:artykułu|wpisu).*)?",
    (
        rf"související {_CZECH_THINGS}|sdílet(?: (?:na|přes|tento|tuto|článek|stránku)\b.*)?|"
        r"komentáře(?: \(?\d+\)?| k článku.*)?"
    ),
    # Russian, Ukrainian, Turkish
    r"powiązane|najczęściej czytane|zobacz więcej|najnowsze|nejčtenější|mohlo by vás zajímat|čtěte také",
    r"(?:súvisiace|podobné) články|čítajte aj|mest (?:lästa|lest|læste)|les også",
    r"lue (?:myös|seuraavaksi|lisää)|luetuimmat",
    # Hungarian, Romanian, Balkan and Baltic languages, Catalan
    r"kapcsolódó (?:cikkek|tartalmak|anyagok)|olvas(?:d|sa) el ezt is|ez is érdekelheti?|ajánlott cikkek|hozzászólások",
    r"(?:articole|știri) (?:similare|recomandate|asemănătoare)|cite(?:ște|şte) și.*|comentarii|vezi și.*",
    r"(?:povezan[ei]|slične?) (?:vijesti|vesti|članci|teme)|pročitajte (?:i|još).*|najčitanije|preberite (?:še|tudi).*",
    r"свързани (?:статии|новини)|още по темата|прочетете още.*|сродне вести|прочитајте још.*",
    r"susiję straipsniai|skaitykite taip pat.*|lasi (?:arī|vēl).*|seotud (?:lood|artiklid)|loe (?:ka|lisaks).*",
    r"(?:articles|notícies) relaciona(?:ts|des)|llegiu també.*",
    # Russian, Ukrainian, Turkish
    (
        r"(?:похожие|другие|связанные|популярные|последние|рекомендуемые|свежие) (?:новости|статьи|"
        r"материалы|товары|публикации|записи|темы|посты|видео)"
    ),
    r"(?:читайте|смотрите) (?:также|ещё|еще).*",
    r"по теме|рекомендуем(?: .*)?",
    (
        r"поделиться(?: (?:в|на|с|через|ссылкой|этим|этой|новостью|стать[её]й)\b.*)?|(?:добавить|оставить) комментарий|"
        r"комментарии(?: \(?\d+\)?| к (?:статье|записи|новости|посту|материалу).*)?"
    ),
    (
        rf"схожі {_UKRAINIAN_THINGS}|читайте також.*|поділитися(?: (?:в|у|на|через|цим|цією)\b.*)?|"
        r"коментарі(?: \(?\d+\)?| до .*)?"
    ),
    r"(?:ilgili|benzer) (?:haberler|yazılar|ürünler|konular|içerikler|makaleler)|bunlar da ilginizi.*",
    r"paylaş(?:ın)?|(?:\d+ )?yorum(?:lar)?(?: \(?\d+\)?| (?:yap|yaz|bırak|ekle|gönder).*)?",
    # Arabic, Persian, Hebrew, Hindi, Indonesian, Vietnamese, Thai, Greek
    r"(?:مقالات|أخبار|مواضيع|مواد|منتجات) (?:ذات صلة|مشابهة|مرتبطة)",
    r"(?:اقرأ|إقرأ) (?:أيضا|أيضًا|ايضا).*|قد يعجبك.*|شارك(?: .*)?",
    r"(?:مطالب|اخبار|مقالات) (?:مرتبط|مشابه)|بیشتر بخوانید.*",
    r"(?:כתבות|מאמרים|פוסטים|מוצרים) (?:קשורות|קשורים|נוספות|נוספים)|אולי יעניין.*|עוד בנושא.*",
    r"(?:संबंधित|यह भी पढ|इसे भी पढ).{0,40}",
    r"(?:artikel|berita|produk|postingan) (?:terkait|lainnya|terpopuler)|baca juga.*|bagikan(?: .*)?",
    r"(?:bài viết|tin|sản phẩm) (?:liên quan|cùng chuyên mục)|có thể bạn (?:quan tâm|thích).*",
    r"xem thêm(?: (?:bài viết|tin|các|sản phẩm|video)\b.*)?",
    r"(?:บทความ|ข่าว|สินค้า|เรื่อง)ที่เกี่ยวข้อง|แชร์.{0,20}",
    r"(?:σχετικά|δημοφιλή) (?:άρθρα|νέα|προϊόντα)|διαβάστε (?:επίσης|ακόμη|ακόμα).*",
    # Japanese, Chinese, Korean
    r"(?:関連|おすすめの?|人気の?|最新の?|新着)(?:記事|商品|リンク|キーワード|ニュース|情報|コンテンツ)?(?:一覧)?",
    r"(?:こちらの|あわせて|この記事を|こちらも).*",
    r"(?:シェア|共有)(?:する)?|コメント(?:欄|一覧|する|を?(?:書く|投稿|追加|残す|見る).*| ?[(（]?\d.*)?",
    r"(?:相关|相關|推荐|推薦|热门|熱門|最新|延伸)(?:文章|阅读|閱讀|推荐|新闻|新聞|产品|產品|内容|视频|链接|主题|评论)?",
    r"猜你喜欢|分享(?:到.*)?|(?:发表)?(?:评论|評論)|留言(?:板)?",
    r"(?:관련|추천|인기|최신) ?(?:기사|글|상품|뉴스|게시물|콘텐츠|영상)?|공유(?:하기)?",
    r"댓글(?: ?(?:\(?\d.*|달기|쓰기|작성|목록|남기기))?",
)
_CONTROLS = (
    (
        r"filters?(?: (?:results?|products?|items|options|selection|search)\b.*| \(?\d+\)?)?|"
        rf"(?:filter|refine|narrow|shop)(?:ed)? by\b.*|sort(?:ed)? by(?: {_SORTED_BY}\b.*)?"
    ),
    r"refine(?: your)?(?: search| results?)?",
    r"(?:active|clear|all) filters?",
    r"(?:select|choose|change)(?: your| a)? (?:region|country|language|currency|location|store)",
    r"sort(?:ieren|ierung)?(?: nach)?|filtern(?: nach\b.*)?|trier(?: par)?",
    r"filtre[rs]?(?: (?:par|actifs?|de recherche|les (?:résultats|produits|articles))\b.*)?",
    r"(?:filtrar|ordenar)(?: por\b.*)?",
)
_CONTENTS = (
    r"(?:table of )?contents|(?:in|on) this (?:article|page|post|guide)|jump to(?: .*)?",
    r"inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|tabla de contenidos|sumário|indice",
    r"inhoud(?:sopgave)?|spis treści|obsah|innehåll|indhold|innhold|sisällys|içindekiler|содержание|оглавление|зміст",
    r"目次|目录|目錄|차례|목차|mục lục|المحتويات|תוכן|สารบัญ",
)
_OPINIONS = (
    (
        r"(?:(?:customer|user|product|verified|ratings? (?:&|and)|latest|recent|our|client|real|top) )"
        r"{0,2}(?:reviews?|ratings?|testimonials?|feedback)(?: .{0,40})?"
    ),
    r"(?:average )?(?:customer )?ratings?(?: .*)?",
    (
        r"(?:see |hear |read )?what (?:(?:our|your|other|the|happy|\w+) )?(?:people|customers?|clients?|"
        r"users?|others|members|students|guests|readers|patients|families) (?:say|saying|are saying|"
        r"think|love)\b.*"
    ),
    r"(?:client|customer)s? (?:success(?:es)?|stories|say|love|testimonials?)\b.*",
    r"(?:happy|satisfied) (?:customers|clients)\b.*",
    r"trusted by .*|loved by .*|as seen (?:in|on).*",
    r"(?:be the first to )?(?:write a )?review(?: this)?(?: .*)?",
    r"q ?& ?a|questions (?:&|and) answers|(?:customer )?questions",
    r"(?:kunden)?(?:bewertung|rezension|meinung)en(?: .*)?|das sagen unsere.*",
    r"avis(?: .{0,30})?|témoignages.*",
    r"(?:opiniones|reseñas|valoraciones|avaliações|recensioni)(?: .{0,30})?",
    r"отзывы(?: .*)?|レビュー.*|カスタマーレビュー.*|评价.*|评论.*|리뷰.*|상품평.*",
)
_TOPICS = re.compile(
    r"comments?|responses|replies|share|subscri(?:be|ptions?)|sign[- ]?up|newsletters?|advertisements?|print|tags|"
    r"categories|labels|filter.*|sort.*|order.*|contents|kommentare?|commentaires?|coment[áa]rios?|commenti|"
    r"delen|reacties|dela?|teilen|partager|compart(?:ir|ilhar)|paylaş|yorum(?:lar)?|komentáře|komentarze|kommentarer|"
    r"sdílet|комментарии|поделиться|коментарі|поділитися|コメント|シェア|共有|댓글|공유|评论|評論|分享|filtr.*|ordenar",
    re.IGNORECASE,
)
"""Labels that a manual may have a chapter about."""


def _any(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """For lower-case labels: phrases that begin with another letter are passed over at once."""
    return re.compile("|".join(phrases))


_AROUND_PATTERN, _OPINION_PATTERN = _any((*_AROUND, *_CONTROLS, *_CONTENTS)), _any(_OPINIONS)
_CONTENTS_PATTERN = _any(_CONTENTS)


def says_around(label: str) -> bool:
    """Whether a section under this label stands around a page's content: related links, sharing, comments, filters."""
    return bool(_AROUND_PATTERN.fullmatch(label.lower()))


def says_contents(label: str) -> bool:
    """Whether it stands above a list of a page's own headings."""
    return bool(_CONTENTS_PATTERN.fullmatch(label))


def may_be_topic(label: str) -> bool:
    """Whether a label of `says_around` is as likely the subject of a section."""
    return bool(_TOPICS.fullmatch(label))


def says_opinions(label: str) -> bool:
    """Whether it holds reviews and testimonials."""
    return bool(_OPINION_PATTERN.fullmatch(label.lower()))
