"""The words in which engines say how old a page is, and the names of months: data for `dates`."""

from __future__ import annotations

# ruff: noqa: RUF001 - other alphabets are what this is about

UNITS = {
    "second": """s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden
        sekunda sekundę sekundy sekund sekunder sekunnin sekunti sekuntia másodperce másodperc secundă secunde
        sekundou
        секунда секунду секунды секунд секунди saniye δευτερόλεπτα δευτερόλεπτο ثانية ثوان ثواني giây detik วินาที
        שניות
        सेकंड 秒 秒間 秒钟 秒鐘 초""",
    "minute": """m min mins minute minutes minuten minuto minutos minuti minuut minuta minutę minuty minut minuter
        minutter minuutti minuuttia minuutin perce perccel perc minutu minutou minutami минута минуту минуты минут
        хвилину хвилини хвилин dakika λεπτά λεπτό دقيقة دقائق phút menit นาที דקה דקות मिनट 分 分間 分钟 分鐘 분""",
    "hour": """h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren godz godzina godzinę
        godziny godzin tim timme timmar time timer tunti tuntia tunnin órája órával óra oră hodinu hodiny hodin
        hodinou hodinami час часа часов годину години годин saat ώρα ώρες ساعة ساعات giờ jam ชั่วโมง שעה שעות घंटा
        घंटे 時間 小时 小時 个小时 個小時 시간""",
    "day": """d day days tag tage tagen j jour jours día días dia dias giorno giorni gg dag dagen dzień dni dagar
        dage dager päivä päivää päivän napja nappal nap zi zile den dny dnem dní dňami день дня дней дні днів gün
        ημέρα ημέρες μέρα μέρες يوم يوما يوماً أيام ngày hari วัน יום ימים दिन 日 日間 天 일""",
    "week": """w wk wks week weeks woche wochen sem semaine semaines semana semanas settimana settimane weken
        tydzień tygodnie tygodni vecka veckor uge uger uke uker viikko viikkoa viikon hete héttel hét săptămână
        săptămâni týden týdny týdnů týdnem неделя неделю недели недель тиждень тижні тижнів hafta εβδομάδα
        εβδομάδες أسبوع أسابيع tuần minggu สัปดาห์ שבוע שבועות सप्ताह हफ़्ते 週 週間 周 星期 个星期 個星期 주""",
    "month": """mo mos month months monat monate monaten mois mes meses mês mese mesi maand maanden miesiąc
        miesiące miesięcy månad månader måned måneder kuukausi kuukautta kuukauden hónapja hónappal hónap lună luni
        měsíc měsíce měsíců měsícem месяц месяца месяцев місяць місяці місяців ay μήνα μήνας μήνες شهر أشهر شهور
        tháng bulan เดือน חודש חודשים महीने महीना か月 か月間 ヶ月 カ月 ヵ月 个月 個月 개월 달""",
    "year": """y yr yrs year years jahr jahre jahren an ans année années año años ano anos anno anni jaar jaren rok
        lata lat år vuosi vuotta vuoden éve évvel év ani roky let lety год года лет рік роки років yıl sene χρόνο
        χρόνια έτος έτη سنة سنوات عام أعوام năm tahun ปี שנה שנים साल वर्ष 年 年間 년""",
}
"""Unit → its forms: in many languages the number before it decides which one is used."""

TWO = {"ثانيتين": "second", "دقيقتين": "minute", "ساعتين": "hour", "يومين": "day", "أسبوعين": "week", "شهرين":
        "month",
       "سنتين": "year", "عامين": "year", "שעתיים": "hour", "יומיים": "day", "שבועיים": "week", "חודשיים": "month",
       "שנתיים": "year"}  # fmt: skip
"""Duals: two of a unit in one word."""

ONE = """a an one ein eine einem einen einer un une uno una um uma een één 'n jeden jedną jedna ett en et yksi egy
        o один одну одна одне bir ένα ένας μία μια một satu 一 한""".split()  # noqa: SIM905 - a list is unreadable
"""Words that stand for the number 1."""

BEFORE = ("vor", "il y a", "hace", "há", "acum", "πριν από", "πριν", "před", "pred", "för", "for", "منذ", "قبل", "לפני")
"""What says before a number and a unit that they are past."""

AFTER = (
    *("ago", "fa", "atrás", "geleden", "temu", "sedan", "siden", "sitten", "ezelőtt", "în urmă", "önce", "назад"),
    *("тому назад", "тому", "trước", "yang lalu", "lalu", "ที่แล้ว", "ที่ผ่านมา", "पहले", "以前", "之前", "前", "전"),
)
"""The same after them."""

NOW = """just now|now|gerade eben|jetzt|à l'instant|maintenant|ahora mismo|ahora|agora mesmo|agora|adesso|
        proprio ora|zojuist|przed chwilą|teraz|just nu|lige nu|akkurat nå|juuri nyt|az imént|acum|právě teď|
        только что|щойно|az önce|şimdi|μόλις τώρα|الآن|vừa xong|baru saja|たった今|今|刚刚|剛剛|방금"""

DAYS = {
    0: """today|heute|aujourd'hui|hoy|hoje|oggi|vandaag|dzisiaj|dziś|idag|i dag|tänään|ma|azi|astăzi|dnes|сегодня|
        сьогодні|bugün|σήμερα|اليوم|hôm nay|hari ini|วันนี้|היום|आज|今日|本日|今天|오늘""",
    1: """yesterday|gestern|hier|ayer|ontem|ieri|gisteren|wczoraj|igår|i går|eilen|tegnap|včera|вчера|вчора|dün|
        χθες|χτες|أمس|hôm qua|kemarin|เมื่อวาน|אתמול|昨日|昨天|어제""",
    2: """day before yesterday|the day before yesterday|vorgestern|avant-hier|anteayer|anteontem|l'altro ieri|
        altro ieri|eergisteren|przedwczoraj|i förrgår|i forgårs|toissapäivänä|tegnapelőtt|alaltăieri|předevčírem|
        позавчера|позавчора|προχθές|أول أمس|hôm kia|一昨日|おととい|前天|그저께""",
}
"""How many days ago → what that day is called; names are between bars, as in `NOW`."""

YEAR_AFTER = r"г\.|р\.|года|року"
"""What Russian and Ukrainian write after a year, as a pattern."""

MONTHS = (
    """jan january januar janvier janv enero ene janeiro gennaio gen januari stycznia sty stycznia tammikuuta
        ianuarie ledna января янв січня ocak oca""",
    """feb february februar février févr febrero fevereiro fev febbraio februari lutego lut helmikuuta februarie
        února февраля фев лютого şubat şub""",
    """mar march märz mär mars marzo março maart mrt marca maaliskuuta martie března марта мар березня mart""",
    """apr april avril avr abril abr aprile kwietnia kwi huhtikuuta aprilie dubna апреля апр квітня nisan nis""",
    """may mai mayo maio maggio mag mei maj maja toukokuuta května мая травня mayıs""",
    """jun june juni juin junio junho giugno giu czerwca cze kesäkuuta iunie června июня июн червня haziran haz""",
    """jul july juli juillet juil julio julho luglio lug lipca lip heinäkuuta iulie července июля июл липня temmuz
        tem""",
    """aug august août agosto ago augustus augusti sierpnia sie elokuuta srpna августа авг серпня ağustos ağu""",
    """sep sept september septembre septiembre setembro set settembre września wrz syyskuuta septembrie září
        сентября сен вересня eylül eyl""",
    """oct october oktober okt octobre octubre outubro out ottobre ott października paź lokakuuta octombrie října
        октября окт жовтня ekim eki""",
    """nov november novembre noviembre novembro listopada lis marraskuuta noiembrie listopadu ноября ноя листопада
        kasım kas""",
    """dec december dez dezember décembre déc diciembre dic dezembro dicembre grudnia gru joulukuuta decembrie
        prosince декабря дек грудня aralık ara""",
)
"""January to December: names and short names, in the form that stands beside a day."""
