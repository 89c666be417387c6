"""What walls say, in the languages of most of the web; matched on short texts only."""

# ruff: noqa: RUF001 - the letters are those of the languages

from __future__ import annotations

import re


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{phrase})" for phrase in phrases), re.IGNORECASE)


CHALLENGES = _any(
    (
        r"(?:please )?(?:verify|confirm|prove|make sure)(?:ing)? (?:that )?you(?:'re| are)(?: not)"
        r"? (?:a )?(?:human|robot|bot|real person)"
    ),
    r"are you a (?:robot|human|bot)",
    r"i'?m not a robot",
    r"(?:robot|human|security|browser) (?:check|verification)",
    r"checking (?:your|if the) (?:browser|site connection).{0,80}",
    r"just a (?:moment|second)(?:, please)?",
    r"attention required",
    r"access (?:to this (?:page|site|resource|website) )?(?:has been |is |was )?(?:denied|blocked|restricted)",
    (
        r"(?:you have|you've|your (?:ip|request|access|browser)(?: address)?(?: has| was)?) ?(?:been )"
        r"?(?:temporarily )?(?:blocked|banned)"
    ),
    r"unusual (?:traffic|activity)(?: from your.{0,60})?",
    r"automated (?:access|requests?|queries|traffic|tools?)",
    r"pardon our interruption",
    r"(?:please )?(?:complete|solve) the (?:security check|captcha|puzzle).{0,60}",
    r"ddos protection by.{0,40}",
    r"one more step",
    r"(?:error )?403(?: error)?(?: -)?(?: forbidden)?|forbidden",
    r"request (?:blocked|rejected|unsuccessful)",
    r"press (?:&|and) hold.{0,60}",
    r"enter the characters you see below.{0,60}",
    r"bot (?:detected|detection|protection)",
    r"please enable js and disable any ad ?blocker",
    r"captcha",
    r"(?:ihr|dein) browser wird (?:überprüft|geprüft)",
    r"(?:dass|ob) (?:sie|du) (?:ein mensch|kein (?:ro)?bot(?:er)?) (?:sind|bist)",
    r"ich bin kein roboter",
    r"zugriff (?:verweigert|gesperrt)",
    r"vérifi\w+ que vous (?:êtes|n'êtes).{0,40}",
    r"êtes-vous un (?:robot|humain)",
    r"je ne suis pas un robot",
    r"accès (?:refusé|interdit|bloqué)",
    r"un instant",
    r"verifi\w+ que (?:eres|es|usted es) (?:un )?(?:ser )?human\w+",
    r"no soy un robot",
    r"acceso (?:denegado|bloqueado|restringido)",
    r"comprobando (?:su|tu|el) navegador.{0,40}",
    r"verifi\w+ (?:que|se) (?:você é|é) (?:um )?(?:ser )?human\w+",
    r"não sou um robô",
    r"acesso (?:negado|bloqueado)",
    r"non sono un robot",
    r"accesso (?:negato|bloccato)",
    r"verific\w+ (?:di essere|che sei) (?:un )?(?:essere )?uman\w+",
    r"ik ben geen robot",
    r"toegang (?:geweigerd|geblokkeerd)",
    r"even geduld(?: a\.?u\.?b\.?)?",
    r"nie jestem robotem",
    r"(?:odmowa dostępu|dostęp zabroniony)",
    r"jag är inte en robot",
    r"åtkomst nekad",
    r"adgang nægtet",
    r"подтвердите, что (?:вы )?(?:не робот|человек).{0,40}",
    r"(?:вы|я) не робот",
    r"доступ (?:к .{0,40} )?(?:ограничен|запрещ[её]н|закрыт|заблокирован)",
    r"проверка браузера.{0,40}",
    r"robot olmadığınızı.{0,40}",
    r"erişim (?:engellendi|reddedildi)",
    r"ロボットではありません",
    r"アクセスが(?:拒否|制限|ブロック).{0,20}",
    r"人間であることを確認.{0,20}",
    r"画像認証",
    r"(?:请)?(?:验证|確認|确认|驗證)(?:您|你)(?:是|不是)(?:真人|人类|人類|机器人|機器人)?.{0,20}",
    r"(?:安全|人机|人機)(?:验证|驗證|检查)",
    r"访问(?:被拒绝|受限|被阻止)|拒绝访问",
    r"请完成(?:安全)?验证.{0,20}",
    r"로봇이 아닙니다",
    r"(?:접근|액세스)(?:이|가) (?:거부|차단|제한).{0,20}",
    r"사람인지 확인.{0,20}",
    r"(?:تحقق|تأكيد) (?:من )?أنك (?:إنسان|لست روبوت\w*)",
    r"أنا لست برنامج روبوت",
)
TOO_MANY = _any(
    r"(?:error )?(?:429|1015)(?: error)?|(?:429[ :-]{1,3})?too many requests",
    r"(?:you are being )?rate[- ]limit(?:ed| exceeded| reached)?",
    r"zu viele (?:an)?fragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|(?:muitas|demasiadas) solicitações",
    r"troppe richieste|te veel verzoeken|zbyt wiele żądań|слишком много запросов|çok fazla istek",
    r"リクエストが多すぎます|(?:请求|請求|访问|訪問|操作)(?:过于|過於|太)?(?:频繁|頻繁)|요청이 너무 많습니다",
)
IS_MISSING = _any(
    (
        r"(?:error |http )?404(?: error)?(?:[ :,.-]{1,3}(?:page |file |seite |página |page )"
        r"?(?:not found|error|nicht gefunden|introuvable|no encontrada|não encontrada))?"
    ),
    (
        r"(?:oops|sorry|uh[- ]oh|whoops)?[!,.]{0,3} ?(?:we(?: can'?t| cannot| couldn'?t)(?: seem to)"
        r"? find (?:that|the|this) page.{0,40})"
    ),
    (
        r"(?:oops|sorry|uh[- ]oh|whoops)?[!,.]{0,3} ?(?:(?:this|that|the) )?(?:page|file|content|article|"
        r"product|document|site|listing)(?: you.{0,40})? (?:was |is |could |can |has |does )?"
        r"(?:not|(?:ca|is|was|could|does)n['\u2019]?t|no longer|cannot|can ?not) ?(?:be )?"
        r"(?:found|exists?|available).{0,20}"
    ),
    r"(?:(?:this|that|the) )?page (?:doesn'?t|does not|can'?t|couldn'?t|isn'?t) (?:exist|be found|available).{0,20}",
    r"not found",
    r"(?:die |diese )?seite (?:wurde )?(?:leider )?nicht gefunden|seite existiert nicht(?: mehr)?",
    r"(?:cette |la )?page (?:est )?(?:introuvable|non trouvée|n'existe (?:pas|plus))",
    r"(?:la )?página no (?:encontrada|existe|se (?:encuentra|encontró).{0,30})",
    r"no se (?:encontró|ha encontrado) la página.{0,20}",
    r"página não (?:encontrada|existe)",
    r"pagina non (?:trovata|esiste)|(?:la )?pagina (?:richiesta )?non (?:è stata trovata|esiste)",
    r"(?:de )?pagina (?:is )?niet gevonden|pagina bestaat niet",
    r"sidan (?:hittades|kunde) inte.{0,20}",
    r"siden (?:blev |ble )?ikke (?:fundet|funnet)|sivua ei löyt\w+",
    r"(?:nie znaleziono strony|strona nie (?:została znaleziona|istnieje))|stránka (?:nebyla )?nenalezena",
    r"(?:ошибка 404.{0,20}|страница не (?:найдена|существует)|сторінк[уа] не знайдено)",
    r"sayfa bulunamadı",
    r"ページが見つかりません(?:でした)?|お探しのページは.{0,30}",
    r"(?:抱歉.)?(?:找不到|未找到)(?:该|您要的|此)?(?:页面|网页|頁面|網頁)|(?:页面|頁面|网页)(?:不存在|未找到|找不到)",
    r"페이지를 찾을 수 없습니다.{0,10}",
    r"الصفحة غير موجودة",
)
ASKS_SCRIPTS = _any(
    r"(?:enable|activate|turn on|switch on|allow|requires?|needs?|without|support)\b.{0,40}\bjavascript",
    (
        r"javascript.{0,60}\b(?:enabled?|disabled|required|turned off|activ\w+|aktivier\w+|desactiv\w+|"
        r"désactiv\w+|habilit\w+|deaktivier\w+|inschakelen|abilit\w+|attiv\w+|necess\w+|nécess\w+)"
    ),
    (
        r"(?:aktivier\w+|activ\w+|habilit\w+|ativ\w+|abilit\w+|attiv\w+|schakel|włącz|zapněte|включите|"
        r"увімкніть|slå på|aktivér|etkinleştir\w*).{0,40}javascript"
    ),
    r"javascript.{0,20}(?:включ|отключ|włącz|etkinleştir|有効|無効|启用|啟用|禁用|활성화|사용)|(?:启用|啟用|开启).{0,10}javascript",
)
WANTS_COOKIES = _any(
    r"(?:please )?(?:enable|allow|accept|activate) (?:all )?cookies (?:to|in|and|for|on)\b",
    r"cookies (?:are|must be|need to be|have been) (?:disabled|enabled|required|turned off|blocked)",
    r"before you continue(?: to)?",
    r"cookies (?:aktivieren|zulassen)|bevor (?:sie|du) (?:fort|weiter)\w+",
    r"avant d'accéder à|activer les cookies",
    r"antes de (?:continuar|ir a)|habilit\w+ las cookies",
    r"prima di continuare|abilita i cookie",
    r"voordat je verdergaat",
    r"включите (?:файлы )?cookie",
    r"cookie.{0,4}(?:有効|启用|啟用|활성화)",
)
ASKS_TO_LOG_IN = _any(
    r"(?:please )?(?:log|sign)[ -]?in(?: (?:to|or|with|required|now|here)\b.{0,60})?",
    r"(?:member|user|customer|account) (?:log|sign)[ -]?in",
    r"login required",
    r"(?:you (?:must|need to) )(?:be logged in|log in|sign in).{0,60}",
    r"(?:bitte )?(?:anmelden|einloggen|melden sie sich an)|anmeldung",
    r"(?:se )?connect(?:er|ez-vous)|connexion|identifiez-vous",
    r"inici(?:ar|a|e) sesión|acceder|identif[ií]\w+",
    r"(?:fazer |faça )?login|entrar|iniciar sessão",
    r"accedi|effettua l'accesso",
    r"(?:log in|inloggen|aanmelden)",
    r"logga in|log ind|logg inn|kirjaudu.{0,20}",
    r"zaloguj(?: się)?|logowanie|přihlášení|přihlásit se",
    r"войти|вход|авторизация|увійти",
    r"giriş yap\w*|oturum aç\w*",
    r"ログイン|サインイン",
    r"登录|登入|请(?:先)?登录",
    r"로그인",
    r"تسجيل الدخول",
)
WANTS_PAYMENT = _any(
    (
        r"(?:subscribe|sign up|register|log in|become a (?:member|subscriber)|upgrade|join)(?: now|"
        r" today)? (?:to|and) (?:continue|keep|read|unlock|access|see|view|get full)\b"
    ),
    r"to (?:continue|keep|finish) reading\b",
    r"already a (?:subscriber|member)",
    (
        r"(?:this|the) (?:article|story|content|post|page) is (?:only )?(?:for|available (?:only )?to|"
        r"reserved for|exclusive to) (?:our )?(?:paid |paying )?(?:subscribers|members)"
    ),
    r"(?:for|exclusive to) (?:subscribers|members) only|(?:subscribers|members)[- ]only",
    r"you(?:'ve| have) (?:reached|read|used) (?:your|all|the).{0,40}(?:limit|free articles?|last free)",
    r"(?:unlock|get) (?:this article|full access|unlimited access)",
    r"(?:weiterlesen|lesen sie weiter) mit|(?:jetzt )?(?:abo(?:nnieren)?|testen) und weiterlesen",
    r"nur für abonnenten|dieser (?:artikel|inhalt) ist (?:nur )?(?:für|kostenpflichtig)",
    r"sie haben bereits ein abo",
    r"(?:article|contenu) (?:est )?réservé aux (?:abonnés|membres)|la suite est réservée",
    r"abonnez-vous pour|déjà abonné|il vous reste .{0,20}% ",
    r"(?:contenido|artículo) (?:exclusivo|solo) para (?:suscriptores|socios)|suscr[ií]bete para",
    r"ya (?:soy|eres) suscriptor",
    r"(?:conteúdo|exclusivo) (?:exclusivo )?para assinantes|assine para|já é assinante",
    r"(?:contenuto|articolo) (?:riservato|per) (?:agli |gli )?abbonati|abbonati per|sei già abbonato",
    r"alleen voor abonnees|al abonnee|word abonnee",
    r"för prenumeranter|kun for abonnenter|for abonnenter|tylko dla (?:subskrybentów|prenumeratorów)",
    r"(?:только )?для подписчиков|оформите подписку",
    r"会員限定|続きを読むには|有料会員",
    r"(?:订阅|訂閱|付费|付費)(?:后|以|即可)?(?:继续|繼續)?(?:阅读|閱讀)|会员专享",
    r"구독(?:하고|자 전용)|유료 ?회원",
)
TO_THE_VISITOR = re.compile(
    r"\b(?:Sie|Ihr|Ihre[mnrs]?|Ihnen)\b|(?i:\b(?:you|your|you're|you've|we|we're|our|us|please|sorry|oops|try|"
    r"click|return|go|back|home ?page|reload|refresh|wait|browser|cookies|javascript|(?:on|to|of|at) this|"
    r"this (?:page|site|website|request|resource|url|link|product|content|action|may)|the (?:page|link|"
    r"url) (?:may|might|could|has|was|is)|requested (?:page|url|address|file)|(?:ray|reference|request|incident|"
    r"block|server|support|error|session) ?(?:id|code|#|no)|ip(?: address)?|powered by|bitte|du|dein\w*|"
    r"startseite|vous|votre|vos|veuillez|accueil|désolé\w*|usted|por favor|lo sentimos|inicio|volver|você|"
    r"desculpe|voltar|per favore|spiacent[ei]|torna|uw|jouw|helaas|terug|startpagina|tyvärr|beklager|desværre|din|"
    r"dit|ditt|proszę|przepraszamy|wróć|lütfen|ana sayfa\w*|вы|вас|вам|ваш\w*|пожалуйста|извините|главн\w+|"
    r"вернит\w+)\b|お客様|ください|申し訳|トップページ|您|请|請|抱歉|对不起|返回|首页|首頁|주세요|바랍니다|죄송|يرجى|الرجاء|عذرا|الرئيسية)"
)
"""What a wall says about itself and to whoever stands before it; a text about something else does without."""
